import { countCharacters } from '../../kit/field-rules.ts'
import type { FieldRule, RuleContent, VendorFigure } from '../../kit/field-rules.ts'

const SESSIONS = ['POST /v1/checkout/sessions']
const INTENTS = ['POST /v1/payment_intents']
const REFUNDS = ['POST /v1/refunds']
const CUSTOMERS = ['POST /v1/customers']
const DISPUTES = ['POST /v1/disputes/{dispute}']
const DOCS = 'https://docs.stripe.com'
/** Lengths in Stripe's published OpenAPI document. */
const OPENAPI = 'https://github.com/stripe/openapi/blob/master/openapi/spec3.json'
const METADATA = `${DOCS}/api/metadata`

/** Figures that the product keeps too: the tests of the feature compare them. */
export const STRIPE_FIGURES = {
  leastUsdCents: { value: 50, source: `${DOCS}/currencies#minimum-and-maximum-charge-amounts` },
  sessionLeastSeconds: { value: 1800, source: `${DOCS}/api/checkout/sessions/create#create_checkout_session-expires_at` },
  sessionMostSeconds: { value: 86_400, source: `${DOCS}/api/checkout/sessions/create#create_checkout_session-expires_at` },
  alipayRefundDays: { value: 90, source: `${DOCS}/payments/alipay#refunds` },
  wechatPayRefundDays: { value: 180, source: `${DOCS}/payments/wechat-pay#refunds` },
  evidenceTextCharacters: { value: 20_000, source: `${DOCS}/api/disputes/evidence_object` },
  evidenceTotalCharacters: { value: 150_000, source: `${DOCS}/disputes/responding` },
  signatureToleranceSeconds: { value: 300, source: `${DOCS}/webhooks#replay-attacks` },
} as const satisfies Record<string, VendorFigure>

const isAtMost = (most: number) => (text: unknown) => typeof text === 'string' && countCharacters(text) <= most
const isUrl = (text: unknown) => typeof text === 'string' && /^https?:\/\//.test(text) && countCharacters(text) <= 5000
const isMetadata = (data: unknown) =>
  typeof data === 'object' &&
  data !== null &&
  Object.keys(data).length <= 50 &&
  Object.entries(data).every(([key, value]) => countCharacters(key) <= 40 && !/[[\]]/.test(key) && countCharacters(String(value)) <= 500)
const isDescriptor = (text: unknown) => typeof text === 'string' && /^(?=.*[A-Za-z])[^<>\\'"*]{5,22}$/.test(text)
const isWholeNumber = (text: unknown) => /^[1-9]\d{0,7}$/.test(String(text))
const isLargeEnough = (amount: unknown, currency: unknown) => currency !== 'usd' || Number(amount) >= STRIPE_FIGURES.leastUsdCents.value
const life = (content: RuleContent, now: Date) => Number(content['expires_at']) - Math.floor(now.getTime() / 1000)
const itemsOf = (content: RuleContent) => (content['line_items'] ?? []) as RuleContent[]
const totalOf = (content: RuleContent) => itemsOf(content).reduce((sum, item) => sum + Number(item['price_data']?.unit_amount) * Number(item['quantity']), 0)

export const STRIPE_PAYMENT_RULES: readonly FieldRule[] = [
  {
    calls: SESSIONS,
    field: 'expires_at',
    rule: 'at least 30 minutes and at most 24 hours after the creation',
    holds: (_, content, now) => life(content, now) >= STRIPE_FIGURES.sessionLeastSeconds.value && life(content, now) <= STRIPE_FIGURES.sessionMostSeconds.value,
    code: '',
    source: STRIPE_FIGURES.sessionLeastSeconds.source,
  },
  {
    calls: SESSIONS,
    field: 'success_url',
    rule: 'required for a page at Stripe; an absolute address of at most 5000 characters',
    required: true,
    holds: isUrl,
    code: 'url_invalid',
    source: `${DOCS}/api/checkout/sessions/create#create_checkout_session-success_url`,
  },
  { calls: SESSIONS, field: 'cancel_url', rule: 'an absolute address of at most 5000 characters', holds: isUrl, code: 'url_invalid', source: OPENAPI },
  { calls: SESSIONS, field: 'client_reference_id', rule: 'at most 200 characters', holds: isAtMost(200), code: '', source: OPENAPI },
  {
    calls: SESSIONS,
    field: 'currency',
    rule: 'required in setup mode without payment_method_types',
    required: true,
    holds: (value, content) => content['mode'] !== 'setup' || content['payment_method_types'] !== undefined || value !== undefined,
    code: 'parameter_missing',
    source: `${DOCS}/api/checkout/sessions/create#create_checkout_session-currency`,
  },
  {
    calls: SESSIONS,
    field: 'line_items',
    rule: 'required in payment mode; whole numbers, one currency, and together at least the minimum charge',
    required: true,
    holds: (_, content) =>
      content['mode'] !== 'payment' ||
      (itemsOf(content).length > 0 &&
        itemsOf(content).every((item) => isWholeNumber(item['price_data']?.unit_amount) && isWholeNumber(item['quantity'])) &&
        new Set(itemsOf(content).map((item) => item['price_data'].currency as string)).size === 1 &&
        isLargeEnough(totalOf(content), itemsOf(content)[0]!['price_data'].currency)),
    code: 'amount_too_small',
    source: STRIPE_FIGURES.leastUsdCents.source,
  },
  {
    calls: SESSIONS,
    field: 'payment_method_options',
    rule: 'wechat_pay.client is required, and `web` in Checkout',
    required: true,
    holds: (options: RuleContent | undefined, content) =>
      !(content['allowed_payment_method_types'] as string[] | undefined)?.includes('wechat_pay') || options?.['wechat_pay']?.client === 'web',
    code: 'parameter_missing',
    source: `${DOCS}/payments/wechat-pay/accept-a-payment?platform=checkout`,
  },
  {
    calls: SESSIONS,
    field: 'payment_intent_data',
    rule: 'only in payment mode',
    holds: (_, content) => content['mode'] === 'payment',
    code: '',
    source: `${DOCS}/api/checkout/sessions/create#create_checkout_session-payment_intent_data`,
  },
  {
    calls: SESSIONS,
    field: 'setup_intent_data',
    rule: 'only in setup mode',
    holds: (_, content) => content['mode'] === 'setup',
    code: '',
    source: `${DOCS}/api/checkout/sessions/create#create_checkout_session-setup_intent_data`,
  },
  { calls: SESSIONS, field: 'payment_intent_data.description', rule: 'at most 1000 characters', holds: isAtMost(1000), code: '', source: OPENAPI },
  ...['metadata', 'payment_intent_data.metadata', 'setup_intent_data.metadata'].map((field): FieldRule => ({
    calls: [...SESSIONS, ...INTENTS, ...REFUNDS, ...CUSTOMERS, ...DISPUTES],
    field,
    rule: 'at most 50 keys of at most 40 characters without brackets, values of at most 500 characters',
    holds: isMetadata,
    code: '',
    source: METADATA,
  })),
  ...['statement_descriptor', 'payment_intent_data.statement_descriptor'].map((field): FieldRule => ({
    calls: [...SESSIONS, ...INTENTS],
    field,
    rule: '5 to 22 characters, a letter among them, without < > \\ \' " *',
    holds: isDescriptor,
    code: 'invalid_statement_descriptor',
    source: `${DOCS}/get-started/account/statement-descriptors`,
  })),
  {
    calls: INTENTS,
    field: 'amount',
    rule: 'a whole number of at most eight digits, at least 0.50 USD',
    required: true,
    holds: (value, content) => isWholeNumber(value) && isLargeEnough(value, content['currency']),
    code: 'amount_too_small',
    source: STRIPE_FIGURES.leastUsdCents.source,
  },
  {
    calls: INTENTS,
    field: 'off_session',
    rule: 'only with confirm, and with the payment method of a customer',
    holds: (value, content) => value !== 'true' || (content['confirm'] === 'true' && Boolean(content['customer']) && Boolean(content['payment_method'])),
    code: 'parameter_missing',
    source: `${DOCS}/api/payment_intents/create#create_payment_intent-off_session`,
  },
  { calls: INTENTS, field: 'description', rule: 'at most 1000 characters', holds: isAtMost(1000), code: '', source: OPENAPI },
  {
    calls: REFUNDS,
    field: 'payment_intent',
    rule: 'a charge or a payment intent is required',
    required: true,
    holds: (value, content) => Boolean(value ?? content['charge']),
    code: 'parameter_missing',
    source: `${DOCS}/api/refunds/create`,
  },
  {
    calls: REFUNDS,
    field: 'amount',
    rule: 'a positive whole number',
    holds: isWholeNumber,
    code: 'parameter_invalid_integer',
    source: `${DOCS}/api/refunds/create`,
  },
  {
    calls: DISPUTES,
    field: 'evidence',
    rule: 'each text at most 20,000 characters, all of them at most 150,000',
    holds: (evidence: RuleContent) =>
      Object.values(evidence).every((text) => countCharacters(String(text)) <= STRIPE_FIGURES.evidenceTextCharacters.value) &&
      Object.values(evidence).reduce((sum: number, text) => sum + countCharacters(String(text)), 0) <= STRIPE_FIGURES.evidenceTotalCharacters.value,
    code: '',
    source: STRIPE_FIGURES.evidenceTextCharacters.source,
  },
]

/** Days after a payment in which it can be refunded, by its method; a card has no limit of Stripe's. */
export const STRIPE_REFUND_DAYS: Readonly<Record<string, number>> = {
  alipay: STRIPE_FIGURES.alipayRefundDays.value,
  wechat_pay: STRIPE_FIGURES.wechatPayRefundDays.value,
}
