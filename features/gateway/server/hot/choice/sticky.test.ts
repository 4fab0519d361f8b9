import { describe, expect, it } from 'vitest'
import type { GatewayCall } from '../call.ts'
import { computeUpstreamScore, computeStickyHash } from './sticky.ts'

const computeHash = (body: object, headers: string[] = [], accountId = 1n): number =>
  computeStickyHash({ apiKey: { accountId }, head: { forward: headers }, body: Buffer.from(JSON.stringify(body)) } as unknown as GatewayCall)
const turn = (content: string, role = 'user') => ({ role, content })

const findWinner = (hash: number, upstreams: Readonly<Record<string, number>>): string =>
  Object.entries(upstreams)
    .map(([id, weight]) => ({ id, score: computeUpstreamScore(hash, id, weight) }))
    .sort((a, b) => b.score - a.score)[0]!.id

describe('sticky hash', () => {
  it.each([
    ['a session header', {}, ['Session_ID', 's1'], ['Session_ID', 's2']],
    ['Claude Code', {}, ['X-Claude-Code-Session-Id', 's1'], ['X-Claude-Code-Session-Id', 's2']],
  ])('%s', (_name, body, one, other) => {
    expect(computeHash({ ...body, messages: [turn('a')] }, one)).toBe(computeHash({ messages: [turn('b')] }, one))
    expect(computeHash(body, one)).not.toBe(computeHash(body, other))
  })

  it.each([
    ['prompt_cache_key', { prompt_cache_key: 'k' }, { prompt_cache_key: 'l' }],
    ['metadata.user_id', { metadata: { user_id: 'k', x: 1 } }, { metadata: { user_id: 'l' } }],
    ['safety_identifier', { safety_identifier: 'k' }, { safety_identifier: 'l' }],
    ['user', { user: 'k' }, { user: 'l' }],
  ])('%s decides, whatever the messages are', (_name, one, other) => {
    expect(computeHash({ ...one, messages: [turn('a')] })).toBe(computeHash({ messages: [turn('b')], ...one }))
    expect(computeHash(one)).not.toBe(computeHash(other))
  })

  it.each([
    ['chat', (first: string, ...more: object[]) => ({ messages: [turn('Be brief.', 'system'), turn(first), ...more] })],
    ['responses', (first: string, ...more: object[]) => ({ instructions: 'Be brief.', input: [turn(first), ...more] })],
    ['messages', (first: string, ...more: object[]) => ({ system: 'Be brief.', messages: [turn(first), ...more] })],
    ['gemini', (first: string, ...more: object[]) => ({ systemInstruction: { parts: [] }, contents: [{ role: 'user', parts: [{ text: first }] }, ...more] })],
  ])('%s: the beginning of the conversation decides, not its end', (_name, of) => {
    expect(computeHash(of('Hi'))).toBe(computeHash(of('Hi', turn('Hello', 'assistant'), turn('Go on'))))
    expect(computeHash(of('Hi'))).not.toBe(computeHash(of('Ho')))
  })

  it('two accounts never share a hash for the same request', () => {
    expect(computeHash({ user: 'k' }, [], 1n)).not.toBe(computeHash({ user: 'k' }, [], 2n))
  })

  it('a body without any of these, or a broken one, still has a hash', () => {
    expect(computeHash({})).toBe(computeHash({ n: 1 }))
    expect(computeStickyHash({ apiKey: { accountId: 1n }, head: { forward: [] }, body: Buffer.from('{"x') } as unknown as GatewayCall)).toBeTypeOf('number')
  })
})

describe('shares', () => {
  const CALLS = 20_000
  const hashes = Array.from({ length: CALLS }, (_, i) => computeHash({ user: `user-${i}` }))
  const share = (upstreams: Readonly<Record<string, number>>): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const hash of hashes) {
      const id = findWinner(hash, upstreams)
      counts[id] = (counts[id] ?? 0) + 1
    }
    return counts
  }

  it('follow the weights within what chance explains', () => {
    const upstreams = { 'openai': 1, 'openai-eu': 2, 'azure-1': 5, 'azure-2': 2 }
    const counts = share(upstreams)
    let chi = 0
    for (const [id, weight] of Object.entries(upstreams)) {
      const expected = (CALLS * weight) / 10
      chi += (counts[id]! - expected) ** 2 / expected
    }
    // Three degrees of freedom: chance passes this once in a thousand; the hash is fixed, so the result never varies.
    expect(chi).toBeLessThan(16.27)
  })

  it('an upstream that is added takes its share, and nothing else moves', () => {
    const before = { a: 1, b: 1, c: 1 }
    let moved = 0
    for (const hash of hashes) {
      const [was, is] = [findWinner(hash, before), findWinner(hash, { ...before, d: 1 })]
      if (was === is) continue
      moved++
      expect(is).toBe('d')
    }
    expect(moved / CALLS).toBeGreaterThan(0.23)
    expect(moved / CALLS).toBeLessThan(0.27)
  })
})
