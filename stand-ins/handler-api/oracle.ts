import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import { HANDLER_API_COUNTRIES, HANDLER_API_REFUSALS, HANDLER_API_SERVICES, HANDLER_API_STATUSES } from './rules.ts'

const words = `^(${Object.keys(HANDLER_API_REFUSALS).join('|')})`
const id = { type: 'string', pattern: String.raw`^\d{1,18}$` }
const service = { enum: HANDLER_API_SERVICES }
const country = { enum: HANDLER_API_COUNTRIES }
/** A query of one action: its own parameters, the key, and nothing else. */
const query = (action: string, fields: Readonly<Record<string, object>> = {}) => ({
  type: 'object',
  properties: { api_key: { type: 'string', minLength: 8 }, action: { const: action }, ...fields },
  required: ['api_key', 'action', ...Object.keys(fields)],
  additionalProperties: false,
})
const said = (pattern: string) => ({ type: 'string', pattern: `^(${pattern})$|${words}` })
const text = { type: 'string' }
const price = {
  type: 'object',
  properties: { cost: { type: 'number', exclusiveMinimum: 0 }, count: { type: 'integer', minimum: 0 } },
  required: ['cost', 'count'],
  additionalProperties: false,
}
const activation = {
  type: 'object',
  properties: {
    activationId: text,
    serviceCode: text,
    phoneNumber: { type: 'string', pattern: String.raw`^\d{6,15}$` },
    activationCost: text,
    activationStatus: text,
    smsCode: { anyOf: [{ type: 'array', items: text }, { type: 'null' }] },
    smsText: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    activationTime: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$` },
    countryCode: text,
    countryName: text,
    canGetAnotherSms: text,
  },
  required: ['activationId', 'phoneNumber'],
  additionalProperties: false,
}

/** Written by hand from the pages that `rules.ts` names; answers are text but for prices and the list of activations (sms-activate.io/api2). */
const SCHEMAS = {
  getBalance: query('getBalance'),
  getBalanceReply: said(String.raw`ACCESS_BALANCE:\d+(\.\d+)?`),
  getPrices: query('getPrices', { service, country }),
  getPricesReply: {
    anyOf: [
      { type: 'object', additionalProperties: { type: 'object', additionalProperties: price } },
      { type: 'string', pattern: words },
    ],
  },
  getNumber: query('getNumber', { service, country }),
  getNumberReply: said(String.raw`ACCESS_NUMBER:\d+:\d{6,15}`),
  getStatus: query('getStatus', { id }),
  getStatusReply: said(String.raw`STATUS_WAIT_CODE|STATUS_CANCEL|STATUS_WAIT_RESEND|STATUS_(OK|WAIT_RETRY):[\s\S]+`),
  setStatus: query('setStatus', { id, status: { enum: HANDLER_API_STATUSES } }),
  setStatusReply: said('ACCESS_READY|ACCESS_RETRY_GET|ACCESS_ACTIVATION|ACCESS_CANCEL'),
  getActiveActivations: query('getActiveActivations'),
  getActiveActivationsReply: {
    anyOf: [
      {
        type: 'object',
        properties: { status: { const: 'success' }, activeActivations: { type: 'array', items: activation } },
        required: ['status', 'activeActivations'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { status: { const: 'error' }, error: { const: 'NO_ACTIVATIONS' } },
        required: ['status', 'error'],
        additionalProperties: false,
      },
      said('NO_ACTIVATIONS'),
    ],
  },
  refusal: { type: 'string', pattern: words },
}
const ACTIONS = ['getBalance', 'getPrices', 'getNumber', 'getStatus', 'setStatus', 'getActiveActivations'] as const

/** One path serves all actions: each is compared as an endpoint of its own. */
export function createHandlerApiOracle(): Oracle {
  const oracle = createOracle({
    vendor: 'handler-api',
    schemas: SCHEMAS,
    endpoints: Object.fromEntries(ACTIONS.map((action) => [`GET /${action}`, { request: action, reply: `${action}Reply` }])),
    error: 'refusal',
  })
  return { ...oracle, check: (request, reply) => oracle.check({ ...request, path: `/${request.query.get('action') ?? ''}` }, reply) }
}
