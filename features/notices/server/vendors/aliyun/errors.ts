import { codesOf, errorOfCode, failedReply, lostCall, retryable, unknown } from '#platform/shared/supplier-error.ts'
import type { SupplierError, VendorCodes } from '#platform/shared/supplier-error.ts'

export interface Answer {
  /** 0 when there was none. */
  readonly status: number
  readonly body: Record<string, unknown> | undefined
  readonly problem: unknown
}

/**
 * Source: help.aliyun.com, SMS (Dysmsapi 2017-05-25), "API error codes".
 * Not listed codes that begin with `isv.` and any other 4xx are about our account: sign name, template, balance, signature.
 */
const CODES: VendorCodes = {
  ...codesOf({ kind: 'rejected', reason: 'number' }, 'isv.MOBILE_NUMBER_ILLEGAL', 'isv.PHONE_NUMBER_ILLEGAL', 'isv.MOBILE_COUNT_OVER_LIMIT'),
  ...codesOf({ kind: 'rejected', reason: 'limit' }, 'isv.BUSINESS_LIMIT_CONTROL', 'isv.DAY_LIMIT_CONTROL', 'isv.MONTH_LIMIT_CONTROL'),
  ...codesOf({ kind: 'rejected', reason: 'blocked' }, 'isv.BLACK_KEY_CONTROL_LIMIT', 'isv.DENY_IP_RANGE', 'isv.UNSUPPORTED_REGION'),
  ...codesOf({ kind: 'retryable', reason: 'too_many' }, 'Throttling', 'Throttling.User', 'Throttling.Api', 'ServiceUnavailable', 'isp.GATEWAY_ERROR'),
  ...codesOf({ kind: 'unknown', reason: 'supplier_fault' }, 'isp.SYSTEM_ERROR', 'InternalError'),
}

const codeOf = (body: Answer['body']): string => (typeof body?.['Code'] === 'string' ? body['Code'] : '')

/** Throws unless the message was taken. */
export function requireTaken({ status, body, problem }: Answer): void {
  if (status === 0) throw lostCall(problem, { writes: true })
  const code = codeOf(body)
  if (code === 'OK') return
  throw errorOf(code, status)
}

function errorOf(code: string, status: number): SupplierError {
  const detail = `aliyun ${code || status}`
  if (!code) return status === 429 ? failedReply({ status, writes: true }) : unknown('unreadable', detail)
  const known = errorOfCode(CODES, code, detail)
  if (known) return known
  if (code.startsWith('Throttling.')) return retryable('too_many', detail)
  return status >= 500 ? unknown('supplier_fault', detail) : retryable('our_account', detail, { ours: true })
}

/** Throws unless a question was answered: it is repeated. */
export function requireAnswered({ status, body, problem }: Answer): Record<string, unknown> {
  if (status === 0) throw lostCall(problem, { writes: false })
  if (codeOf(body) !== 'OK') throw failedReply({ status, said: `aliyun ${codeOf(body)}`, writes: false })
  return body!
}

export const noTemplate = (): SupplierError => retryable('our_account', 'aliyun: ALIYUN_SMS_TEMPLATE_ALARM is not set', { ours: true })
