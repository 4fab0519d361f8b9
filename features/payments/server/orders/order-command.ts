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
        `${trade.trade_no}  ${fact ? `${fact.status}  ${fact.payments.map((paid) => `${formatMinor(paid.minor)} ${paid.currency} ${paid.channelTxn}`).join(', ')}` : 'no answer'}`,
      )
    return
  }
  if (what === 'faults') {
    for (const fault of await selectOpenDiscrepancies(deps.db, 200))
      console.log(
        `${fault.id}  ${fault.day}  ${fault.channel_type}  ${fault.class.padEnd(9)}  ${fault.kind.padEnd(8)}  ${fault.subject}  ours ${JSON.stringify(fault.ours)}  theirs ${JSON.stringify(fault.theirs)}`,
      )
    return
  }
}

async function show(deps: Deps): Promise<void> {
  const { order, trades, receipts, refunds, disputes, timeline } = await loadOrderRecords(deps, subject)
  console.log(`${order.order_no}  type ${order.order_type}  ${order.state}  user ${order.user_id}`)
  console.log(
    `${formatUsd(order.amount_nano)} + ${formatUsd(order.fee_nano)} = ${formatUsd(order.total_nano)} USD  x ${order.rate} = ${formatMinor(order.pay_minor)} ${order.currency}`,
  )
  for (const trade of trades) console.log(`trade    ${trade.channel_type}  ${trade.trade_no}  ${trade.channel_ref ?? ''}`)
  for (const paid of receipts)
    console.log(`payment  ${paid.channel_txn}  ${formatMinor(paid.paid_minor)} ${paid.currency}  ${toShanghaiTime(paid.paid_at)}  ${paid.outcome}`)
  for (const back of refunds)
    console.log(`refund   ${back.refund_no}  ${formatUsd(back.amount_nano)} USD  ${formatMinor(back.minor)} ${back.currency}  ${back.state}`)
  for (const each of disputes)
    console.log(`dispute  ${each.dispute_id}  ${formatMinor(each.minor)} ${each.currency}  ${each.state}  held ${formatUsd(each.clawed_nano)} USD`)
  for (const step of timeline) console.log(`${toShanghaiTime(step.at)}  ${step.event.padEnd(16)}  ${step.to_state.padEnd(18)}  ${step.actor}  ${step.reason}`)
}
