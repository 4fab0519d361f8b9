import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import { readPublished, toJsonSchema } from '../oracles/published.ts'

type Json = Record<string, any>

const ROOT = '/2010-04-01/Accounts/{AccountSid}'
const ENDPOINTS = [
  ['get', '/Balance.json'],
  ['get', '/AvailablePhoneNumbers/{CountryCode}/Local.json'],
  ['get', '/IncomingPhoneNumbers.json'],
  ['post', '/IncomingPhoneNumbers.json'],
  ['get', '/IncomingPhoneNumbers/{Sid}.json'],
  ['delete', '/IncomingPhoneNumbers/{Sid}.json'],
  ['get', '/Messages.json'],
  ['post', '/Messages.json'],
] as const

/** Parameters of an incoming message: https://www.twilio.com/docs/messaging/guides/webhook-request. Places may be empty. */
const text = { type: 'string' }
const sid = (prefix: string) => ({ type: 'string', pattern: `^${prefix}[0-9a-fA-F]{32}$` })
const number = { type: 'string', pattern: String.raw`^\+[1-9]\d{4,14}$` }
const incomingMessage = {
  type: 'object',
  properties: {
    ...{ MessageSid: sid('(SM|MM)'), SmsSid: sid('(SM|MM)'), SmsMessageSid: sid('(SM|MM)'), AccountSid: sid('AC'), From: number, To: number },
    ...{
      Body: { type: 'string', maxLength: 1_600 },
      NumMedia: { type: 'string', pattern: String.raw`^\d+$` },
      NumSegments: { type: 'string', pattern: String.raw`^\d+$` },
    },
    ...{ SmsStatus: { const: 'received' }, ApiVersion: { const: '2010-04-01' } },
    ...{ FromCity: text, FromState: text, FromZip: text, FromCountry: text, ToCity: text, ToState: text, ToZip: text, ToCountry: text },
  },
  required: ['MessageSid', 'AccountSid', 'From', 'To', 'Body', 'NumMedia'],
  additionalProperties: false,
}
/** https://www.twilio.com/docs/usage/twilios-response#response-formats-exceptions */
const problem = {
  type: 'object',
  properties: { code: { type: 'integer' }, message: text, more_info: { type: 'string', format: 'uri' }, status: { type: 'integer' } },
  required: ['code', 'message', 'more_info', 'status'],
  additionalProperties: false,
}

/** A parameter that is sent has a value: Twilio reads an empty one as a request to clear it. */
const requireText = (schema: Json): Json => (schema['type'] === 'string' ? { minLength: 1, ...schema } : schema)
const toQuery = (parameters: readonly Json[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(parameters.filter((each) => each['in'] === 'query').map((each) => [each['name'], requireText(each['schema'] as Json)])),
  required: parameters.filter((each) => each['in'] === 'query' && each['required']).map((each) => each['name'] as string),
  additionalProperties: false,
})
const toForm = (schema: Json): Json => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema['properties'] as Json).map(([name, each]) => [name, requireText(each as Json)])),
})

/** Twilio's OpenAPI description (github.com/twilio/twilio-oai, `twilio_api_v2010.json`); undefined without it. */
export function createTwilioOracle(): Oracle | undefined {
  const published = readPublished('twilio_api_v2010.json') as Json | undefined
  if (!published) return undefined
  const convert = (schema: unknown) => JSON.parse(JSON.stringify(toJsonSchema(schema, true)).replaceAll('"#/', '"twilio#/')) as object
  const schemas: Record<string, object> = { incomingMessage, problem }
  const endpoints: Record<string, { request?: string; reply?: string }> = {}
  for (const [method, path] of ENDPOINTS) {
    const operation = published['paths'][ROOT + path][method] as Json
    const form = operation['requestBody']?.content['application/x-www-form-urlencoded'].schema as Json | undefined
    const [answer] = Object.values(operation['responses'] as Json) as [Json]
    const reply = answer['content']?.['application/json'].schema as Json | undefined
    const name = `${method} ${path}`
    schemas[`${name} request`] = convert(form ? toForm(form) : toQuery((operation['parameters'] ?? []) as Json[]))
    if (reply) schemas[`${name} reply`] = convert(reply)
    endpoints[`${method.toUpperCase()} ${ROOT}${path}`] = { request: `${name} request`, ...(reply ? { reply: `${name} reply` } : {}) }
  }
  return createOracle({
    vendor: 'twilio',
    schemas,
    documents: { twilio: toJsonSchema({ components: published['components'] as unknown }, true) as object },
    endpoints,
    error: 'problem',
    encoding: 'form',
    differences: [
      {
        what: /_uri must match format "uri"|\/uri must match format "uri"/,
        reason: 'Twilio sends paths without a host: https://www.twilio.com/docs/usage/twilios-response#pagination',
      },
    ],
  })
}
