import { randomUUID } from 'node:crypto'
import { countCharacters } from '../kit/field-rules.ts'
import type { StandInReply, StandInRequest } from '../kit/server.ts'

/** Shared by all of Stripe's resources: versions, keys, errors, idempotency, lists. */

/** The version that the SDK in use is made for: node_modules/stripe/esm/apiVersion.js. */
export const STRIPE_API_VERSION = '2026-10-28.endive'
/** https://docs.stripe.com/api/idempotent_requests */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255
const IDEMPOTENCY_SECONDS = 86_400

/** https://docs.stripe.com/api/errors */
export interface StripeErrorFacts {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  readonly message: string
  readonly code?: string
  readonly param?: string
  readonly decline_code?: string
  readonly payment_intent?: object
}
/** Status and body of an answer. */
export type StripeAnswer = readonly [number, unknown]

export const createStripeId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`

export const failStripe = (status: number, error: StripeErrorFacts): StripeAnswer => [status, { error }]
export const refuseStripe = (code: string, message = code, param?: string): StripeAnswer =>
  failStripe(400, { type: 'invalid_request_error', message, ...(code ? { code } : {}), ...(param ? { param } : {}) })
export const missStripe = (what: string): StripeAnswer =>
  failStripe(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}`, param: 'id' })

export const toStripeReply = ([status, value]: StripeAnswer): StandInReply => ({
  status,
  headers: { 'content-type': 'application/json', 'request-id': createStripeId('req') },
  body: JSON.stringify(value),
})

/** Refuses a request before its parameters are read: wrong key, version or encoding. */
export function refuseStripeHeaders({ method, headers }: StandInRequest, secretKey: string): StripeAnswer | undefined {
  if (headers.authorization !== `Bearer ${secretKey}`)
    return failStripe(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${String(headers.authorization).slice(-30)}` })
  if (headers['stripe-version'] !== STRIPE_API_VERSION) return refuseStripe('', `Invalid Stripe API version: ${String(headers['stripe-version'])}`)
  if (method === 'POST' && headers['content-type'] !== 'application/x-www-form-urlencoded')
    return refuseStripe('', 'Invalid request: the body must be application/x-www-form-urlencoded')
  return undefined
}

/**
 * Answers kept by idempotency key for a day. A key with other parameters, or at another endpoint, is an error; a request that failed
 * validation is not kept. https://docs.stripe.com/api/idempotent_requests
 */
export function createIdempotencyStore(now: () => Date) {
  const kept = new Map<string, { readonly call: string; readonly body: string; readonly answer: StripeAnswer; readonly at: number }>()
  const seconds = () => Math.floor(now().getTime() / 1000)
  return (request: StandInRequest, work: () => { readonly answer: StripeAnswer; readonly isValid: boolean }): StripeAnswer => {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string' || request.method !== 'POST') return work().answer
    if (countCharacters(key) > MAX_IDEMPOTENCY_KEY_LENGTH || key === '')
      return refuseStripe('', `The idempotency key may have ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`)
    const call = `${request.method} ${request.path}`
    const found = kept.get(key)
    const known = found && seconds() - found.at < IDEMPOTENCY_SECONDS ? found : undefined
    if (known && (known.call !== call || known.body !== request.body))
      return failStripe(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used ${known.call === call ? 'with the same parameters they were first used with' : 'for the same endpoint they were first used for'}`,
      })
    if (known) return known.answer
    const { answer, isValid } = work()
    if (isValid) kept.set(key, { call, body: request.body, answer, at: seconds() })
    return answer
  }
}

/** One page of a list, newest first. https://docs.stripe.com/api/pagination: `limit` between 1 and 100. */
export function listStripe(all: readonly { readonly id: string }[], query: URLSearchParams, url: string): StripeAnswer {
  const after = query.get('starting_after')
  const from = after ? all.findIndex(({ id }) => id === after) + 1 : 0
  const size = Number(query.get('limit') ?? 10)
  if (!Number.isInteger(size) || size < 1 || size > 100) return refuseStripe('parameter_invalid_integer', 'limit must be between 1 and 100', 'limit')
  return [200, { object: 'list', url, data: all.slice(from, from + size), has_more: all.length > from + size }]
}

export function isCreatedWithin(created: number, query: URLSearchParams): boolean {
  const [gte, lt, lte] = ['created[gte]', 'created[lt]', 'created[lte]'].map((name) => query.get(name))
  return (!gte || created >= Number(gte)) && (!lt || created < Number(lt)) && (!lte || created <= Number(lte))
}
