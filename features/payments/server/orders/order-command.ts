/**
 * `npm run payments:order -- show|query|repair|refund|approve|reject ORDER_NO`: looks an order up, asks its channels, has
 * their answer applied, gives money back (`--amount 5.00`, `--with-fee`), decides what waits for a person. `faults` lists
 * what the nightly comparison found; `fault ID --approve|--dismiss` decides it. Everything but looking needs `--reason`.
 */
import { parseArgs } from 'node:util'
import { operatorNamed, runCommand } from '#platform/server/command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { Failure } from '#platform/shared/errors.ts'
import { minorText, parseUsd, usd } from '#platform/shared/money.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { paymentsConfig } from '../config.ts'
import { openFaults } from '../statements/data.ts'
import { decideFault } from '../statements/decide-fault.ts'
import { approveOrder, lookUpOrder, queryOrder, refundOrder, rejectRefunds, repairOrder } from './repair-order.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'reason': { type: 'string' },
    'amount': { type: 'string' },
    'with-fee': { type: 'boolean' },
    'as': { type: 'string' },
    'approve': { type: 'boolean' },
    'dismiss': { type: 'boolean' },
  },
})
const [what = 'show', subject = ''] = positionals
const operator = operatorNamed(values.as)

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
  const reason = values.reason?.trim()
  if (!reason) throw new Failure('BAD_INPUT', { missing: '--reason' })
  if (what === 'repair') console.log((await repairOrder(deps, operator, subject, reason)).state)
  else if (what === 'approve') console.log((await approveOrder(deps, operator, subject, reason)).join('\n'))
  else if (what === 'reject') console.log((await rejectRefunds(deps, operator, subject, reason)).join('\n'))
  else if (what === 'fault') console.log(await decideFault(deps, operator, BigInt(subject), values.approve ? 'approved' : 'dismissed', reason))
  else if (what === 'refund') {
    const amount = values.amount === undefined ? {} : { amount: parseUsd(values.amount) }
    const { refundNo, amount: back } = await refundOrder(deps, operator, { orderNo: subject, withFee: values['with-fee'] ?? false, reason, ...amount })
    console.log(`${refundNo}  ${usd(back)} USD`)
  } else throw new Failure('BAD_INPUT', { unknown: what })
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
