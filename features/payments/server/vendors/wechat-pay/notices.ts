import { z } from 'zod'
import type { ChannelTools, Notice, RawRequest } from '../port.ts'
import type { Merchant } from './client.ts'
import { isSigned, unseal } from './envelope.ts'

/** TRANSACTION.SUCCESS, REFUND.SUCCESS, REFUND.ABNORMAL, REFUND.CLOSED. */
const envelope = z.object({
  id: z.string().min(1).max(64),
  event_type: z.string().max(64),
  resource: z.object({ algorithm: z.string(), ciphertext: z.string(), nonce: z.string(), associated_data: z.string().optional() }),
})
const paid = z.object({ mchid: z.string(), appid: z.string(), out_trade_no: z.string().min(1).max(64), trade_state: z.string() })
const refunded = z.object({ mchid: z.string(), out_trade_no: z.string().min(1).max(64), out_refund_no: z.string().min(1).max(64) })

export async function readNotice({ account, ring }: Merchant, tools: ChannelTools, { headers, body }: RawRequest): Promise<Notice | undefined> {
  if (headers['content-encoding']) return undefined
  const header = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : ''
  }
  if (!(await isSigned((serial) => ring.keyOf(tools, serial), tools.now(), { header, body }))) return undefined
  const outer = envelope.safeParse(json(body)).data
  const plain = outer && unseal(account.apiV3Keys, outer.resource)
  if (!plain) return undefined
  if (outer.event_type.startsWith('REFUND.')) {
    const inner = refunded.safeParse(json(plain)).data
    if (inner?.mchid !== account.mchid) return undefined
    return { noticeId: outer.id, event: 'refund', tradeNo: inner.out_trade_no, refundNo: inner.out_refund_no }
  }
  const inner = paid.safeParse(json(plain)).data
  if (inner?.mchid !== account.mchid || inner.appid !== account.appid) return undefined
  return { noticeId: outer.id, event: inner.trade_state === 'SUCCESS' ? 'paid' : 'other', tradeNo: inner.out_trade_no }
}

function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return undefined
  }
}
