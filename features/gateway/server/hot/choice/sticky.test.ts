import { describe, expect, it } from 'vitest'
import type { Call } from '../call.ts'
import { scoreOf, stickyHash } from './sticky.ts'

const hashOf = (body: object, headers: string[] = [], accountId = 1n): number =>
  stickyHash({ apiKey: { accountId }, head: { forward: headers }, body: Buffer.from(JSON.stringify(body)) } as unknown as Call)
const turn = (content: string, role = 'user') => ({ role, content })

const winner = (hash: number, upstreams: Readonly<Record<string, number>>): string =>
  Object.entries(upstreams)
    .map(([id, weight]) => ({ id, score: scoreOf(hash, id, weight) }))
    .sort((a, b) => b.score - a.score)[0]!.id

describe('sticky hash', () => {
  it.each([
    ['a session header', {}, ['Session_ID', 's1'], ['Session_ID', 's2']],
    ['Claude Code', {}, ['X-Claude-Code-Session-Id', 's1'], ['X-Claude-Code-Session-Id', 's2']],
  ])('%s', (_name, body, one, other) => {
    expect(hashOf({ ...body, messages: [turn('a')] }, one)).toBe(hashOf({ messages: [turn('b')] }, one))
    expect(hashOf(body, one)).not.toBe(hashOf(body, other))
  })

  it.each([
    ['prompt_cache_key', { prompt_cache_key: 'k' }, { prompt_cache_key: 'l' }],
    ['metadata.user_id', { metadata: { user_id: 'k', x: 1 } }, { metadata: { user_id: 'l' } }],
    ['safety_identifier', { safety_identifier: 'k' }, { safety_identifier: 'l' }],
    ['user', { user: 'k' }, { user: 'l' }],
  ])('%s decides, whatever the messages are', (_name, one, other) => {
    expect(hashOf({ ...one, messages: [turn('a')] })).toBe(hashOf({ messages: [turn('b')], ...one }))
    expect(hashOf(one)).not.toBe(hashOf(other))
  })

  it.each([
    ['chat', (first: string, ...more: object[]) => ({ messages: [turn('Be brief.', 'system'), turn(first), ...more] })],
    ['responses', (first: string, ...more: object[]) => ({ instructions: 'Be brief.', input: [turn(first), ...more] })],
    ['messages', (first: string, ...more: object[]) => ({ system: 'Be brief.', messages: [turn(first), ...more] })],
    ['gemini', (first: string, ...more: object[]) => ({ systemInstruction: { parts: [] }, contents: [{ role: 'user', parts: [{ text: first }] }, ...more] })],
  ])('%s: the beginning of the conversation decides, not its end', (_name, of) => {
    expect(hashOf(of('Hi'))).toBe(hashOf(of('Hi', turn('Hello', 'assistant'), turn('Go on'))))
    expect(hashOf(of('Hi'))).not.toBe(hashOf(of('Ho')))
  })

  it('two accounts never share a hash for the same request', () => {
    expect(hashOf({ user: 'k' }, [], 1n)).not.toBe(hashOf({ user: 'k' }, [], 2n))
  })

  it('a body without any of these, or a broken one, still has a hash', () => {
    expect(hashOf({})).toBe(hashOf({ n: 1 }))
    expect(stickyHash({ apiKey: { accountId: 1n }, head: { forward: [] }, body: Buffer.from('{"x') } as unknown as Call)).toBeTypeOf('number')
  })
})

describe('shares', () => {
  const CALLS = 20_000
  const hashes = Array.from({ length: CALLS }, (_, i) => hashOf({ user: `user-${i}` }))
  const share = (upstreams: Readonly<Record<string, number>>): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const hash of hashes) {
      const id = winner(hash, upstreams)
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
    // Three degrees of freedom: chance passes this once in a thousand; the hash is fixed, so it either holds or not.
    expect(chi).toBeLessThan(16.27)
  })

  it('an upstream that is added takes its share, and nothing else moves', () => {
    const before = { a: 1, b: 1, c: 1 }
    let moved = 0
    for (const hash of hashes) {
      const [was, is] = [winner(hash, before), winner(hash, { ...before, d: 1 })]
      if (was === is) continue
      moved++
      expect(is).toBe('d')
    }
    expect(moved / CALLS).toBeGreaterThan(0.23)
    expect(moved / CALLS).toBeLessThan(0.27)
  })
})
