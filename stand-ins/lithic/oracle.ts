import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import type { Difference } from '../oracles/create-oracle.ts'
import { readSdkSchemas } from '../oracles/sdk-schemas.ts'
import { LITHIC_ASA_RESULTS } from './rules.ts'

const page = (type: string): string => `{ data: ${type}[]; has_more: boolean }`
const SDK = {
  package: 'lithic',
  modules: {
    Holders: 'lithic/resources/account-holders/account-holders',
    Authorizations: 'lithic/resources/card-authorizations',
    Cards: 'lithic/resources/cards/cards',
    Disputes: 'lithic/resources/disputes',
    Transactions: 'lithic/resources/transactions/transactions',
    Webhooks: 'lithic/resources/webhooks',
  },
  types: {
    HolderCreate: 'Holders.AccountHolderCreateParams',
    HolderCreated: 'Holders.AccountHolderCreateResponse',
    HolderList: 'Holders.AccountHolderListParams',
    HolderPage: page('Holders.AccountHolder'),
    CardCreate: "Omit<Cards.CardCreateParams, 'Idempotency-Key'>",
    CardUpdate: 'Cards.CardUpdateParams',
    CardList: 'Cards.CardListParams',
    Card: 'Cards.Card',
    CardPage: page('Cards.NonPCICard'),
    TransactionList: 'Transactions.TransactionListParams',
    Transaction: 'Transactions.Transaction',
    TransactionPage: page('Transactions.Transaction'),
    DisputeCreate: 'Disputes.DisputeCreateParams',
    DisputeList: 'Disputes.DisputeListParams',
    Dispute: 'Disputes.Dispute',
    DisputePage: page('Disputes.Dispute'),
    EvidenceCreate: 'Disputes.DisputeInitiateEvidenceUploadParams',
    EvidenceList: 'Disputes.DisputeListEvidencesParams',
    Evidence: 'Disputes.DisputeEvidence',
    EvidencePage: page('Disputes.DisputeEvidence'),
    AsaRequest: 'Authorizations.CardAuthorization',
    CardCreatedEvent: 'Webhooks.CardCreatedWebhookEvent',
    CardUpdatedEvent: 'Webhooks.CardUpdatedWebhookEvent',
    TransactionEvent: 'Webhooks.CardTransactionUpdatedWebhookEvent',
    DisputeEvent: 'Webhooks.DisputeUpdatedWebhookEvent',
  },
} as const

/** Not in the SDK's types; docs.lithic.com/reference/asa-response. */
const ASA_RESPONSE = {
  type: 'object',
  properties: {
    result: { enum: LITHIC_ASA_RESULTS },
    token: { type: 'string', format: 'uuid' },
    approved_amount: { type: 'integer', minimum: 1 },
    avs_result: { enum: ['FAIL', 'MATCH', 'MATCH_ADDRESS_ONLY', 'MATCH_ZIP_ONLY'] },
    balance: { type: 'object', properties: { amount: { type: 'integer' }, available: { type: 'integer' } }, additionalProperties: false },
    challenge_phone_number: { type: 'string' },
  },
  required: ['result'],
  additionalProperties: false,
}
/** docs.lithic.com/reference, schema `error`. */
const ERROR = {
  type: 'object',
  properties: { debugging_request_id: { type: 'string', format: 'uuid' }, message: { type: 'string' } },
  required: ['debugging_request_id', 'message'],
  additionalProperties: false,
}

const DIFFERENCES: readonly Difference[] = [
  {
    what: /^GET \/v1\/disputes request \/transaction_tokens must be array/,
    reason: 'lists in a query are joined with commas (explode: false); the type is that of the SDK, which joins them',
  },
]

/** Compares with the types of Lithic's SDK. */
export async function createLithicOracle(): Promise<Oracle> {
  const { CardCreatedEvent, CardUpdatedEvent, TransactionEvent, DisputeEvent, AsaRequest, ...schemas } = (await readSdkSchemas(SDK)) as Record<
    keyof typeof SDK.types,
    object
  >
  return createOracle({
    vendor: 'lithic',
    schemas: {
      ...schemas,
      'Error': ERROR,
      'ASA request': AsaRequest,
      'ASA response': ASA_RESPONSE,
      'card.created': CardCreatedEvent,
      'card.updated': CardUpdatedEvent,
      'card_transaction.updated': TransactionEvent,
      'dispute.updated': DisputeEvent,
    },
    error: 'Error',
    differences: DIFFERENCES,
    endpoints: {
      'GET /v1/embed/card': {},
      'PUT /uploads/{evidence}': {},
      'GET /v1/account_holders': { request: 'HolderList', reply: 'HolderPage' },
      'POST /v1/account_holders': { request: 'HolderCreate', reply: 'HolderCreated' },
      'GET /v1/cards': { request: 'CardList', reply: 'CardPage' },
      'POST /v1/cards': { request: 'CardCreate', reply: 'Card' },
      'GET /v1/cards/{card}': { reply: 'Card' },
      'PATCH /v1/cards/{card}': { request: 'CardUpdate', reply: 'Card' },
      'GET /v1/transactions': { request: 'TransactionList', reply: 'TransactionPage' },
      'GET /v1/transactions/{transaction}': { reply: 'Transaction' },
      'GET /v1/disputes': { request: 'DisputeList', reply: 'DisputePage' },
      'POST /v1/disputes': { request: 'DisputeCreate', reply: 'Dispute' },
      'GET /v1/disputes/{dispute}': { reply: 'Dispute' },
      'GET /v1/disputes/{dispute}/evidences': { request: 'EvidenceList', reply: 'EvidencePage' },
      'POST /v1/disputes/{dispute}/evidences': { request: 'EvidenceCreate', reply: 'Evidence' },
    },
  })
}
