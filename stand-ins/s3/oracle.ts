import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import { readS3Form } from './form.ts'
import { S3_ERRORS } from './rules.ts'

const credential = { type: 'string', pattern: String.raw`^[^/]+/\d{8}/[\w-]+/s3/aws4_request$` }
const date = { type: 'string', pattern: String.raw`^\d{8}T\d{6}Z$` }
const signature = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const closed = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})

/**
 * Written by hand from https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html, sigv4-HTTPPOSTForms.html and
 * ErrorResponses.html.
 */
const SCHEMAS = {
  presigned: closed({
    'X-Amz-Algorithm': { const: 'AWS4-HMAC-SHA256' },
    'X-Amz-Credential': credential,
    'X-Amz-Date': date,
    'X-Amz-Expires': { type: 'string', pattern: String.raw`^[1-9]\d{0,5}$` },
    'X-Amz-SignedHeaders': { type: 'string', pattern: String.raw`^[a-z0-9-]+(;[a-z0-9-]+)*$` },
    'X-Amz-Signature': signature,
  }),
  form: closed(
    {
      'key': { type: 'string', minLength: 1, maxLength: 1_024 },
      'Content-Type': { type: 'string', pattern: String.raw`^[\w.+-]+/[\w.+-]+$` },
      'success_action_status': { enum: ['200', '201', '204'] },
      'x-amz-algorithm': { const: 'AWS4-HMAC-SHA256' },
      'x-amz-credential': credential,
      'x-amz-date': date,
      'policy': { type: 'string', pattern: '^[A-Za-z0-9+/]+=*$' },
      'x-amz-signature': signature,
    },
    ['Content-Type', 'success_action_status'],
  ),
  error: {
    type: 'string',
    pattern: String.raw`^<\?xml version="1\.0" encoding="UTF-8"\?>\n<Error><Code>(${Object.keys(S3_ERRORS).join('|')})</Code><Message>[^<]+</Message><Resource>[^<]*</Resource><RequestId>\w+</RequestId></Error>$`,
  },
}

/** Requests are compared by their query, uploads from forms by their fields. */
export function createS3Oracle(): Oracle {
  const oracle = createOracle({
    vendor: 's3',
    schemas: SCHEMAS,
    endpoints: {
      'GET /get': { request: 'presigned' },
      'GET /put': { request: 'presigned' },
      'GET /delete': { request: 'presigned' },
      'POST /post': { request: 'form' },
    },
    error: 'error',
  })
  return {
    ...oracle,
    check: (request, reply) => {
      const path = `/${request.method.toLowerCase()}`
      if (request.method !== 'POST') oracle.check({ ...request, method: 'GET', path }, reply)
      else
        oracle.check(
          { ...request, path, body: JSON.stringify(readS3Form({ headers: request.headers, bytes: request.bytes ?? Buffer.from(request.body) })?.fields ?? {}) },
          reply,
        )
    },
  }
}
