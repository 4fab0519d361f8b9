import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import { FIVE_SIM_COUNTRIES, FIVE_SIM_PRODUCTS, FIVE_SIM_REFUSALS, FIVE_SIM_STATUSES } from './rules.ts'

/** An object with exactly these fields; `?` after a name makes it optional. */
const closed = (fields: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema])),
  required: Object.keys(fields).filter((name) => !name.endsWith('?')),
  additionalProperties: false,
})
const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }
const digits = { type: 'string', pattern: '^[0-9]{1,9}$' }
const amount = { type: 'number', minimum: 0 }

const sms = closed({ 'id?': { type: 'integer' }, 'created_at': time, 'date': time, 'sender': text, 'text': text, 'code': text })
const order = closed({
  'id': { type: 'integer' },
  'phone': { type: 'string', pattern: String.raw`^\+\d{7,15}$` },
  'operator': text,
  'product': text,
  'price': amount,
  'status': { enum: FIVE_SIM_STATUSES },
  'expires': time,
  'sms': { anyOf: [{ type: 'array', items: sms }, { type: 'null' }] },
  'created_at': time,
  'forwarding?': { type: 'boolean' },
  'forwarding_number?': text,
  'country': text,
})
const refusal = { enum: Object.keys(FIVE_SIM_REFUSALS) }

/** Written by hand from the tables and examples of https://5sim.net/docs; requests are queries, so all their values are text. */
const SCHEMAS = {
  nothing: closed({}),
  prices: closed({ country: { enum: FIVE_SIM_COUNTRIES }, product: { enum: FIVE_SIM_PRODUCTS } }),
  priceList: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: closed({ 'cost': amount, 'count': { type: 'integer' }, 'rate?': amount }) },
    },
  },
  buy: closed({
    'forwarding?': { enum: ['true', 'false'] },
    'number?': digits,
    'reuse?': { const: '1' },
    'voice?': { const: '1' },
    'ref?': { type: 'string', minLength: 1 },
    'maxPrice?': { type: 'string', pattern: String.raw`^\d+(\.\d+)?$` },
  }),
  order,
  bought: { anyOf: [order, refusal] },
  orders: closed({
    'category': { enum: ['activation', 'hosting'] },
    'limit?': digits,
    'offset?': digits,
    'order?': { enum: ['id'] },
    'reverse?': { enum: ['true', 'false'] },
  }),
  orderList: closed({
    Data: { anyOf: [{ type: 'array', items: order }, { type: 'null' }] },
    ProductNames: { type: 'array' },
    Statuses: { type: 'array' },
    Total: { type: 'integer' },
  }),
  profile: closed({
    id: { type: 'integer' },
    email: text,
    vendor: text,
    default_forwarding_number: text,
    balance: amount,
    rating: amount,
    default_country: closed({ name: text, iso: text, prefix: text }),
    default_operator: closed({ name: text }),
    frozen_balance: amount,
  }),
  refusal,
}

export const createFiveSimOracle = (): Oracle =>
  createOracle({
    vendor: '5sim',
    schemas: SCHEMAS,
    endpoints: {
      'GET /v1/guest/prices': { request: 'prices', reply: 'priceList' },
      'GET /v1/user/profile': { request: 'nothing', reply: 'profile' },
      'GET /v1/user/orders': { request: 'orders', reply: 'orderList' },
      'GET /v1/user/buy/activation/{country}/{operator}/{product}': { request: 'buy', reply: 'bought' },
      'GET /v1/user/check/{id}': { request: 'nothing', reply: 'order' },
      'GET /v1/user/finish/{id}': { request: 'nothing', reply: 'order' },
      'GET /v1/user/cancel/{id}': { request: 'nothing', reply: 'order' },
    },
    error: 'refusal',
  })
