import { codesOf, errorOfCode, failedReply } from '#platform/shared/supplier-error.ts'
import type { SupplierError, VendorCodes } from '#platform/shared/supplier-error.ts'

/** Source: docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, "List of error codes". Other codes are read by their HTTP status. */
const CODES: VendorCodes = {
  ...codesOf({ kind: 'rejected', reason: 'too_large' }, 'EntityTooLarge', 'KeyTooLongError'),
  ...codesOf({ kind: 'retryable', reason: 'too_many' }, 'SlowDown', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted'),
  ...codesOf(
    { kind: 'retryable', reason: 'our_account', ours: true },
    ...['AccessDenied', 'AccountProblem', 'AllAccessDisabled', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'],
    ...['RequestTimeTooSkewed', 'NoSuchBucket', 'PermanentRedirect', 'QuotaExceeded'],
  ),
}

/** The answer is XML with one `Code`; nothing else of it is repeated. */
export function errorOf(status: number, body: string, writes: boolean): SupplierError {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(body)?.[1] ?? ''
  return errorOfCode(CODES, code, `s3 ${status} ${code}`) ?? failedReply({ status, said: code ? `s3 ${code}` : 's3', writes })
}
