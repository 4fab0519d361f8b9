import { createOracle } from '../../oracles/create-oracle.ts'
import type { Oracle } from '../../kit/server.ts'
import { closeStripeEnums, readStripeTypes } from '../types.ts'

const LIST = (of: string) => `{ object: 'list'; data: ${of}[]; has_more: boolean; url: string }`

/** Parameters by call, as the SDK's types have them. */
const REQUESTS = {
  CreateSession: 'Sdk.Stripe.Checkout.SessionCreateParams',
  RetrieveSession: 'Sdk.Stripe.Checkout.SessionRetrieveParams',
  ListSessions: 'Sdk.Stripe.Checkout.SessionListParams',
  ExpireSession: 'Sdk.Stripe.Checkout.SessionExpireParams',
  CreateIntent: 'Sdk.Stripe.PaymentIntentCreateParams',
  RetrieveIntent: 'Sdk.Stripe.PaymentIntentRetrieveParams',
  ListIntents: 'Sdk.Stripe.PaymentIntentListParams',
  CancelIntent: 'Sdk.Stripe.PaymentIntentCancelParams',
  CreateRefund: 'Sdk.Stripe.RefundCreateParams',
  ListRefunds: 'Sdk.Stripe.RefundListParams',
  ListDisputes: 'Sdk.Stripe.DisputeListParams',
  RetrieveDispute: 'Sdk.Stripe.DisputeRetrieveParams',
  UpdateDispute: 'Sdk.Stripe.DisputeUpdateParams',
  CreateCustomer: 'Sdk.Stripe.CustomerCreateParams',
  RetrieveCustomer: 'Sdk.Stripe.CustomerRetrieveParams',
  DeleteCustomer: 'Sdk.Stripe.CustomerDeleteParams',
  RetrieveMethod: 'Sdk.Stripe.PaymentMethodRetrieveParams',
  RetrieveBalance: 'Sdk.Stripe.BalanceRetrieveParams',
  ListTransactions: 'Sdk.Stripe.BalanceTransactionListParams',
} as const
const REPLIES = {
  Session: 'Sdk.Stripe.Checkout.Session',
  Sessions: LIST('Sdk.Stripe.Checkout.Session'),
  Intent: 'Sdk.Stripe.PaymentIntent',
  Intents: LIST('Sdk.Stripe.PaymentIntent'),
  Refund: 'Sdk.Stripe.Refund',
  Refunds: LIST('Sdk.Stripe.Refund'),
  Dispute: 'Sdk.Stripe.Dispute',
  Disputes: LIST('Sdk.Stripe.Dispute'),
  Customer: 'Sdk.Stripe.Customer | Sdk.Stripe.DeletedCustomer',
  Method: 'Sdk.Stripe.PaymentMethod',
  SetupIntent: 'Sdk.Stripe.SetupIntent',
  Balance: 'Sdk.Stripe.Balance',
  Transactions: LIST('Sdk.Stripe.BalanceTransaction'),
} as const

/** https://docs.stripe.com/api/errors */
const ERROR = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        type: { enum: ['api_error', 'card_error', 'idempotency_error', 'invalid_request_error'] },
        code: { type: 'string', minLength: 1 },
        decline_code: { type: 'string', minLength: 1 },
        message: { type: 'string' },
        param: { type: 'string' },
        payment_intent: { type: 'object' },
      },
      required: ['type', 'message'],
      additionalProperties: false,
    },
  },
  required: ['error'],
  additionalProperties: false,
}

/** https://docs.stripe.com/api/events/object; the object inside is compared by its own type. */
const EVENT = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^evt_' },
    object: { const: 'event' },
    api_version: { type: 'string' },
    created: { type: 'integer' },
    livemode: { type: 'boolean' },
    pending_webhooks: { type: 'integer' },
    request: { type: ['object', 'null'] },
    type: { type: 'string', pattern: '^[a-z_]+(\\.[a-z_]+)+$' },
    data: {
      type: 'object',
      properties: { object: { type: 'object' }, previous_attributes: { type: 'object' } },
      required: ['object'],
      additionalProperties: false,
    },
  },
  required: ['id', 'object', 'api_version', 'created', 'livemode', 'pending_webhooks', 'request', 'type', 'data'],
  additionalProperties: false,
}

/** Name of the schema for the object of an event. */
const EVENT_OBJECTS: Readonly<Record<string, string>> = {
  'checkout.session': 'Session',
  'payment_intent': 'Intent',
  'refund': 'Refund',
  'dispute': 'Dispute',
  'customer': 'Customer',
  'payment_method': 'Method',
  'setup_intent': 'SetupIntent',
}

export interface StripeOracle extends Oracle {
  /** Compares an event with its envelope, and its object with the object's own type. */
  checkEvent(event: object): void
}

let shared: Promise<StripeOracle> | undefined
/** Stripe's payments by the types of its SDK. One for all stand-ins of a process: compiling the schemas takes seconds. */
export const createStripePaymentsOracle = (): Promise<StripeOracle> => (shared ??= createShared())

async function createShared(): Promise<StripeOracle> {
  const requests = closeStripeEnums(await readStripeTypes({ id: 'stripe-payments-requests', types: REQUESTS }))
  const replies = await readStripeTypes({ id: 'stripe-payments-replies', types: REPLIES, inner: ['Charge'] })
  const oracle = createOracle({
    vendor: 'stripe',
    schemas: { ...requests.schemas, ...replies.schemas, ERROR, EVENT },
    documents: { ...requests.documents, ...replies.documents },
    encoding: 'form',
    error: 'ERROR',
    endpoints: {
      'POST /v1/checkout/sessions': { request: 'CreateSession', reply: 'Session' },
      'GET /v1/checkout/sessions': { request: 'ListSessions', reply: 'Sessions' },
      'GET /v1/checkout/sessions/{session}': { request: 'RetrieveSession', reply: 'Session' },
      'POST /v1/checkout/sessions/{session}/expire': { request: 'ExpireSession', reply: 'Session' },
      'POST /v1/payment_intents': { request: 'CreateIntent', reply: 'Intent' },
      'GET /v1/payment_intents': { request: 'ListIntents', reply: 'Intents' },
      'GET /v1/payment_intents/{intent}': { request: 'RetrieveIntent', reply: 'Intent' },
      'POST /v1/payment_intents/{intent}/cancel': { request: 'CancelIntent', reply: 'Intent' },
      'POST /v1/refunds': { request: 'CreateRefund', reply: 'Refund' },
      'GET /v1/refunds': { request: 'ListRefunds', reply: 'Refunds' },
      'GET /v1/disputes': { request: 'ListDisputes', reply: 'Disputes' },
      'GET /v1/disputes/{dispute}': { request: 'RetrieveDispute', reply: 'Dispute' },
      'POST /v1/disputes/{dispute}': { request: 'UpdateDispute', reply: 'Dispute' },
      'POST /v1/customers': { request: 'CreateCustomer', reply: 'Customer' },
      'GET /v1/customers/{customer}': { request: 'RetrieveCustomer', reply: 'Customer' },
      'DELETE /v1/customers/{customer}': { request: 'DeleteCustomer', reply: 'Customer' },
      'GET /v1/payment_methods/{method}': { request: 'RetrieveMethod', reply: 'Method' },
      'GET /v1/balance': { request: 'RetrieveBalance', reply: 'Balance' },
      'GET /v1/balance_transactions': { request: 'ListTransactions', reply: 'Transactions' },
    },
  })
  return {
    ...oracle,
    checkEvent: (event) => {
      oracle.checkSent('EVENT', event)
      const { object } = (event as { data: { object: { object: string } } }).data
      const name = EVENT_OBJECTS[object.object]
      if (!name) throw new Error(`no schema for an event about ${object.object}`)
      oracle.checkSent(name, object)
    },
  }
}
