/**
 * `npm run payments:order -- show|query ORDER_NO`: looks an order up, asks its channels. `faults` lists what the nightly comparison
 * found. Whatever changes something is an operator's command (`orders/commands.ts`), under this name too.
 */
import { parseArgs } from 'node:util'
import { runCommand } from '#platform/server/command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { minorText, usd } from '#platform/shared/money.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { paymentsConfig } from '../config.ts'
import { openFaults } from '../statements/data.ts'
import { lookUpOrder, queryOrder } from './repair-order.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const [what = 'show', subject = ''] = positionals

await runCommand('payments-order', paymentsConfig, run)

async function run(deps: Deps): Promise<void> {
  if (what === 'show') return show(deps)
  if (what === 'query') {
    for (const { trade, fact } of await queryOrder(deps, subject))
      console.log(
        `${trade.trade_no}  ${fact ? `${fact.status}  ${fact.payments.map((paid) => `${minorText(paid.minor)} ${paid.currency} ${paid.channelTxn}`).join(', ')}` : 'no answer'}`,
      )
    return
  }
  if (what === 'faults') {
    for (const fault of await openFaults(deps.db, 200))
      console.log(
        `${fault.id}  ${fault.day}  ${fault.channel_type}  ${fault.class.padEnd(9)}  ${fault.kind.padEnd(8)}  ${fault.subject}  ours ${JSON.stringify(fault.ours)}  theirs ${JSON.stringify(fault.theirs)}`,
      )
    return
  }
}

async function show(deps: Deps): Promise<void> {
  const { order, trades, receipts, refunds, disputes, timeline } = await lookUpOrder(deps, subject)
  console.log(`${order.order_no}  type ${order.order_type}  ${order.state}  user ${order.user_id}`)
  console.log(
    `${usd(order.amount_nano)} + ${usd(order.fee_nano)} = ${usd(order.total_nano)} USD  x ${order.rate} = ${minorText(order.pay_minor)} ${order.currency}`,
  )
  for (const trade of trades) console.log(`trade    ${trade.channel_type}  ${trade.trade_no}  ${trade.channel_ref ?? ''}`)
  for (const paid of receipts)
    console.log(`payment  ${paid.channel_txn}  ${minorText(paid.paid_minor)} ${paid.currency}  ${shanghaiTime(paid.paid_at)}  ${paid.outcome}`)
  for (const back of refunds) console.log(`refund   ${back.refund_no}  ${usd(back.amount_nano)} USD  ${minorText(back.minor)} ${back.currency}  ${back.state}`)
  for (const each of disputes)
    console.log(`dispute  ${each.dispute_id}  ${minorText(each.minor)} ${each.currency}  ${each.state}  held ${usd(each.clawed_nano)} USD`)
  for (const step of timeline) console.log(`${shanghaiTime(step.at)}  ${step.event.padEnd(16)}  ${step.to_state.padEnd(18)}  ${step.actor}  ${step.reason}`)
}
