import { isUuid } from './tokens.ts'

type Json = Record<string, any>

/** A request to Lithic as the rules see it. */
export interface LithicRequest {
  readonly body: Json
  readonly query: URLSearchParams
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly now: number
}
/** A rule that types do not express. */
export interface LithicRule {
  /** Method and path, as in the oracle's table. */
  readonly at: string
  readonly rule: string
  readonly source: string
  readonly isKept: (request: LithicRequest) => boolean
  /** Fixes the status of the refusal; 400 otherwise. */
  readonly status?: number
}

const HOLDERS = 'https://docs.lithic.com/reference/postaccountholders'
const ADDRESS = 'types of lithic 0.145.0, Shared.Address'
const CARDS = 'https://docs.lithic.com/reference/postcards'
const DISPUTES = 'https://docs.lithic.com/reference/postdisputes'
const EVIDENCE = 'https://docs.lithic.com/reference/postevidencedocument'
const PAGES = 'https://docs.lithic.com/reference/getcards (page_size: 1 to 100)'

/** KYC_EXEMPT allows Canada beside the United States; every other workflow the United States alone. */
export const LITHIC_COUNTRIES: readonly string[] = ['USA', 'CAN']
const POSTAL_CODES: Readonly<Record<string, RegExp>> = { USA: /^\d{5}(-\d{4})?$/, CAN: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/ }
export const LITHIC_NOTE_LENGTH = 5000
/** Calendar months until the latest expiry date. */
export const LITHIC_CARD_MONTHS = 60
export const LITHIC_EVIDENCE_TYPES: readonly string[] = ['jpg', 'jpeg', 'png', 'pdf']
/** Time for a decision, and tries of a request that fails. A responder should answer within three seconds. */
export const LITHIC_ASA = { withinMs: 6_000, tries: 2, source: 'https://docs.lithic.com/docs/auth-stream-access-asa' } as const
/** Results of a decision; any other text declines with CUSTOM_ASA_RESULT. */
export const LITHIC_ASA_RESULTS: readonly string[] = [
  'APPROVED',
  'AVS_INVALID',
  'CARD_PAUSED',
  'INSUFFICIENT_FUNDS',
  'UNAUTHORIZED_MERCHANT',
  'VELOCITY_EXCEEDED',
  'DRIVER_NUMBER_INVALID',
  'VEHICLE_NUMBER_INVALID',
  'SUSPECTED_FRAUD',
  'CHALLENGE',
]
/** Seconds between the tries of an event, as of Svix, which delivers for Lithic. */
export const LITHIC_EVENT_SCHEDULE = {
  seconds: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  source: 'https://docs.svix.com/retries, https://docs.lithic.com/docs/events-api',
} as const
/** Requests a second of one method on one resource in production; 429 with `retry-after: 1` beyond. */
export const LITHIC_RATES = { read: 30, write: 5, cardWrite: 15, source: 'https://docs.lithic.com/docs/rate-limits' } as const

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const listTexts = (value: unknown): unknown[] => (value !== null && typeof value === 'object' ? Object.values(value).flatMap(listTexts) : [value])
const hasNoEmptyText = ({ body }: LithicRequest): boolean => !listTexts(body).some((value) => typeof value === 'string' && value.trim() === '')
const isPage = ({ query }: LithicRequest): boolean => {
  const size = query.get('page_size')
  return size === null || (/^\d+$/.test(size) && Number(size) >= 1 && Number(size) <= 100)
}
const isInstant = (text: string | null): boolean => text === null || (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)))

function isWithinExpiry({ body, now }: LithicRequest): boolean {
  const { exp_month: month, exp_year: year } = body
  if (month === undefined && year === undefined) return true
  if (!/^(0[1-9]|1[0-2])$/.test(String(month)) || !/^\d{4}$/.test(String(year))) return false
  const today = new Date(now)
  const months = (Number(year) - today.getUTCFullYear()) * 12 + Number(month) - 1 - today.getUTCMonth()
  return months >= 0 && months <= LITHIC_CARD_MONTHS
}

export const LITHIC_RULES: readonly LithicRule[] = [
  {
    at: 'POST /v1/account_holders',
    rule: 'KYC_EXEMPT requires first_name, last_name, email, phone_number, kyc_exemption_type and address',
    source: HOLDERS,
    isKept: ({ body }) =>
      body['workflow'] === 'KYC_EXEMPT' &&
      ['first_name', 'last_name', 'email', 'phone_number', 'kyc_exemption_type'].every((name) => isText(body[name])) &&
      ['address1', 'city', 'state', 'postal_code', 'country'].every((name) => isText(body['address']?.[name])),
  },
  {
    at: 'POST /v1/account_holders',
    rule: 'no text is empty: an optional field without a value is left out',
    source: 'Undocumented. Lithic publishes no lower bound of lengths, so the stricter reading is kept: `address2` is optional, not empty',
    isKept: hasNoEmptyText,
  },
  {
    at: 'POST /v1/account_holders',
    rule: 'address.country is USA, or CAN with KYC_EXEMPT, in three capital letters',
    source: ADDRESS,
    isKept: ({ body }) => LITHIC_COUNTRIES.includes(body['address']?.country),
  },
  {
    at: 'POST /v1/account_holders',
    rule: 'address.state has two capital letters',
    source: ADDRESS,
    isKept: ({ body }) => /^[A-Z]{2}$/.test(body['address']?.state),
  },
  {
    at: 'POST /v1/account_holders',
    rule: 'address.postal_code is 12345 or 12345-1234 in the United States',
    source: ADDRESS,
    isKept: ({ body }) => POSTAL_CODES[body['address']?.country]?.test(body['address']?.postal_code) ?? false,
  },
  {
    at: 'POST /v1/account_holders',
    rule: 'address.address1 is not a post office box',
    source: ADDRESS,
    isKept: ({ body }) => !/\bP\.? ?O\.? ?BOX\b/i.test(body['address']?.address1),
  },
  {
    at: 'POST /v1/account_holders',
    rule: 'phone_number is E.164',
    source: HOLDERS,
    isKept: ({ body }) => /^\+[1-9]\d{6,14}$/.test(body['phone_number']),
  },
  {
    at: 'GET /v1/account_holders',
    rule: 'external_id is a UUID',
    source: 'https://docs.lithic.com/reference/getaccountholders (format: uuid)',
    isKept: ({ query }) => !query.has('external_id') || isUuid(query.get('external_id')),
  },
  {
    at: 'POST /v1/cards',
    rule: 'Idempotency-Key, if sent, is a UUID',
    source: 'https://docs.lithic.com/changelog/idempotency-for-create-card',
    isKept: ({ headers }) => headers['idempotency-key'] === undefined || isUuid(headers['idempotency-key']),
  },
  { at: 'POST /v1/cards', rule: 'no text is empty', source: 'Undocumented, as for account holders', isKept: hasNoEmptyText },
  {
    at: 'POST /v1/cards',
    rule: 'account_token, card_program_token and replacement_for are UUIDs',
    source: CARDS,
    isKept: ({ body }) => ['account_token', 'card_program_token', 'replacement_for'].every((name) => body[name] === undefined || isUuid(body[name])),
  },
  {
    at: 'POST /v1/cards',
    rule: 'account_token is required in programs that enrol account holders',
    source: CARDS,
    isKept: ({ body }) => body['account_token'] !== undefined,
  },
  {
    at: 'POST /v1/cards',
    rule: 'spend_limit is a whole number of cents; 0 is no limit',
    source: CARDS,
    isKept: ({ body }) => body['spend_limit'] === undefined || (Number.isSafeInteger(body['spend_limit']) && body['spend_limit'] >= 0),
  },
  {
    at: 'POST /v1/cards',
    rule: 'exp_month has two digits, exp_year four; five years ahead at most',
    source: CARDS,
    isKept: isWithinExpiry,
  },
  { at: 'GET /v1/cards', rule: 'page_size is 1 to 100', source: PAGES, isKept: isPage },
  { at: 'GET /v1/transactions', rule: 'page_size is 1 to 100', source: PAGES, isKept: isPage },
  {
    at: 'GET /v1/transactions',
    rule: 'begin and end are instants with a zone (RFC 3339)',
    source: 'https://docs.lithic.com/reference/gettransactions',
    isKept: ({ query }) => isInstant(query.get('begin')) && isInstant(query.get('end')),
  },
  {
    at: 'GET /v1/disputes',
    rule: 'transaction_tokens are at most 50 UUIDs, joined with commas',
    source: 'https://docs.lithic.com/reference/getdisputes (explode: false, maxItems: 50)',
    isKept: ({ query }) => {
      const list = query.get('transaction_tokens')?.split(',') ?? []
      return list.length <= 50 && list.every(isUuid) && !query.has('transaction_tokens[]')
    },
  },
  {
    at: 'POST /v1/disputes',
    rule: 'amount is a whole number of cents above 0, transaction_token a UUID',
    source: DISPUTES,
    isKept: ({ body }) => Number.isSafeInteger(body['amount']) && body['amount'] > 0 && isUuid(body['transaction_token']),
  },
  {
    at: 'POST /v1/disputes',
    rule: 'customer_note has at most 5000 characters',
    source: DISPUTES,
    isKept: ({ body }) => body['customer_note'] === undefined || (isText(body['customer_note']) && body['customer_note'].length <= LITHIC_NOTE_LENGTH),
  },
  {
    at: 'POST /v1/disputes/{dispute}/evidences',
    rule: 'evidence is a jpg, png or pdf file',
    source: EVIDENCE,
    isKept: ({ body }) => body['filename'] === undefined || LITHIC_EVIDENCE_TYPES.includes(String(body['filename']).split('.').at(-1)!.toLowerCase()),
  },
]

/** The first rule that a request breaks. */
export const findBrokenLithicRule = (at: string, request: LithicRequest): LithicRule | undefined =>
  LITHIC_RULES.find((one) => one.at === at && !one.isKept(request))
