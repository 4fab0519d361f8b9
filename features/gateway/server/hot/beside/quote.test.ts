import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, callLab, openLab } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await openLab()
})
afterEach(async () => {
  expect(lab.upstream.seen).toEqual([])
  expect(lab.journal.reserved).toEqual([])
  await lab.close()
})
const quote = async (body: unknown, query = '', headers: Record<string, string> = {}): Promise<Record<string, any>> => {
  const answer = await callLab(lab, { path: `/v1/quote${query}`, body, headers })
  return { status: answer.status, headers: answer.headers, ...(JSON.parse(answer.body) as Record<string, any>) }
}

describe('POST /v1/quote', () => {
  it('says the most a body can cost, in parts that add up, and what would be held', async () => {
    const answer = await quote(CHAT_REQUEST)
    // One token per byte, plus what the vendor wraps around it.
    const input = JSON.stringify(CHAT_REQUEST).length + 500
    // Most expensive input: audio at $30 per million tokens; output: audio at $60.
    expect(answer).toMatchObject({
      status: 200,
      object: 'quote',
      model: 'm',
      dialect: 'openai-chat',
      allowed: true,
      refused_by: null,
      price_version: 7,
      parts: [
        { kind: 'input', tokens: input, price_per_million: '30' },
        { kind: 'output', tokens: 100, price_per_million: '60', amount: '0.006' },
      ],
    })
    expect(answer['max_cost']).toBe(answer['hold'])
    expect(Number(answer['max_cost'])).toBeCloseTo(input * 30e-6 + 0.006, 9)
    expect(lab.journal.events).toEqual(['forgo'])
  })

  it('a request without a cap is quoted at the model’s maximum, or at the cap that the balance covers', async () => {
    const { parts, max_cost: most, hold, output_cap: none } = await quote({ model: 'm', messages: [] })
    expect(parts[1].tokens).toBe(16_384)
    expect(hold).toBe(most)
    expect(none).toBeNull()
    lab.journal.admitAs = { leaseId: 1n, granted: 500_000_000n }
    const less = await quote({ model: 'm', messages: [] })
    expect(less).toMatchObject({ max_cost: most, hold: '0.5', allowed: true })
    expect(less['output_cap']).toBeGreaterThan(7_000)
    expect(Number(less['least_cost'])).toBeLessThan(0.1)
  })

  it.each([
    [{ model: 'm', messages: [], max_tokens: 1 }, '', {}, 'openai-chat'],
    [{ model: 'm', messages: [], max_tokens: 1 }, '', { 'anthropic-version': '2023-06-01' }, 'anthropic-messages'],
    [{ model: 'm', messages: [], max_tokens: 1 }, '?dialect=anthropic-messages', {}, 'anthropic-messages'],
    [{ model: 'm', input: 'x', max_output_tokens: 1 }, '', {}, 'openai-responses'],
    [{ model: 'm', contents: [], generationConfig: { maxOutputTokens: 1 } }, '', {}, 'gemini-generate'],
    [{ contents: [], generationConfig: { maxOutputTokens: 1 } }, '?model=models/m', {}, 'gemini-generate'],
  ])('%j%s is recognized as its dialect', async (body, query, headers, dialect) => {
    const answer = await quote(body, query, headers)
    expect(answer).toMatchObject({ status: 200, dialect, model: 'm' })
    expect(answer['parts'][1].tokens).toBe(1)
  })

  it('refuses what a call would be refused for', async () => {
    expect(await quote(CHAT_REQUEST, '?dialect=klingon')).toMatchObject({ status: 400, error: { param: 'dialect' } })
    expect(await quote({ ...CHAT_REQUEST, model: 'none' })).toMatchObject({ status: 404, error: { code: 'model_not_found' } })
    expect(await quote('{')).toMatchObject({ status: 400 })
    lab.limit({ models: ['other'] })
    expect(await quote(CHAT_REQUEST)).toMatchObject({ status: 403, error: { code: 'model_not_allowed' } })
    expect((await callLab(lab, { path: '/v1/quote' })).status).toBe(405)
    expect((await callLab(lab, { path: '/v1/quote', body: CHAT_REQUEST, headers: { authorization: 'Bearer nobody' } })).status).toBe(401)
  })

  it('names the limit that blocks the call, counts nothing, and shows the headers of a call', async () => {
    lab.limit({ counted: true })
    lab.quota.standing = { requests: { limit: 3, left: 2, resetMs: 5 }, tokens: undefined }
    lab.quota.refusal = { by: 'day', limit: 2_000_000_000n, used: 1_990_000_000n, retryMs: undefined }
    const refused = await quote(CHAT_REQUEST)
    expect(refused).toMatchObject({ status: 200, allowed: false, refused_by: { limit: 'day_budget', allowed: '2', used: '1.99', retry_after_ms: null } })
    expect(refused['headers']['x-ratelimit-remaining-requests']).toBe('2')
    lab.quota.refusal = { by: 'requests', limit: 3n, used: 3n, retryMs: 900 }
    expect(await quote(CHAT_REQUEST)).toMatchObject({ refused_by: { limit: 'requests_per_minute', allowed: 3, used: 3, retry_after_ms: 900 } })
    lab.quota.refusal = undefined
    lab.journal.admitAs = 'insufficient_balance'
    expect(await quote(CHAT_REQUEST)).toMatchObject({ allowed: false, refused_by: { limit: 'balance', missing: expect.stringMatching(/^0\.0\d+$/) as string } })
    expect(lab.journal.events).toEqual([])
    expect(lab.quota.ends).toEqual([])
  })
})
