import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'

/**
 * NihaoPay publishes no schema. These are written from its documentation, https://docs.nihaopay.com/api/v1.2/en/. Unknown fields are
 * refused, and no text may be empty.
 */
type Schema = Record<string, unknown>
const text = (maxLength: number, more: Schema = {}): Schema => ({ type: 'string', minLength: 1, maxLength, ...more })
const closed = (properties: Record<string, unknown>, required: readonly string[] = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const MINOR = { type: 'integer', minimum: 1 }
const CURRENCY = { enum: ['USD', 'JPY', 'HKD', 'EUR', 'CAD', 'GBP', 'SGD', 'AUD'] }
/** Also the currencies that payments are reported in. */
const ANY_CURRENCY = text(3, { pattern: '^[A-Z]{3}$' })
const REFERENCE = text(30, { pattern: '^[0-9A-Za-z]+$' })
const URL = text(2048, { pattern: '^https?://' })
const TIME = text(20, { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' })
const ID = text(64)

const ORDER = {
  amount: MINOR,
  rmb_amount: MINOR,
  currency: CURRENCY,
  reference: REFERENCE,
  ipn_url: URL,
  callback_url: URL,
  description: text(1000),
  note: text(1000),
}
const ORDER_REQUIRED = ['currency', 'reference', 'ipn_url', 'callback_url']
const TRANSACTION = {
  id: ID,
  status: { enum: ['success', 'failure', 'pending'] },
  type: { enum: ['charge', 'authorization', 'capture'] },
  amount: MINOR,
  currency: ANY_CURRENCY,
  time: TIME,
  reference: REFERENCE,
  note: { type: ['string', 'null'] },
  vendor: { enum: ['unionpay', 'alipay', 'wechatpay', 'alipayhk'] },
  vendor_id: ID,
}
const TRANSACTION_REQUIRED = ['id', 'status', 'type', 'amount', 'currency', 'time', 'reference', 'note']

const SCHEMAS: Readonly<Record<string, Schema>> = {
  // "Create a standard SecurePay transaction"
  securePay: closed(
    {
      ...ORDER,
      vendor: { enum: ['unionpay', 'alipay', 'wechatpay', 'PayPal'] },
      terminal: { enum: ['ONLINE', 'WAP'] },
      timeout: { type: 'integer', minimum: 1, maximum: 1440 },
      in_wechat: { type: 'boolean' },
      payment_source: { const: 'ACDC' },
      response_format: { enum: ['HTML', 'JSON'] },
    },
    [...ORDER_REQUIRED, 'vendor'],
  ),
  securePayReply: {
    anyOf: [
      closed({ url: URL }),
      closed({
        form: closed(
          {
            actionUrl: URL,
            method: { enum: ['GET', 'POST'] },
            target: text(20),
            params: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
          },
          ['actionUrl', 'method', 'params'],
        ),
      }),
    ],
  },
  // "Alipay A+"
  aplus: closed(
    {
      ...ORDER,
      terminal: { enum: ['ONLINE', 'WAP', 'APP', 'MICRO'] },
      timeout: { type: 'integer', minimum: 1, maximum: 10 },
      ostype: { enum: ['ANDROID', 'IOS'] },
      wallet: { enum: ['ALIPAY_CN', 'ALIPAY_HK', 'TRUEMONEY', 'TNG', 'GCASH', 'DANA', 'KAKAOPAY', 'CONNECT_WALLET'] },
    },
    ORDER_REQUIRED,
  ),
  aplusReply: closed({ amount: MINOR, timeout: MINOR, currency: CURRENCY, reference: REFERENCE, id: ID, time: TIME, redirectUrl: URL }),
  // "Retrieve a transaction" by reference
  transaction: closed(TRANSACTION, TRANSACTION_REQUIRED),
  // "List transactions": both ends are exclusive
  list: closed({ limit: { type: 'integer', minimum: 1, maximum: 100 }, starting_after: TIME, ending_before: TIME }, []),
  listReply: closed({ transactions: { type: 'array', items: closed(TRANSACTION, TRANSACTION_REQUIRED) } }),
  // "Refund a transaction"
  refund: closed({ amount: MINOR, rmb_amount: MINOR, currency: CURRENCY, reason: text(255) }, ['currency']),
  refundReply: closed({ id: ID, status: { enum: ['success', 'failure'] }, refunded: { type: 'boolean' }, transaction_id: ID }),
  // "Refund query"
  refundQueryReply: closed(
    {
      ...TRANSACTION,
      refunded_amount: { type: 'integer', minimum: 0 },
      refunds: {
        type: 'array',
        items: closed({ refund_time: TIME, refund_id: ID, refunded_amount: MINOR, status: { enum: ['success', 'failure'] } }),
      },
    },
    [...TRANSACTION_REQUIRED, 'refunded_amount', 'refunds'],
  ),
  nothing: closed({}),
  // "Errors"
  failure: closed({ code: { type: 'integer', minimum: 400 }, label: text(3), message: text(256) }),
  // "IPN": form fields, so that numbers are text and null is a word
  notice: closed(
    {
      id: ID,
      status: { enum: ['success', 'failure', 'pending'] },
      amount: text(12, { pattern: '^[1-9]\\d*$' }),
      rmb_amount: text(12, { pattern: '^[1-9]\\d*$' }),
      currency: ANY_CURRENCY,
      time: TIME,
      reference: REFERENCE,
      note: text(1000),
      sys_reserve: text(2048, { pattern: '^\\{.*\\}$' }),
      verify_sign: text(32, { pattern: '^[0-9a-f]{32}$' }),
    },
    ['id', 'status', 'amount', 'currency', 'time', 'reference', 'note', 'verify_sign'],
  ),
}

export const createNihaopayOracle = (): Oracle =>
  createOracle({
    vendor: 'nihaopay',
    schemas: SCHEMAS,
    encoding: 'form',
    error: 'failure',
    endpoints: {
      'POST /v1.2/transactions/securepay': { request: 'securePay', reply: 'securePayReply' },
      'POST /v1.2/transactions/aplus': { request: 'aplus', reply: 'aplusReply' },
      'GET /v1.2/transactions/merchant/{reference}': { request: 'nothing', reply: 'transaction' },
      'GET /v1.2/transactions/refunds/{transaction_id}/': { request: 'nothing', reply: 'refundQueryReply' },
      'POST /v1.2/transactions/refund/{transaction_id}': { request: 'refund', reply: 'refundReply' },
      'GET /v1.2/transactions/': { request: 'list', reply: 'listReply' },
    },
  })
