import { mapCodes, findCodeError, failedReplyError, lostCallError, retryableError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SupplierError, VendorCodes } from '#platform/shared/suppliers/supplier-error.ts'

export interface AliyunReply {
  /** 0 if there was no response. */
  readonly status: number
  readonly body: Record<string, unknown> | undefined
  readonly problem: unknown
}

/**
 * Source: help.aliyun.com, SMS (Dysmsapi 2017-05-25), "API error codes". Unlisted codes that begin with `isv.` and any other 4xx concern
 * our account: sign name, template, balance, signature.
 */
const CODES: VendorCodes = {
  ...mapCodes({ kind: 'rejected', reason: 'number' }, 'isv.MOBILE_NUMBER_ILLEGAL', 'isv.PHONE_NUMBER_ILLEGAL', 'isv.MOBILE_COUNT_OVER_LIMIT'),
  ...mapCodes({ kind: 'rejected', reason: 'limit' }, 'isv.BUSINESS_LIMIT_CONTROL', 'isv.DAY_LIMIT_CONTROL', 'isv.MONTH_LIMIT_CONTROL'),
  ...mapCodes({ kind: 'rejected', reason: 'blocked' }, 'isv.BLACK_KEY_CONTROL_LIMIT', 'isv.DENY_IP_RANGE', 'isv.UNSUPPORTED_REGION'),
  ...mapCodes({ kind: 'retryable', reason: 'too_many' }, 'Throttling', 'Throttling.User', 'Throttling.Api', 'ServiceUnavailable', 'isp.GATEWAY_ERROR'),
  ...mapCodes({ kind: 'unknown', reason: 'supplier_fault' }, 'isp.SYSTEM_ERROR', 'InternalError'),
}

const readCode = (body: AliyunReply['body']): string => (typeof body?.['Code'] === 'string' ? body['Code'] : '')

/** Throws unless the message was accepted. */
export function requireAliyunAccepted({ status, body, problem }: AliyunReply): void {
  if (status === 0) throw lostCallError(problem, { writes: true })
  const code = readCode(body)
  if (code === 'OK') return
  throw toSupplierError(code, status)
}

function toSupplierError(code: string, status: number): SupplierError {
  const detail = `aliyun ${code || status}`
  if (!code) return status === 429 ? failedReplyError({ status, writes: true }) : unknownError('unreadable', detail)
  const known = findCodeError(CODES, code, detail)
  if (known) return known
  if (code.startsWith('Throttling.')) return retryableError('too_many', detail)
  return status >= 500 ? unknownError('supplier_fault', detail) : retryableError('our_account', detail, { ours: true })
}

/** Throws unless a query was answered; the error is retryable. */
export function requireAliyunReply({ status, body, problem }: AliyunReply): Record<string, unknown> {
  if (status === 0) throw lostCallError(problem, { writes: false })
  if (readCode(body) !== 'OK') throw failedReplyError({ status, said: `aliyun ${readCode(body)}`, writes: false })
  return body!
}

export const buildTemplateError = (): SupplierError => retryableError('our_account', 'aliyun: ALIYUN_SMS_TEMPLATE_ALARM is not set', { ours: true })
