import { z } from 'zod'
import type { ChannelTools, RefundCall, RefundFact, RefundRef } from '../port.ts'
import { callWechatPay } from './client.ts'
import type { WechatPayMerchant } from './client.ts'

const CERTAIN = new Set(['PARAM_ERROR', 'NOT_ENOUGH', 'NO_AUTH', 'MCH_NOT_EXISTS', 'SIGN_ERROR', 'USER_ACCOUNT_ABNORMAL', 'RESOURCE_NOT_EXISTS'])
const refund = z.object({
  out_refund_no: z.string(),
  out_trade_no: z.string(),
  refund_id: z.string(),
  status: z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL']),
})
/** ABNORMAL: the payer's card rejects the refund; an operator must resend it in the merchant's console. */
const STATUS = { SUCCESS: 'succeeded', CLOSED: 'failed', PROCESSING: 'pending', ABNORMAL: 'stuck' } as const

export async function sendWechatPayRefund(merchant: WechatPayMerchant, tools: ChannelTools, call: RefundCall): Promise<RefundFact> {
  const answer = await callWechatPay(merchant, tools, {
    method: 'POST',
    path: '/v3/refund/domestic/refunds',
    content: {
      out_trade_no: call.trade.tradeNo,
      out_refund_no: call.refundNo,
      reason: call.reason.slice(0, 80),
      notify_url: call.notifyUrl,
      amount: { refund: Number(call.minor), total: Number(call.paid.minor), currency: call.paid.currency },
    },
  })
  if (answer.ok) return toRefundFact(answer.data, call)
  if (CERTAIN.has(answer.code)) return { status: 'refused', reason: answer.code }
  // Rule violation: too much, or this number with other figures. Only the vendor's record shows whether the number exists.
  if (answer.code !== 'INVALID_REQUEST') throw new Error(`WeChat Pay did not say whether it refunds: ${answer.code}`)
  const standing = await queryWechatPayRefund(merchant, tools, call)
  return standing.status === 'not_found' ? { status: 'refused', reason: answer.code } : standing
}

export async function queryWechatPayRefund(merchant: WechatPayMerchant, tools: ChannelTools, ref: RefundRef): Promise<RefundFact> {
  const answer = await callWechatPay(merchant, tools, { method: 'GET', path: `/v3/refund/domestic/refunds/${encodeURIComponent(ref.refundNo)}` })
  if (answer.ok) return toRefundFact(answer.data, ref)
  if (answer.status === 404) return { status: 'not_found' }
  throw new Error(`WeChat Pay could not be asked about a refund: ${answer.code}`)
}

function toRefundFact(data: unknown, ref: RefundRef): RefundFact {
  const found = refund.parse(data)
  if (found.out_refund_no !== ref.refundNo || found.out_trade_no !== ref.trade.tradeNo) throw new Error('WeChat Pay answered about another refund')
  return { status: STATUS[found.status], channelRefund: found.refund_id, ...(found.status === 'SUCCESS' ? {} : { reason: found.status }) }
}
