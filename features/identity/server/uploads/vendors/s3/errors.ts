import { mapCodes, findCodeError, failedReplyError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SupplierError, VendorCodes } from '#platform/shared/suppliers/supplier-error.ts'

/** Source: docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, "List of error codes". Other codes are read by their HTTP status. */
const CODES: VendorCodes = {
  ...mapCodes({ kind: 'rejected', reason: 'too_large' }, 'EntityTooLarge', 'KeyTooLongError'),
  ...mapCodes({ kind: 'retryable', reason: 'too_many' }, 'SlowDown', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted'),
  ...mapCodes(
    { kind: 'retryable', reason: 'our_account', ours: true },
    ...['AccessDenied', 'AccountProblem', 'AllAccessDisabled', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'],
    ...['RequestTimeTooSkewed', 'NoSuchBucket', 'PermanentRedirect', 'QuotaExceeded'],
  ),
}

/** The response is XML with one `Code`; no other part of it is repeated. */
export function toS3Error(status: number, body: string, writes: boolean): SupplierError {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(body)?.[1] ?? ''
  return findCodeError(CODES, code, `s3 ${status} ${code}`) ?? failedReplyError({ status, said: code ? `s3 ${code}` : 's3', writes })
}
