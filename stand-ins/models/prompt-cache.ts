import { createHash } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Block } from './read/ask.ts'
import { pieces } from './tokens.ts'

/** Caching starts at 1,024 tokens with every vendor; OpenAI and Gemini read in steps of 128. */
const LEAST = 1024
const STEP = 128
const ENTRIES = 20_000
const TTL = { '5m': 300_000, '1h': 3_600_000 } as const

export interface CacheCounts {
  readonly cached: number
  readonly write5m: number
  readonly write1h: number
}

/** Tokens read from and written to the vendor's prompt cache. In memory: a restart empties it, as a vendor may. */
export interface PromptCache {
  /** OpenAI and Gemini: prefixes are cached without asking. */
  implicit(scope: string, blocks: readonly Block[]): CacheCounts
  /** Anthropic: prefixes end at the marked blocks. */
  marked(scope: string, blocks: readonly Block[]): CacheCounts
}

export function createPromptCache(clock: Clock): PromptCache {
  const until = new Map<string, number>()

  function alive(key: string): boolean {
    const time = until.get(key)
    return time !== undefined && time > clock.now().getTime()
  }
  function keep(key: string, ttl: number): void {
    const before = until.get(key) ?? 0
    until.delete(key)
    until.set(key, Math.max(before, clock.now().getTime() + ttl))
    if (until.size > ENTRIES) until.delete(until.keys().next().value!)
  }

  return {
    implicit(scope, blocks) {
      const total = blocks.reduce((sum, block) => sum + block.tokens, 0)
      if (total < LEAST) return { cached: 0, write5m: 0, write1h: 0 }
      const prefixes = steps(scope, blocks)
      let cached = 0
      for (const [tokens, key] of prefixes) if (alive(key)) cached = tokens
      for (const [, key] of prefixes) keep(key, TTL['5m'])
      return { cached: Math.min(cached, Math.floor((total - 1) / STEP) * STEP), write5m: 0, write1h: 0 }
    },
    marked(scope, blocks) {
      let key = scope
      let tokens = 0
      const ends = blocks.map((block) => {
        key = digest(key, block.text)
        tokens += block.tokens
        return { key, tokens, cache: block.cache }
      })
      const marks = ends.filter((end) => end.cache && end.tokens >= LEAST)
      const last = marks.at(-1)
      if (!last) return { cached: 0, write5m: 0, write1h: 0 }
      let cached = 0
      for (const end of ends) if (end.tokens <= last.tokens && alive(end.key)) cached = end.tokens
      const written = { '5m': 0, '1h': 0 }
      let from = cached
      for (const mark of marks) {
        if (mark.tokens > from) {
          written[mark.cache!] += mark.tokens - from
          from = mark.tokens
        }
        keep(mark.key, TTL[mark.cache!])
      }
      return { cached, write5m: written['5m'], write1h: written['1h'] }
    },
  }
}

/** The prefix lengths that can be hit, token by token, so a longer block still shares its beginning with a shorter one. */
function steps(scope: string, blocks: readonly Block[]): [number, string][] {
  const found: [number, string][] = []
  let key = scope
  let tokens = 0
  for (const block of blocks) {
    const parts = pieces(block.text)
    const extra = Math.max(0, block.tokens - parts.length)
    for (let taken = 0; taken < block.tokens;) {
      const size = Math.min(STEP - (tokens % STEP), block.tokens - taken)
      key = digest(key, parts.slice(Math.max(0, taken - extra), Math.max(0, taken + size - extra)).join(''))
      taken += size
      tokens += size
      if (tokens >= LEAST && tokens % STEP === 0) found.push([tokens, key])
    }
  }
  return found
}

function digest(before: string, text: string): string {
  return createHash('sha1').update(before).update('\0').update(text).digest('base64')
}
