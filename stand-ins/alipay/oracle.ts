import type { ComparedRequest, Oracle, StandInReply } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import type { Difference, OracleEndpoint } from '../oracles/create-oracle.ts'
import { readAlipayFields } from './gateway.ts'
import { ALIPAY_ENVELOPE, ALIPAY_FAILURE, ALIPAY_NOTICES, ALIPAY_REPLIES, ALIPAY_REQUESTS } from './schemas.ts'

export const SIGN_METHOD = 'alipay.user.agreement.page.sign'
/** Methods that the payer's browser opens as a page. */
export const PAGE_METHODS = ['alipay.trade.page.pay', 'alipay.trade.wap.pay', SIGN_METHOD]

const DIFFERENCES: readonly Difference[] = [
  {
    what: /^POST \/alipay\.trade\.page\.pay request \/ must NOT have additional properties: seller_id$/,
    reason: 'documented for the other ways to pay; the page ignores it or honours it, and only a real account can tell: it names the account that we check',
  },
]

const renamed = (schemas: Readonly<Record<string, object>>, kind: string) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${name} ${kind}`, schema]))

/**
 * Alipay's gateway has one address: its method stands in a field, and a refusal has HTTP status 200. For the comparison each method is an
 * endpoint, and each code but 10000 and 10003 (in process) an answer of 400.
 */
export function createAlipayOracle(): Oracle {
  const oracle = createOracle({
    vendor: 'alipay',
    schemas: {
      ...renamed(ALIPAY_REQUESTS, 'request'),
      ...renamed(ALIPAY_REPLIES, 'reply'),
      ...ALIPAY_NOTICES,
      failure: ALIPAY_FAILURE,
      envelope: ALIPAY_ENVELOPE,
    },
    error: 'failure',
    differences: DIFFERENCES,
    endpoints: {
      'POST /gateway.do': { request: 'envelope' },
      'GET /bill.zip': {},
      ...Object.fromEntries(
        Object.keys(ALIPAY_REQUESTS).map((method): [string, OracleEndpoint] => [
          `POST /${method}`,
          { request: `${method} request`, ...(ALIPAY_REPLIES[method] ? { reply: `${method} reply` } : {}) },
        ]),
      ),
    },
  })
  return {
    ...oracle,
    check: (request, reply) => {
      if (request.path !== '/gateway.do') return oracle.check(request, reply)
      const fields = readAlipayFields(request)
      const { method = '' } = fields
      const answer = readAnswer(method, reply)
      const post = (path: string, body: unknown): ComparedRequest => ({ ...request, method: 'POST', path, body: JSON.stringify(body) })
      if (answer.status === 200) oracle.check(post('/gateway.do', fields), { status: 200, body: '' })
      if (answer.body === undefined && answer.status !== 200) return
      oracle.check(post(`/${method}`, JSON.parse(fields['biz_content'] ?? '{}')), { status: answer.status, body: JSON.stringify(answer.body ?? null) })
    },
  }
}

/** Status and inner object of an answer; a page has no object. */
function readAnswer(method: string, { body }: StandInReply): { readonly status: number; readonly body: unknown } {
  const text = body.toString()
  if (PAGE_METHODS.includes(method)) return { status: text.includes('cashier') ? 200 : 400, body: undefined }
  const outer = JSON.parse(text) as Record<string, { code?: string } | undefined>
  const inner = outer[`${method.replaceAll('.', '_')}_response`] ?? outer['error_response']
  return { status: /^(10000|10003)$/.test(inner?.code ?? '') ? 200 : 400, body: inner }
}
