import { mapCodes, findCodeError, wasNeverSent, retryableError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SupplierError, VendorCodes } from '#platform/shared/suppliers/supplier-error.ts'

/**
 * Sources: opendocs.alipay.com/common/02km9f (public codes of the gateway) and opendocs.alipay.com/open/02ahjv (business codes of the face
 * check). Codes that are not listed decide nothing: `unknown` for a start, retried for a query.
 */
const CODES: VendorCodes = {
  ...mapCodes({ kind: 'rejected', reason: 'person' }, 'INVALID_PARAMETER', 'CERT_NO_INVALID', 'CERT_NAME_INVALID', 'USER_CERT_INFO_INVALID'),
  ...mapCodes({ kind: 'rejected', reason: 'over' }, 'CERTIFY_ID_NOT_EXIST', 'INVALID_CERTIFY_ID', 'CERTIFY_ID_EXPIRED'),
  ...mapCodes({ kind: 'retryable', reason: 'too_many' }, 'isv.app-call-limited', 'isv.method-call-limited', 'isp.call-limited'),
  ...mapCodes({ kind: 'unknown', reason: 'supplier_fault' }, 'isp.unknow-error', 'aop.unknow-error', 'SYSTEM_ERROR'),
}
/**
 * Codes of the gateway, before the business is reached: 20001 authorisation, 40001 and 40002 parameters and signatures, 40006 permissions.
 */
const OUR_ACCOUNT = /^(20001|40001|40002|40006)$/

export interface AlipayFaceRefusal {
  readonly step: string
  readonly code: string
  readonly subCode: string
  readonly writes: boolean
}

export function toAlipayFaceError({ step, code, subCode, writes }: AlipayFaceRefusal): SupplierError {
  const detail = `Alipay answered ${step} of a face check with ${subCode || code}`
  const known = findCodeError(CODES, subCode, detail)
  if (known) return known.kind === 'unknown' && !writes ? retryableError(known.reason, detail) : known
  if (OUR_ACCOUNT.test(code)) return retryableError('our_account', detail, { ours: true })
  return writes ? unknownError('unexpected_refusal', detail) : retryableError('unexpected_refusal', detail)
}

/** No verified response. The SDK's errors repeat the request, including names and numbers, so only our own words are thrown. */
export function toLostFaceCheckError(error: unknown, step: string, writes: boolean): SupplierError {
  const detail = `Alipay could not be asked to ${step} a face check`
  if (wasNeverSent(error)) return retryableError('no_connection', detail)
  if (/status: 429/.test((error as Error).message)) return retryableError('too_many', detail)
  return writes ? unknownError('no_answer', detail) : retryableError('no_answer', detail)
}
