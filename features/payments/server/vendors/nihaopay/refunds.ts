import { z } from 'zod'
import type { ChannelTools, RefundCall, RefundFact, RefundRef } from '../port.ts'
import { callNihaopay } from './client.ts'
import type { NihaopayAccount } from './config.ts'

const refundAnswer = z.object({ id: z.string(), status: z.enum(['success', 'failure']), refunded: z.boolean().optional(), transaction_id: z.string() })
const history = z.object({
  id: z.string(),
  currency: z.string(),
  refunds: z.array(z.object({ refund_id: z.string(), refunded_amount: z.int().positive(), status: z.enum(['success', 'failure']) })).default([]),
})
/** Already refunded in full, or more than is left. The vendor's record decides, not the refusal. */
const TOO_MUCH = new Set(['409-66', '402-67'])

/**
 * The vendor has no refund numbers of ours, so sending twice could refund twice. Refunds of one payment are sent one after the other
 * (`one-by-one`), and each is identified by the sum of the refunds before it.
 */
export async function sendNihaopayRefund(account: NihaopayAccount, tools: ChannelTools, call: RefundCall): Promise<RefundFact> {
  const standing = await queryNihaopayRefund(account, tools, call)
  if (standing.status !== 'not_found') return standing
  const answer = await callNihaopay(account, tools, {
    method: 'POST',
    path: `/transactions/refund/${encodeURIComponent(call.paid.channelTxn)}`,
    fields: {
      amount: call.minor.toString(),
      currency: call.paid.currency,
      reason: call.refundNo,
    },
  })
  if (!answer.ok) {
    const now = TOO_MUCH.has(answer.code) ? await queryNihaopayRefund(account, tools, call) : undefined
    return now && now.status !== 'not_found' ? now : { status: 'refused', reason: answer.code }
  }
  const { id, status, transaction_id: transactionId } = refundAnswer.parse(answer.data)
  if (transactionId !== call.paid.channelTxn) throw new Error('NihaoPay answered about another refund')
  return status === 'success' ? { status: 'succeeded', channelRefund: id } : { status: 'refused', reason: 'failure' }
}

export async function queryNihaopayRefund(account: NihaopayAccount, tools: ChannelTools, { paid, minor, earlierMinor }: RefundRef): Promise<RefundFact> {
  const answer = await callNihaopay(account, tools, { method: 'GET', path: `/transactions/refunds/${encodeURIComponent(paid.channelTxn)}/` })
  if (!answer.ok) throw new Error(`NihaoPay could not be asked about a refund: ${answer.code}`)
  const { id, currency, refunds } = history.parse(answer.data)
  if (id !== paid.channelTxn || currency !== paid.currency) throw new Error('NihaoPay answered about another payment')
  // The list is newest first. Our refund is the one made when the running sum equalled the refunds sent before it.
  let sum = 0n
  for (const { refund_id: refundId, refunded_amount: refundedAmount } of refunds.filter(({ status }) => status === 'success').toReversed()) {
    if (sum === earlierMinor && BigInt(refundedAmount) === minor) return { status: 'succeeded', channelRefund: refundId }
    sum += BigInt(refundedAmount)
  }
  if (sum === earlierMinor) return { status: 'not_found' }
  throw new Error('NihaoPay refunded another sum than we know of')
}
