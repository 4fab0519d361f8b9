import { z } from 'zod'
import type { ChannelTools, RefundCall, RefundFact, RefundRef } from '../port.ts'
import { ask } from './client.ts'
import type { Account } from './config.ts'

const made = z.object({ id: z.string(), status: z.enum(['success', 'failure']), refunded: z.boolean().optional(), transaction_id: z.string() })
const history = z.object({
  id: z.string(),
  currency: z.string(),
  refunds: z.array(z.object({ refund_id: z.string(), refunded_amount: z.int().positive(), status: z.enum(['success', 'failure']) })).default([]),
})
/** Already given back in full, or more than is left. What stands there decides, not the refusal. */
const TOO_MUCH = new Set(['409-66', '402-67'])

/**
 * The vendor knows no refund number of ours, so sending twice could refund twice. Refunds of one payment are sent one
 * after the other (`one-by-one`), and before each the vendor's own sum is compared with what stood before this one.
 */
export async function sendRefund(account: Account, tools: ChannelTools, call: RefundCall): Promise<RefundFact> {
  const standing = await queryRefund(account, tools, call)
  if (standing.status !== 'not_found') return standing
  const answer = await ask(account, tools, 'POST', `/transactions/refund/${encodeURIComponent(call.paid.channelTxn)}`, {
    amount: call.minor.toString(),
    currency: call.paid.currency,
    reason: call.refundNo,
  })
  if (!answer.ok) {
    const now = TOO_MUCH.has(answer.code) ? await queryRefund(account, tools, call) : undefined
    return now && now.status !== 'not_found' ? now : { status: 'refused', reason: answer.code }
  }
  const { id, status, transaction_id } = made.parse(answer.data)
  if (transaction_id !== call.paid.channelTxn) throw new Error('NihaoPay answered about another refund')
  return status === 'success' ? { status: 'succeeded', channelRefund: id } : { status: 'refused', reason: 'failure' }
}

export async function queryRefund(account: Account, tools: ChannelTools, { paid, minor, earlierMinor }: RefundRef): Promise<RefundFact> {
  const answer = await ask(account, tools, 'GET', `/transactions/refunds/${encodeURIComponent(paid.channelTxn)}/`)
  if (!answer.ok) throw new Error(`NihaoPay could not be asked about a refund: ${answer.code}`)
  const { id, currency, refunds } = history.parse(answer.data)
  if (id !== paid.channelTxn || currency !== paid.currency) throw new Error('NihaoPay answered about another payment')
  const good = refunds.filter(({ status }) => status === 'success')
  const sum = good.reduce((whole, { refunded_amount }) => whole + BigInt(refunded_amount), 0n)
  if (sum === earlierMinor) return { status: 'not_found' }
  // Newest first: ours is the one that came on top.
  const latest = good[0]
  if (sum === earlierMinor + minor && latest && BigInt(latest.refunded_amount) === minor) return { status: 'succeeded', channelRefund: latest.refund_id }
  throw new Error('NihaoPay refunded another sum than we know of')
}
