/**
 * `npm run payments:order -- show|query ORDER_NO`: shows an order and queries its channels. `faults` lists discrepancies of the nightly
 * comparison. Changes are made by operator commands (`orders/commands.ts`), also available under this name.
 */
import { parseArgs } from 'node:util'
import { runInstallationCommand } from '#platform/server/command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { paymentsConfig } from '../config.ts'
import { selectOpenDiscrepancies } from '../statements/data.ts'
import { loadOrderRecords, queryOrderTrades } from './repair-order.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const [what = 'show', subject = ''] = positionals

await runInstallationCommand('payments-order', paymentsConfig, run)

async function run(deps: Deps): Promise<void> {
  if (what === 'show') return show(deps)
  if (what === 'query') {
    for (const { trade, fact } of await queryOrderTrades(deps, subject))
      console.log(
        `${trade.tradeNo}  ${fact ? `${fact.status}  ${fact.payments.map((paid) => `${formatMinor(paid.minor)} ${paid.currency} ${paid.channelTxn}`).join(', ')}` : 'no answer'}`,
      )
    return
  }
  if (what === 'faults') {
    for (const fault of await selectOpenDiscrepancies(deps.db, 200))
      console.log(
        `${fault.id}  ${fault.day}  ${fault.channelType}  ${fault.class.padEnd(9)}  ${fault.kind.padEnd(8)}  ${fault.subject}  ours ${JSON.stringify(fault.ours)}  theirs ${JSON.stringify(fault.theirs)}`,
      )
    return
  }
}

async function show(deps: Deps): Promise<void> {
  const { order, trades, receipts, refunds, disputes, timeline } = await loadOrderRecords(deps, subject)
  console.log(`${order.orderNo}  type ${order.orderType}  ${order.state}  user ${order.userId}`)
  console.log(
    `${formatUsd(order.amountNano)} + ${formatUsd(order.feeNano)} = ${formatUsd(order.totalNano)} USD  x ${order.rate} = ${formatMinor(order.payMinor)} ${order.currency}`,
  )
  for (const trade of trades) console.log(`trade    ${trade.channelType}  ${trade.tradeNo}  ${trade.channelRef ?? ''}`)
  for (const paid of receipts)
    console.log(`payment  ${paid.channelTxn}  ${formatMinor(paid.paidMinor)} ${paid.currency}  ${toShanghaiTime(paid.paidAt)}  ${paid.outcome}`)
  for (const back of refunds)
    console.log(`refund   ${back.refundNo}  ${formatUsd(back.amountNano)} USD  ${formatMinor(back.minor)} ${back.currency}  ${back.state}`)
  for (const each of disputes)
    console.log(`dispute  ${each.disputeId}  ${formatMinor(each.minor)} ${each.currency}  ${each.state}  held ${formatUsd(each.clawedNano)} USD`)
  for (const step of timeline) console.log(`${toShanghaiTime(step.at)}  ${step.event.padEnd(16)}  ${step.toState.padEnd(18)}  ${step.actor}  ${step.reason}`)
}
