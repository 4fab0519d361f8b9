import { neverLeft } from '#platform/server/http/http-client.ts'
import type { SmsDelivery } from '../port.ts'

/** What came back of a call. */
export interface Answer {
  /** 0 when there was none. */
  readonly status: number
  readonly body: Record<string, unknown> | undefined
  readonly problem: unknown
}

/** About this number or this moment of it: another attempt changes nothing. */
const REFUSED =
  /^isv\.(BUSINESS_LIMIT_CONTROL|DAY_LIMIT_CONTROL|MONTH_LIMIT_CONTROL|MOBILE_NUMBER_ILLEGAL|PHONE_NUMBER_ILLEGAL|MOBILE_COUNT_OVER_LIMIT|BLACK_KEY_CONTROL_LIMIT|DENY_IP_RANGE|UNSUPPORTED_REGION)$/

/** The vendor is busy: it has not taken the message. */
const BUSY = /^(Throttling(\..*)?|ServiceUnavailable|isp\.GATEWAY_ERROR)$/

/** What the vendor's answer means. Codes: help.aliyun.com "API error codes" of SMS. Every other code is about our account. */
export function deliveryOf({ status, body, problem }: Answer): SmsDelivery {
  if (status === 0) return { outcome: neverLeft(problem) ? 'failed' : 'unknown', reason: `aliyun: ${String((problem as Error)?.name)}`, ours: false }
  const code = typeof body?.['Code'] === 'string' ? body['Code'] : ''
  const reason = `aliyun ${code || status}`
  if (code === 'OK') return { outcome: 'sent' }
  if (REFUSED.test(code)) return { outcome: 'refused', reason }
  if (BUSY.test(code)) return { outcome: 'failed', reason, ours: false }
  if (!code || code === 'isp.SYSTEM_ERROR' || code === 'InternalError' || status >= 500) return { outcome: 'unknown', reason }
  return { outcome: 'failed', reason, ours: true }
}
