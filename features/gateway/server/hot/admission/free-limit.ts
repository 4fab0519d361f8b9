import type { Call } from '../call.ts'
import { refuse } from '../reply/reply.ts'

/**
 * Counting tokens and listing models are free and never count as requests of a key (Claude Code counts 40 to 50 times a second).
 * So that they are not without any bound, a process answers a key this often in ten seconds, whatever the key's own limits.
 */
export const FREE_CALLS = 2_000
const WINDOW_MS = 10_000

let counts = new Map<string, number>()
let until = 0

export function isFreeEnough(call: Call): boolean {
  const now = Date.now()
  if (now >= until) {
    counts = new Map()
    until = now + WINDOW_MS
  }
  const { keyId } = call.apiKey!
  const count = (counts.get(keyId) ?? 0) + 1
  counts.set(keyId, count)
  if (count <= FREE_CALLS) return true
  const seconds = Math.max(1, Math.ceil((until - now) / 1_000))
  const message = `Counting tokens and listing models are limited to ${FREE_CALLS} in ten seconds for each API key. Please try again in ${seconds}s.`
  refuse(call, { cause: 'too_many_requests', message, retryMs: until - now }, String(seconds))
  return false
}
