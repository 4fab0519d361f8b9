type Form = Record<string, any>

/** A request to Stripe as the rules see it. */
export interface IssuingRequest {
  readonly form: Form
  /** Fields as sent: `billing[address][line2]` and its text. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly now: number
  /** Countries of cardholders that the programme allows; undefined: any. */
  readonly countries: readonly string[] | undefined
}
/** Refusal of a request: the parameter that Stripe names, and its code. */
export interface IssuingRefusal {
  readonly param: string
  readonly code?: string
}
export interface IssuingRule {
  /** Method and path, as in the oracle's table. */
  readonly at: string
  readonly rule: string
  readonly source: string
  readonly findRefusal: (request: IssuingRequest) => IssuingRefusal | undefined
}

const HOLDERS = 'https://docs.stripe.com/api/issuing/cardholders/create'
const CARDS = 'https://docs.stripe.com/api/issuing/cards/create'
const DISPUTES = 'https://docs.stripe.com/api/issuing/disputes/create'
const METADATA = 'https://docs.stripe.com/api/metadata'
const KEYS = 'https://docs.stripe.com/api/idempotent_requests'
const ELEMENTS = 'https://docs.stripe.com/issuing/elements'

export const ISSUING_NAME_LENGTH = 24
export const ISSUING_NAME = /^[A-Za-z .,'-]+$/
/** Least age in years: "must be older than 13 years old". */
export const ISSUING_AGE = 13
export const ISSUING_METADATA = { keys: 50, key: 40, value: 500 } as const
export const ISSUING_KEY_LENGTH = 255
export const ISSUING_EXPLANATION_LENGTH = 5000
/** An authorisation webhook is answered within two seconds, with status, `Stripe-Version` and JSON; otherwise the default action is taken. */
export const ISSUING_DECISION = { withinMs: 2_000, source: 'https://docs.stripe.com/issuing/controls/real-time-authorizations' } as const
/** Live mode tries for up to three days with growing intervals, which are not published: these are ours. */
export const ISSUING_EVENT_SCHEDULE = {
  seconds: [60, 300, 1800, 7200, 18_000, 36_000, 43_200, 43_200, 86_400],
  source: 'https://docs.stripe.com/webhooks',
} as const
/** Disputes are submitted within so many days of the transaction. */
export const ISSUING_SUBMIT_DAYS = { days: 110, source: 'https://docs.stripe.com/issuing/purchases/disputes' } as const

/** Fields whose empty text unsets a value: the SDK's types have them as `Emptyable`, or as metadata. */
const UNSETTABLE: Readonly<Record<string, RegExp>> = {
  'POST /v1/issuing/cards': /^(metadata(\[.+\])?|second_line)$/,
  'POST /v1/issuing/cards/{card}': /^metadata(\[.+\])?$/,
  'POST /v1/issuing/cardholders': /^metadata(\[.+\])?$/,
  'POST /v1/issuing/disputes': /^(metadata(\[.+\])?|evidence\[\w+\](\[\w+\])?)$/,
}

const missing = (form: Form, names: readonly string[]): IssuingRefusal | undefined => {
  const absent = names.find(
    (name) =>
      name
        .split(/[[\]]+/)
        .filter(Boolean)
        .reduce<any>((at, step) => at?.[step], form) === undefined,
  )
  return absent === undefined ? undefined : { param: absent, code: 'parameter_missing' }
}
const isCents = (value: unknown): boolean => /^[1-9]\d{0,11}$/.test(String(value))

function isOldEnough(dob: Form | undefined, now: number): boolean {
  if (!dob) return true
  const { year, month, day } = dob as Record<string, string>
  const born = Date.UTC(Number(year) + ISSUING_AGE, Number(month) - 1, Number(day))
  return !Number.isNaN(born) && born <= now
}

function findMetadataRefusal({ form }: IssuingRequest): IssuingRefusal | undefined {
  const all = Object.entries((form['metadata'] ?? {}) as Record<string, string>)
  if (all.length > ISSUING_METADATA.keys) return { param: 'metadata' }
  const wrong = all.find(([key, value]) => key.length > ISSUING_METADATA.key || value.length > ISSUING_METADATA.value)
  return wrong && { param: `metadata[${wrong[0]}]` }
}

const POSTS = ['POST /v1/issuing/cardholders', 'POST /v1/issuing/cards', 'POST /v1/issuing/cards/{card}', 'POST /v1/issuing/disputes']
const SUBMIT = 'POST /v1/issuing/disputes/{dispute}/submit'

const onEvery = (
  list: readonly string[],
  row: Omit<IssuingRule, 'at' | 'findRefusal'> & { findRefusal: (request: IssuingRequest, at: string) => IssuingRefusal | undefined },
) => list.map((at): IssuingRule => ({ ...row, at, findRefusal: (request) => row.findRefusal(request, at) }))

export const ISSUING_RULES: readonly IssuingRule[] = [
  ...onEvery([...POSTS, SUBMIT, 'POST /v1/ephemeral_keys'], {
    rule: 'no parameter is an empty string, unless that unsets it',
    source: 'https://docs.stripe.com/error-codes/parameter-invalid-empty, https://github.com/stripe/stripe-dotnet/issues/1828',
    findRefusal: ({ fields }, at) => {
      const empty = fields.find(([name, value]) => value === '' && !UNSETTABLE[at]?.test(name))
      return empty && { param: empty[0], code: 'parameter_invalid_empty' }
    },
  }),
  ...onEvery([...POSTS, SUBMIT, 'POST /v1/ephemeral_keys'], {
    rule: 'an Idempotency-Key has at most 255 characters',
    source: KEYS,
    findRefusal: ({ headers }) => (String(headers['idempotency-key'] ?? '').length > ISSUING_KEY_LENGTH ? { param: 'Idempotency-Key' } : undefined),
  }),
  ...onEvery(POSTS, { rule: 'metadata has at most 50 keys of 40 characters, values of 500', source: METADATA, findRefusal: findMetadataRefusal }),
  {
    at: 'POST /v1/issuing/cardholders',
    rule: 'name and the billing address with line1, city, postal_code and country are required',
    source: HOLDERS,
    findRefusal: ({ form }) =>
      missing(form, ['name', 'billing[address][line1]', 'billing[address][city]', 'billing[address][postal_code]', 'billing[address][country]']),
  },
  {
    at: 'POST /v1/issuing/cardholders',
    rule: 'name has at most 24 characters, without digits or special characters',
    source: HOLDERS,
    findRefusal: ({ form }) => (form['name'].length <= ISSUING_NAME_LENGTH && ISSUING_NAME.test(form['name']) ? undefined : { param: 'name' }),
  },
  {
    at: 'POST /v1/issuing/cardholders',
    rule: 'first and last name of an individual are required before cards are active: Latin letters, periods, commas, hyphens, spaces, apostrophes',
    source: HOLDERS,
    findRefusal: ({ form }) => {
      const wrong = ['first_name', 'last_name'].find((name) => !ISSUING_NAME.test(form['individual']?.[name] ?? ''))
      return wrong === undefined ? undefined : { param: `individual[${wrong}]` }
    },
  },
  {
    at: 'POST /v1/issuing/cardholders',
    rule: 'individual[dob] is a date; the holder is older than 13 years',
    source: HOLDERS,
    findRefusal: ({ form, now }) => (isOldEnough(form['individual']?.dob, now) ? undefined : { param: 'individual[dob][year]' }),
  },
  {
    at: 'POST /v1/issuing/cardholders',
    rule: 'the country has two capital letters and is one of the programme',
    source: `${HOLDERS}, https://docs.stripe.com/issuing/global`,
    findRefusal: ({ form, countries }) => {
      const { country } = form['billing'].address as { country: string }
      return /^[A-Z]{2}$/.test(country) && (countries?.includes(country) ?? true)
        ? undefined
        : { param: 'billing[address][country]', code: 'country_unsupported' }
    },
  },
  {
    at: 'POST /v1/issuing/cardholders',
    rule: 'the billing address is a street',
    source: 'https://docs.stripe.com/issuing/connect/cardholders-controls',
    findRefusal: ({ form }) => (/\bP\.? ?O\.? ?BOX\b/i.test(form['billing'].address.line1) ? { param: 'billing[address][line1]' } : undefined),
  },
  {
    at: 'POST /v1/issuing/cardholders',
    rule: 'phone_number can be written as E.164',
    source: HOLDERS,
    findRefusal: ({ form }) => {
      const { phone_number: phone } = form
      return phone === undefined || /^\+[1-9]\d{6,14}$/.test(phone) ? undefined : { param: 'phone_number' }
    },
  },
  {
    at: 'POST /v1/issuing/cards',
    rule: 'cardholder, currency and type are required',
    source: CARDS,
    findRefusal: ({ form }) => missing(form, ['cardholder', 'currency', 'type']),
  },
  {
    at: 'POST /v1/issuing/cards',
    rule: 'the currency is that of the programme, in small letters',
    source: CARDS,
    findRefusal: ({ form }) => (form['currency'] === 'usd' ? undefined : { param: 'currency', code: 'invalid_currency' }),
  },
  {
    at: 'POST /v1/issuing/cards',
    rule: 'spending limits are whole cents above 0 with an interval',
    source: CARDS,
    findRefusal: ({ form }) => {
      const limits = Object.values((form['spending_controls']?.spending_limits ?? {}) as Record<string, Form>)
      const wrong = limits.findIndex(({ amount, interval }) => !isCents(amount) || !interval)
      return wrong < 0 ? undefined : { param: `spending_controls[spending_limits][${wrong}][amount]`, code: 'parameter_invalid_integer' }
    },
  },
  {
    at: 'POST /v1/issuing/cards',
    rule: 'exp_month and exp_year come together, and not in the past',
    source: CARDS,
    findRefusal: ({ form, now }) => {
      const { exp_month: month, exp_year: year } = form
      if (month === undefined && year === undefined) return undefined
      if (month === undefined || !/^([1-9]|1[0-2])$/.test(month)) return { param: 'exp_month', code: 'invalid_expiry_month' }
      return year !== undefined && /^\d{4}$/.test(year) && Date.UTC(Number(year), Number(month), 1) > now
        ? undefined
        : { param: 'exp_year', code: 'invalid_expiry_year' }
    },
  },
  {
    at: 'POST /v1/issuing/cards',
    rule: 'replacement_reason comes with replacement_for',
    source: CARDS,
    findRefusal: ({ form }) => (form['replacement_for'] ? missing(form, ['replacement_reason']) : undefined),
  },
  {
    at: 'POST /v1/issuing/disputes',
    rule: 'transaction is required; the amount is whole cents above 0',
    source: DISPUTES,
    findRefusal: ({ form }) =>
      missing(form, ['transaction']) ??
      (form['amount'] === undefined || isCents(form['amount']) ? undefined : { param: 'amount', code: 'parameter_invalid_integer' }),
  },
  {
    at: 'POST /v1/issuing/disputes',
    rule: 'the evidence stands under the name of its reason, with an explanation of at most 5000 characters',
    source: `${DISPUTES}, https://docs.stripe.com/issuing/purchases/disputes/how-to-submit`,
    findRefusal: ({ form }) => {
      const { reason } = (form['evidence'] ?? {}) as Form
      const own = Object.keys((form['evidence'] ?? {}) as Form).filter((name) => name !== 'reason')
      if (!reason) return { param: 'evidence[reason]', code: 'parameter_missing' }
      const explanation = form['evidence'][reason]?.explanation as string | undefined
      const isRight = own.length === 1 && own[0] === reason && explanation !== undefined && explanation.length <= ISSUING_EXPLANATION_LENGTH
      return isRight ? undefined : { param: `evidence[${reason}][explanation]` }
    },
  },
  {
    at: 'POST /v1/ephemeral_keys',
    rule: 'issuing_card and nonce are required for a card',
    source: ELEMENTS,
    findRefusal: ({ form }) => missing(form, ['issuing_card', 'nonce']),
  },
  {
    at: 'POST /v1/ephemeral_keys',
    rule: 'the header Stripe-Version is required',
    source: ELEMENTS,
    findRefusal: ({ headers }) => (headers['stripe-version'] ? undefined : { param: 'Stripe-Version' }),
  },
]

/** The first rule that a request breaks, with the parameter that Stripe names. */
export function findBrokenIssuingRule(at: string, request: IssuingRequest): (IssuingRefusal & { readonly rule: string }) | undefined {
  for (const { rule, findRefusal } of ISSUING_RULES.filter((one) => one.at === at)) {
    const refusal = findRefusal(request)
    if (refusal) return { ...refusal, rule }
  }
  return undefined
}
