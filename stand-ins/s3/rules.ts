const QUERY_AUTH = 'https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html'
const HEADER_AUTH = 'https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html'
const POST_POLICY = 'https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html'
const PUT_OBJECT = 'https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html'

export const S3_RULES = {
  /** `X-Amz-Expires`: seconds, at most 7 days. */
  expires: { least: 1, most: 604_800, source: QUERY_AUTH },
  /** Clocks differ by at most this: RequestTimeTooSkewed with headers, AccessDenied with a presigned URL. */
  skewMinutes: { most: 15, source: HEADER_AUTH },
  /** The scope of a credential names the day of the date and the region of the bucket. */
  scope: { value: '<key>/<yyyymmdd>/<region>/s3/aws4_request', source: QUERY_AUTH },
  signedHeaders: { value: 'host, and every x-amz- header that is sent', source: HEADER_AUTH },
  contentSha256: { value: 'x-amz-content-sha256 is required with headers and must match the body, or is UNSIGNED-PAYLOAD', source: HEADER_AUTH },
  contentLength: { value: 'PUT without Content-Length: 411 MissingContentLength', source: PUT_OBJECT },
  checksum: { value: 'Content-MD5 and x-amz-checksum-sha256 must match the body if they are sent: BadDigest', source: PUT_OBJECT },
  /** Characters of a key, as UTF-8 bytes. */
  key: { most: 1_024, source: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html' },
  deleteMissing: { value: '204, as for an object that is there', source: 'https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html' },
  policyFields: { value: 'every field of a form but policy, x-amz-signature, file and x-ignore-… is in the policy; file is the last one', source: POST_POLICY },
  policyExpiration: { value: 'a form after the expiration of its policy is refused', source: POST_POLICY },
  policyLength: { value: 'content-length-range: EntityTooSmall, EntityTooLarge', source: POST_POLICY },
} as const

/** HTTP status and message by code. Source: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html. */
export const S3_ERRORS = {
  AccessDenied: { status: 403, message: 'Access Denied' },
  AuthorizationQueryParametersError: { status: 400, message: 'The authorization query parameters that you provided are not valid.' },
  AuthorizationHeaderMalformed: { status: 400, message: 'The authorization header that you provided is not valid.' },
  BadDigest: { status: 400, message: 'The Content-MD5 or checksum value that you specified did not match what the server received.' },
  EntityTooLarge: { status: 400, message: 'Your proposed upload exceeds the maximum allowed size' },
  EntityTooSmall: { status: 400, message: 'Your proposed upload is smaller than the minimum allowed size' },
  InvalidAccessKeyId: { status: 403, message: 'The AWS access key ID that you provided does not exist in our records.' },
  KeyTooLongError: { status: 400, message: 'Your key is too long.' },
  MalformedPOSTRequest: { status: 400, message: 'The body of your POST request is not well-formed multipart/form-data.' },
  MethodNotAllowed: { status: 405, message: 'The specified method is not allowed against this resource.' },
  MissingContentLength: { status: 411, message: 'You must provide the Content-Length HTTP header.' },
  NoSuchBucket: { status: 404, message: 'The specified bucket does not exist' },
  NoSuchKey: { status: 404, message: 'The specified key does not exist.' },
  RequestTimeTooSkewed: { status: 403, message: "The difference between the request time and the server's time is too large." },
  SignatureDoesNotMatch: { status: 403, message: 'The request signature that the server calculated does not match the signature that you provided.' },
  SlowDown: { status: 503, message: 'Please reduce your request rate.' },
  XAmzContentSHA256Mismatch: { status: 400, message: "The provided 'x-amz-content-sha256' header does not match what was computed." },
} as const
export type S3ErrorCode = keyof typeof S3_ERRORS
