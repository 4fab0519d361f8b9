import { z } from 'zod'
import { formatMinor, parseMinor } from '#platform/shared/money.ts'
import type { ChannelTools, RefundCall, RefundFact, RefundRef } from '../port.ts'
import { callAlipayGateway, fromAlipayTradeNo, toAlipayTradeNo } from './client.ts'
import type { AlipayAccount } from './config.ts'

const refundAnswer = z.object({ out_trade_no: z.string(), trade_no: z.string(), fund_change: z.enum(['Y', 'N']).optional() })
/** No status: no refund exists under this number, or not yet. */
const refundQueryAnswer = z.object({ refund_status: z.string().optional(), refund_amount: z.string().optional() })

/** Refunds are idempotent by request number; a repeated request answers that no money moved this time. */
export async function sendAlipayRefund(account: AlipayAccount, tools: ChannelTools, call: RefundCall): Promise<RefundFact> {
  const answer = await callAlipayGateway(account, tools, {
    method: 'alipay.trade.refund',
    bizContent: {
      outTradeNo: toAlipayTradeNo(call.trade.tradeNo),
      outRequestNo: call.refundNo,
      refundAmount: formatMinor(call.minor),
      refundReason: call.reason.slice(0, 80),
    },
  })
  if (!answer.ok) return { status: 'refused', reason: answer.code }
  const reply = refundAnswer.parse(answer.data)
  if (fromAlipayTradeNo(reply.out_trade_no) !== call.trade.tradeNo) throw new Error('Alipay answered about another trade')
  if (reply.fund_change === 'Y') return { status: 'succeeded', channelRefund: call.refundNo }
  const standing = await queryAlipayRefund(account, tools, call)
  return standing.status === 'not_found' ? { status: 'pending' } : standing
}

export async function queryAlipayRefund(account: AlipayAccount, tools: ChannelTools, ref: RefundRef): Promise<RefundFact> {
  const answer = await callAlipayGateway(account, tools, {
    method: 'alipay.trade.fastpay.refund.query',
    bizContent: {
      outTradeNo: toAlipayTradeNo(ref.trade.tradeNo),
      outRequestNo: ref.refundNo,
    },
  })
  if (!answer.ok) {
    if (answer.code === 'ACQ.TRADE_NOT_EXIST' || answer.code === 'TRADE_NOT_EXIST') return { status: 'not_found' }
    throw new Error(`Alipay could not be asked about a refund: ${answer.code}`)
  }
  const { refund_status: refundStatus, refund_amount: refundAmount } = refundQueryAnswer.parse(answer.data)
  if (!refundAmount) return { status: 'not_found' }
  if (refundStatus !== 'REFUND_SUCCESS') return { status: 'pending', ...(refundStatus ? { reason: refundStatus } : {}) }
  if (parseMinor(refundAmount) !== ref.minor) throw new Error('Alipay refunded another amount under this number')
  return { status: 'succeeded', channelRefund: ref.refundNo }
}
