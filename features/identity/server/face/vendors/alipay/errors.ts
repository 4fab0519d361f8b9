import { codesOf, errorOfCode, neverLeft, retryable, unknown } from '#platform/shared/supplier-error.ts'
import type { SupplierError, VendorCodes } from '#platform/shared/supplier-error.ts'

/**
 * Sources: opendocs.alipay.com/common/02km9f (public codes of the gateway) and opendocs.alipay.com/open/02ahjv
 * (business codes of the face check). Codes that are not listed decide nothing: `unknown` to a beginning, repeated for a question.
 */
const CODES: VendorCodes = {
  ...codesOf({ kind: 'rejected', reason: 'person' }, 'INVALID_PARAMETER', 'CERT_NO_INVALID', 'CERT_NAME_INVALID', 'USER_CERT_INFO_INVALID'),
  ...codesOf({ kind: 'rejected', reason: 'over' }, 'CERTIFY_ID_NOT_EXIST', 'INVALID_CERTIFY_ID', 'CERTIFY_ID_EXPIRED'),
  ...codesOf({ kind: 'retryable', reason: 'too_many' }, 'isv.app-call-limited', 'isv.method-call-limited', 'isp.call-limited'),
  ...codesOf({ kind: 'unknown', reason: 'supplier_fault' }, 'isp.unknow-error', 'aop.unknow-error', 'SYSTEM_ERROR'),
}
/** Of the gateway, before the business is reached: 20001 authorisation, 40001 and 40002 parameters and signatures, 40006 permissions. */
const OUR_ACCOUNT = /^(20001|40001|40002|40006)$/

export interface Refusal {
  readonly step: string
  readonly code: string
  readonly subCode: string
  readonly writes: boolean
}

export function errorOf({ step, code, subCode, writes }: Refusal): SupplierError {
  const detail = `Alipay answered ${step} of a face check with ${subCode || code}`
  const known = errorOfCode(CODES, subCode, detail)
  if (known) return known.kind === 'unknown' && !writes ? retryable(known.reason, detail) : known
  if (OUR_ACCOUNT.test(code)) return retryable('our_account', detail, { ours: true })
  return writes ? unknown('unexpected_refusal', detail) : retryable('unexpected_refusal', detail)
}

/** No verified answer. The SDK's errors repeat the request, names and numbers among it: only our own words leave here. */
export function lostCheck(error: unknown, step: string, writes: boolean): SupplierError {
  const detail = `Alipay could not be asked to ${step} a face check`
  if (neverLeft(error)) return retryable('no_connection', detail)
  if (/status: 429/.test((error as Error).message)) return retryable('too_many', detail)
  return writes ? unknown('no_answer', detail) : retryable('no_answer', detail)
}
