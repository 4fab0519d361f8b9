import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import { createTokenCounter, boundTokenCount } from './counter.ts'
import type { TokenCounter } from './counter.ts'

let counter: TokenCounter | undefined
afterEach(async () => {
  await counter?.stop()
})
const PROSE = 'Nothing is lost when a process dies, and every cent can be recomputed from the rows. '

describe('counting tokens', () => {
  it('counts a text by o200k, higher for unknown tokenizers, and never above its bytes', async () => {
    counter = createTokenCounter(createLog('silent'))
    const text = Buffer.from(PROSE.repeat(2_000))
    const [own, foreign] = await Promise.all([counter.count(text, 'openai', 1n), counter.count(text, 'anthropic', 1n)])
    expect(own).toBeGreaterThan(text.length / 6)
    expect(own).toBeLessThan(text.length / 3)
    expect(foreign).toBeGreaterThanOrEqual(text.length / 2)
    expect(foreign).toBeLessThan(text.length)
    expect(await counter.count(Buffer.from('<|endoftext|>'), 'openai', 1n)).toBeGreaterThan(3)
  })

  it('takes long words, numbers and broken UTF-8 without stopping', async () => {
    counter = createTokenCounter(createLog('silent'))
    const texts = [Buffer.alloc(300_000, 'a'), Buffer.alloc(300_000, '7'), Buffer.alloc(300_000, 0xf0), Buffer.from('天天中彩票'.repeat(20_000))]
    for (const text of texts) {
      const tokens = await counter.count(text, 'google', 1n)
      expect(tokens).toBeGreaterThanOrEqual(text.length / 2)
      expect(tokens).toBeLessThanOrEqual(text.length)
    }
  })

  it('lets an account have two texts in hand, and takes no more than its queue', async () => {
    counter = createTokenCounter(createLog('silent'))
    const text = Buffer.from(PROSE.repeat(100))
    const ofOne = await Promise.all([1, 2, 3].map(() => counter!.count(text, 'openai', 7n)))
    expect(ofOne.filter((tokens) => tokens === undefined)).toHaveLength(1)
    const ofMany = await Promise.all(Array.from({ length: 40 }, (_, i) => counter!.count(text, 'openai', BigInt(i))))
    expect(ofMany.filter((tokens) => tokens !== undefined)).toHaveLength(32)
    expect(await counter.count(text, 'openai', 7n)).toBeGreaterThan(0)
  })

  it('bounds texts that are few tokens here and may be many elsewhere', () => {
    expect(boundTokenCount('anthropic', 1, 128)).toBe(64)
    expect(boundTokenCount('openai', 100, 1_000)).toBe(110)
    expect(boundTokenCount('openai', 1_000, 1_000)).toBe(1_000)
  })
})
