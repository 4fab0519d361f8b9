import { describe, expect, it } from 'vitest'
import type { Surface } from './deps.ts'
import { API_ERROR_CAUSES, formatRefusal } from './errors.ts'

const SURFACES: readonly Surface[] = ['openai', 'anthropic', 'gemini']
const ANTHROPIC_TYPES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

describe.each(SURFACES)('errors on the %s surface', (surface) => {
  it.each(API_ERROR_CAUSES)("%s has the vendor's shape", (cause) => {
    const shaped = formatRefusal(surface, { cause, message: 'why', field: 'model' }, 'req_1')
    const body = JSON.parse(shaped.body) as { error: { type: string; code: unknown } }
    expect(shaped.status).toBeGreaterThanOrEqual(400)
    if (surface === 'openai') {
      expect(body).toEqual({ error: { message: 'why', type: expect.any(String), param: 'model', code: body.error.code } })
    } else if (surface === 'anthropic') {
      expect(body).toMatchObject({ type: 'error', error: { message: 'why' }, request_id: 'req_1' })
      expect(Object.keys(ANTHROPIC_TYPES)).toContain(body.error.type)
    } else {
      expect(body).toMatchObject({ error: { code: shaped.status, message: 'why', status: expect.stringMatching(/^[A-Z_]+$/) } })
    }
  })
})

describe('money refusals', () => {
  const money = (surface: Surface): { status: number; retry: boolean; body: unknown } => {
    const shaped = formatRefusal(surface, { cause: 'no_money', message: 'm' }, 'r')
    return { ...shaped, body: JSON.parse(shaped.body) }
  }
  it('OpenAI: 429 insufficient_quota, no retry', () =>
    expect(money('openai')).toMatchObject({ status: 429, retry: false, body: { error: { type: 'insufficient_quota', code: 'credit_balance_exhausted' } } }))
  it('Anthropic: 402 billing_error, no retry', () =>
    expect(money('anthropic')).toMatchObject({ status: 402, retry: false, body: { error: { type: 'billing_error' } } }))
  it('Gemini: RESOURCE_EXHAUSTED, no retry', () =>
    expect(money('gemini')).toMatchObject({ status: 429, retry: false, body: { error: { status: 'RESOURCE_EXHAUSTED' } } }))
})
