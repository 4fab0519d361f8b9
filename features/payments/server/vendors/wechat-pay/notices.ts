import { z } from 'zod'
import type { ChannelTools, ChannelNotice, RawRequest } from '../port.ts'
import type { WechatPayMerchant } from './client.ts'
import { isSignedByWechatPay, unsealWechatPayResource } from './envelope.ts'

/** TRANSACTION.SUCCESS, REFUND.SUCCESS, REFUND.ABNORMAL, REFUND.CLOSED. */
const envelope = z.object({
  id: z.string().min(1).max(64),
  event_type: z.string().max(64),
  resource: z.object({ algorithm: z.string(), ciphertext: z.string(), nonce: z.string(), associated_data: z.string().optional() }),
})
const paid = z.object({ mchid: z.string(), appid: z.string(), out_trade_no: z.string().min(1).max(64), trade_state: z.string() })
const refunded = z.object({ mchid: z.string(), out_trade_no: z.string().min(1).max(64), out_refund_no: z.string().min(1).max(64) })

export async function readWechatPayNotice(
  { account, ring }: WechatPayMerchant,
  tools: ChannelTools,
  { headers, body }: RawRequest,
): Promise<ChannelNotice | undefined> {
  if (headers['content-encoding']) return undefined
  const header = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : ''
  }
  if (!(await isSignedByWechatPay((serial) => ring.keyOf(tools, serial), tools.now(), { header, body }))) return undefined
  const outer = envelope.safeParse(parseJsonBody(body)).data
  const plain = outer && unsealWechatPayResource(account.apiV3Keys, outer.resource)
  if (!plain) return undefined
  if (outer.event_type.startsWith('REFUND.')) {
    const inner = refunded.safeParse(parseJsonBody(plain)).data
    if (inner?.mchid !== account.mchid) return undefined
    return { noticeId: outer.id, event: 'refund', tradeNo: inner.out_trade_no, refundNo: inner.out_refund_no }
  }
  const inner = paid.safeParse(parseJsonBody(plain)).data
  if (inner?.mchid !== account.mchid || inner.appid !== account.appid) return undefined
  return { noticeId: outer.id, event: inner.trade_state === 'SUCCESS' ? 'paid' : 'other', tradeNo: inner.out_trade_no }
}

function parseJsonBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return undefined
  }
}
