import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import type { Difference, OracleEndpoint } from '../oracles/create-oracle.ts'
import { hasWechatPayDocs, readWechatPaySchema } from './published.ts'

type Schema = Record<string, unknown>
const text = (maxLength: number, more: Schema = {}): Schema => ({ type: 'string', minLength: 1, maxLength, ...more })
const closed = (properties: Record<string, unknown>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const TIME = text(32, { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d$' })
const FEN = { type: 'integer' }

/** Parts that the published description does not have, by the vendor's pages. */
const OWN: Readonly<Record<string, Schema>> = {
  // https://pay.weixin.qq.com/doc/v3/merchant/4012711989
  balance: closed({ available_amount: FEN, pending_amount: FEN }, ['available_amount']),
  noQuery: closed({}),
  billFile: closed({ day: text(10), token: text(64) }),
  // https://pay.weixin.qq.com/wiki/doc/apiv3/wechatpay/wechatpay2_0.shtml
  failure: closed({ code: text(32, { pattern: '^[A-Z_]+$' }), message: text(256), detail: { type: 'object' } }, ['code', 'message']),
  // https://pay.weixin.qq.com/wiki/doc/apiv3/wxpay/pay/transactions/chapter3_11.shtml
  notice: closed({
    id: text(36),
    create_time: TIME,
    event_type: { enum: ['TRANSACTION.SUCCESS', 'REFUND.SUCCESS', 'REFUND.ABNORMAL', 'REFUND.CLOSED'] },
    resource_type: { const: 'encrypt-resource' },
    summary: text(64),
    resource: closed(
      {
        algorithm: { const: 'AEAD_AES_256_GCM' },
        ciphertext: text(1_048_576),
        associated_data: text(16),
        original_type: { enum: ['transaction', 'refund'] },
        nonce: text(16),
      },
      ['algorithm', 'ciphertext', 'original_type', 'nonce'],
    ),
  }),
  paidNotice: closed(
    {
      appid: text(32),
      mchid: text(32),
      out_trade_no: text(32),
      transaction_id: text(32),
      trade_type: { enum: ['NATIVE', 'MWEB'] },
      trade_state: { enum: ['SUCCESS', 'REFUND', 'NOTPAY', 'CLOSED', 'PAYERROR'] },
      trade_state_desc: text(256),
      bank_type: text(32),
      attach: text(128),
      success_time: TIME,
      payer: closed({ openid: text(128) }),
      amount: closed({ total: FEN, payer_total: FEN, currency: text(16), payer_currency: text(16) }, ['total']),
    },
    ['appid', 'mchid', 'out_trade_no', 'trade_state', 'trade_state_desc'],
  ),
  // https://pay.weixin.qq.com/wiki/doc/apiv3/apis/chapter3_5_11.shtml
  refundNotice: closed(
    {
      mchid: text(32),
      out_trade_no: text(32),
      transaction_id: text(32),
      out_refund_no: text(64),
      refund_id: text(32),
      refund_status: { enum: ['SUCCESS', 'ABNORMAL', 'CLOSED', 'PROCESSING'] },
      success_time: TIME,
      user_received_account: text(64),
      amount: closed({ total: FEN, refund: FEN, payer_total: FEN, payer_refund: FEN }),
    },
    ['mchid', 'out_trade_no', 'transaction_id', 'out_refund_no', 'refund_id', 'refund_status', 'user_received_account', 'amount'],
  ),
}

const DIFFERENCES: readonly Difference[] = [
  {
    what: /^GET \/v3\/pay\/transactions\/out-trade-no\/\{out_trade_no\} reply \/ must have required property '(description|notify_url)'$/,
    reason: "the description gives the answer the fields of an order; the vendor's page of the query lists neither (4013070356)",
  },
  {
    what: /^GET \/v3\/pay\/transactions\/out-trade-no\/\{out_trade_no\} reply \/amount must have required property 'payer_total'$/,
    reason: 'an order that waits for its payer has no sum that the payer paid (4013070356)',
  },
]

const TRANSACTIONS = 'v3/pay/transactions'
const QUERY = `${TRANSACTIONS}/out-trade-no/{out_trade_no}`
const REFUNDS = 'v3/refund/domestic/refunds'
/** Endpoints of the published description. */
const PUBLISHED: readonly (readonly ['get' | 'post', string])[] = [
  ['post', `${TRANSACTIONS}/native`],
  ['post', `${TRANSACTIONS}/h5`],
  ['get', QUERY],
  ['post', `${QUERY}/close`],
  ['post', REFUNDS],
  ['get', `${REFUNDS}/{out_refund_no}`],
  ['get', 'v3/certificates'],
  ['get', 'v3/bill/tradebill'],
]
const WITHOUT_BODY = `${QUERY}/close`

export interface WechatPayOracle extends Oracle {
  /** True if bodies are compared with the published description, not only with the parts written here. */
  readonly isPublished: boolean
}

/** WeChat Pay by its published description, where `VENDOR_DOCS` has it; notices and balances are always compared. */
export function createWechatPayOracle(): WechatPayOracle {
  const schemas: Record<string, object> = { ...OWN }
  const endpoints: Record<string, OracleEndpoint> = {
    'GET /v3/merchant/fund/balance/BASIC': { request: 'noQuery', reply: 'balance' },
    'GET /download': { request: 'billFile' },
  }
  for (const [method, path] of PUBLISHED) {
    const at = `${method.toUpperCase()} /${path}`
    if (!hasWechatPayDocs) {
      endpoints[at] = {}
      continue
    }
    schemas[`${at} request`] = readWechatPaySchema(path, method, 'request')
    if (path !== WITHOUT_BODY) schemas[`${at} reply`] = readWechatPaySchema(path, method, 'reply')
    endpoints[at] = { request: `${at} request`, ...(path === WITHOUT_BODY ? {} : { reply: `${at} reply` }) }
  }
  return {
    ...createOracle({ vendor: 'wechat-pay', schemas, endpoints: endpoints, error: 'failure', differences: DIFFERENCES }),
    isPublished: hasWechatPayDocs,
  }
}
