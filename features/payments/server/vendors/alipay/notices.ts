import { parseMinor } from '#platform/shared/money.ts'
import { readNoticeFields } from '../port.ts'
import type { ChannelNotice, RawRequest } from '../port.ts'
import { fromAlipayAgreementNo, fromAlipayTradeNo } from './client.ts'
import type { AlipayAccount } from './config.ts'

/**
 * https://opendocs.alipay.com/open/270/105902: form fields, signed with RSA2; then app_id, seller_id, out_trade_no and
 * total_amount are checked. The amount is compared with the order by the query that follows, not here.
 */
export function readAlipayNotice(account: AlipayAccount, { headers, body }: RawRequest): ChannelNotice | undefined {
  const fields = headers['content-encoding'] ? undefined : readNoticeFields(body)
  if (!fields || fields['sign_type'] !== 'RSA2' || (fields['charset'] ?? 'utf-8').toLowerCase() !== 'utf-8') return undefined
  if (!isSigned(account, fields)) return undefined
  if (/^dut_user_(un)?sign$/.test(fields['notify_type'] ?? '')) return toAgreementNotice(account, fields)
  const { app_id: appId, seller_id: sellerId, out_trade_no: outTradeNo, notify_id: notifyId, total_amount: totalAmount } = fields
  if (appId !== account.appId || sellerId !== account.sellerId) return undefined
  if (!outTradeNo || !/^\w{1,64}$/.test(outTradeNo) || !notifyId || notifyId.length > 128 || !isAmount(totalAmount)) return undefined
  return { noticeId: notifyId, ...readEvent(fields), tradeNo: fromAlipayTradeNo(outTradeNo) }
}

/** Agreement notices, signed or ended, here or at Alipay: the merchant is in `partner_id`, and there is no amount. */
function toAgreementNotice(account: AlipayAccount, fields: Readonly<Record<string, string>>): ChannelNotice | undefined {
  const { app_id: appId, partner_id: partnerId, external_agreement_no: number, notify_id: notifyId } = fields
  if (appId !== account.appId || (partnerId !== undefined && partnerId !== account.sellerId)) return undefined
  if (!number || !/^[0-9A-Za-z]{1,32}$/.test(number) || !notifyId || notifyId.length > 128) return undefined
  return { noticeId: notifyId, event: 'agreement', agreementNo: fromAlipayAgreementNo(number) }
}

/** A notice about a refund carries the total refunded so far, and the request number if there is one. */
function readEvent(fields: Readonly<Record<string, string>>): Pick<ChannelNotice, 'event' | 'refundNo'> {
  if (fields['refund_fee'] || fields['gmt_refund']) return { event: 'refund', ...(fields['out_biz_no'] ? { refundNo: fields['out_biz_no'] } : {}) }
  return { event: /^TRADE_(SUCCESS|FINISHED)$/.test(fields['trade_status'] ?? '') ? 'paid' : 'other' }
}

function isSigned({ sdks }: AlipayAccount, fields: Readonly<Record<string, string>>): boolean {
  const { sign = '' } = fields
  // Truncated Base64 can still decode: only the canonical form is accepted.
  if (Buffer.from(sign, 'base64').toString('base64') !== sign) return false
  try {
    return sdks.some((sdk) => sdk.checkNotifySignV2({ ...fields }))
  } catch {
    return false
  }
}

function isAmount(text: string | undefined): boolean {
  try {
    return parseMinor(text ?? '') > 0n
  } catch {
    return false
  }
}
