import type { Oracle } from '../../kit/server.ts'
import { createOracle } from '../../oracles/create-oracle.ts'
import type { Difference } from '../../oracles/create-oracle.ts'
import { readSdkSchemas } from '../../oracles/sdk-schemas.ts'

const ISSUING = 'S.Stripe.Issuing'
const TYPES = {
  CardholderCreate: `${ISSUING}.CardholderCreateParams`,
  Cardholder: `${ISSUING}.Cardholder`,
  CardCreate: `${ISSUING}.CardCreateParams`,
  CardUpdate: `${ISSUING}.CardUpdateParams`,
  CardList: `${ISSUING}.CardListParams`,
  Card: `${ISSUING}.Card`,
  Authorization: `${ISSUING}.Authorization`,
  TransactionList: `${ISSUING}.TransactionListParams`,
  Transaction: `${ISSUING}.Transaction`,
  DisputeCreate: `${ISSUING}.DisputeCreateParams`,
  DisputeSubmit: `${ISSUING}.DisputeSubmitParams`,
  DisputeList: `${ISSUING}.DisputeListParams`,
  Dispute: `${ISSUING}.Dispute`,
  KeyCreate: 'S.Stripe.EphemeralKeyCreateParams',
  Key: 'S.Stripe.EphemeralKey',
  File: 'S.Stripe.File',
} as const
type TypeName = keyof typeof TYPES
/** One type with all of them: their schemas share definitions, so that each is compiled once. */
const SDK = {
  package: 'stripe',
  modules: { S: 'stripe' },
  types: {
    All: `{ ${Object.entries(TYPES)
      .map(([name, type]) => `${name}: ${type}`)
      .join('; ')} }`,
  },
}

/** A reference into the document, with the definitions that a branch of a union is compiled with alone. */
interface TypeSchema {
  readonly $ref: string
  readonly definitions: object
}
interface Definition {
  readonly properties: Readonly<Record<TypeName, { readonly $ref: string }>>
}

/**
 * Schemas by name, over one document of definitions. The types end enums in an open member, `OtherString`: only named values are right for what we
 * send and for what a stand-in answers.
 */
async function readTypes(): Promise<{ definitions: object; of: (name: TypeName) => TypeSchema }> {
  const { All } = (await readSdkSchemas(SDK)) as { All: { $ref: string; definitions: Record<string, object> } }
  const definitions: Record<string, object> = { ...All.definitions, OtherString: { not: {} } }
  const { properties } = definitions[All.$ref.split('/').at(-1)!] as unknown as Definition
  return { definitions, of: (name) => ({ $ref: `issuing${properties[name].$ref}`, definitions }) }
}

const close = (properties: Readonly<Record<string, object>>, definitions: object = {}): object => ({
  definitions,
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const list = ({ definitions, ...item }: TypeSchema): object =>
  close({ object: { const: 'list' }, data: { type: 'array', items: item }, has_more: { type: 'boolean' }, url: { type: 'string' } }, definitions)
const event = ({ definitions, ...item }: TypeSchema): object =>
  close(
    {
      id: { type: 'string', pattern: '^evt_' },
      object: { const: 'event' },
      api_version: { type: 'string' },
      created: { type: 'integer' },
      data: close({ object: item }),
      livemode: { const: false },
      pending_webhooks: { type: 'integer' },
      request: { type: 'null' },
      type: { type: 'string' },
    },
    definitions,
  )

/** Of an answer to `issuing_authorization.request`: docs.stripe.com/issuing/controls/real-time-authorizations. */
const DECISION = {
  type: 'object',
  properties: {
    approved: { type: 'boolean' },
    amount: { type: 'integer', minimum: 1 },
    metadata: { type: 'object', maxProperties: 50, propertyNames: { maxLength: 40 }, additionalProperties: { type: 'string', maxLength: 500 } },
  },
  required: ['approved'],
  additionalProperties: false,
}
/** docs.stripe.com/api/errors */
const ERROR = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        doc_url: { type: 'string' },
        message: { type: 'string' },
        param: { type: 'string' },
        type: { enum: ['api_error', 'card_error', 'idempotency_error', 'invalid_request_error'] },
      },
      required: ['message', 'type'],
      additionalProperties: false,
    },
  },
  required: ['error'],
  additionalProperties: false,
}

const DIFFERENCES: readonly Difference[] = [
  {
    what: /^POST \/v1\/ephemeral_keys reply .*associated_objects/,
    reason: 'sent by Stripe, absent from the SDK’s type (docs.stripe.com/issuing/elements shows it)',
  },
]

/** Compares with the types of Stripe's SDK. */
export async function createIssuingOracle(): Promise<Oracle> {
  const { definitions, of } = await readTypes()
  return createOracle({
    vendor: 'stripe issuing',
    encoding: 'form',
    documents: { issuing: { definitions } },
    schemas: {
      ...Object.fromEntries((Object.keys(TYPES) as TypeName[]).map((name) => [name, of(name)])),
      'CardPage': list(of('Card')),
      'TransactionPage': list(of('Transaction')),
      'DisputePage': list(of('Dispute')),
      'Error': ERROR,
      'issuing_authorization.request': event(of('Authorization')),
      'issuing_authorization.request answer': DECISION,
      'issuing_authorization.created': event(of('Authorization')),
      'issuing_authorization.updated': event(of('Authorization')),
      'issuing_transaction.created': event(of('Transaction')),
      'issuing_card.created': event(of('Card')),
      'issuing_card.updated': event(of('Card')),
      'issuing_dispute.created': event(of('Dispute')),
      'issuing_dispute.updated': event(of('Dispute')),
    },
    error: 'Error',
    differences: DIFFERENCES,
    endpoints: {
      'POST /v1/issuing/cardholders': { request: 'CardholderCreate', reply: 'Cardholder' },
      'GET /v1/issuing/cards': { request: 'CardList', reply: 'CardPage' },
      'POST /v1/issuing/cards': { request: 'CardCreate', reply: 'Card' },
      'GET /v1/issuing/cards/{card}': { reply: 'Card' },
      'POST /v1/issuing/cards/{card}': { request: 'CardUpdate', reply: 'Card' },
      'GET /v1/issuing/authorizations/{authorization}': { reply: 'Authorization' },
      'GET /v1/issuing/transactions': { request: 'TransactionList', reply: 'TransactionPage' },
      'GET /v1/issuing/transactions/{transaction}': { reply: 'Transaction' },
      'GET /v1/issuing/disputes': { request: 'DisputeList', reply: 'DisputePage' },
      'POST /v1/issuing/disputes': { request: 'DisputeCreate', reply: 'Dispute' },
      'GET /v1/issuing/disputes/{dispute}': { reply: 'Dispute' },
      'POST /v1/issuing/disputes/{dispute}/submit': { request: 'DisputeSubmit', reply: 'Dispute' },
      // its body is a multipart form
      'POST /v1/files': { reply: 'File' },
      'POST /v1/ephemeral_keys': { request: 'KeyCreate', reply: 'Key' },
    },
  })
}
