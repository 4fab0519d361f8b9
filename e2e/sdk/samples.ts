/** Inputs shared by the tests. */
export const SAMPLE_WEATHER_SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false } as const
export const WEATHER_DESCRIPTION = 'The current weather of a city'
export const WEATHER_QUESTION = 'What is the weather in Paris?'
export const TWO_CITIES = 'In parallel: what is the weather in Paris and the weather in London?'

export const SAMPLE_RECEIPT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['merchant', 'total', 'currency', 'items', 'paid'],
  properties: {
    merchant: { type: 'string' },
    total: { type: 'number', minimum: 0 },
    currency: { type: 'string', enum: ['USD', 'CNY'] },
    items: {
      type: 'array',
      items: { type: 'object', additionalProperties: false, required: ['name', 'count'], properties: { name: { type: 'string' }, count: { type: 'integer' } } },
    },
    paid: { type: 'boolean' },
  },
} as const
export const RECEIPT_QUESTION = 'Extract the receipt: Corner Shop, 12.5 CNY, paid.'

export interface ParsedReceipt {
  readonly merchant: string
  readonly total: number
  readonly currency: string
  readonly items: readonly { readonly name: string; readonly count: number }[]
  readonly paid: boolean
}

/** A red 1x1 PNG. */
export const SAMPLE_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** A prefix longer than any vendor's minimum cacheable length; `nonce` keeps runs from hitting each other's cache. */
export function buildLongText(nonce: string): string {
  return `Handbook ${nonce}. ${'Every charge names its tokens, its unit price and its sum. '.repeat(160)}`
}

export function createNonce(): string {
  return crypto.randomUUID()
}

/** Collects the values of an async iterable. */
export async function collectAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Returns the error with which a promise rejects; a promise that resolves fails the test. */
export async function expectRejection(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (!outcome) throw new Error('expected a rejection')
  return outcome.error
}
