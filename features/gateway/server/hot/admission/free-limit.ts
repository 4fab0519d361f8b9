import type { GatewayCall } from '../call.ts'
import { sendCallRefusal } from '../reply/reply.ts'

/**
 * Per-process limit on free requests. Counting tokens and listing models are free and never count as requests of a key (Claude Code counts
 * 40 to 50 times a second). To bound them, a process answers a key this often in ten seconds, regardless of the key's own limits.
 */
export const MAX_FREE_CALLS = 2_000
const WINDOW_MS = 10_000

let counts = new Map<string, number>()
let windowEndsAt = 0

export function isWithinFreeLimit(call: GatewayCall): boolean {
  const now = Date.now()
  if (now >= windowEndsAt) {
    counts = new Map()
    windowEndsAt = now + WINDOW_MS
  }
  const { keyId } = call.apiKey!
  const count = (counts.get(keyId) ?? 0) + 1
  counts.set(keyId, count)
  if (count <= MAX_FREE_CALLS) return true
  const seconds = Math.max(1, Math.ceil((windowEndsAt - now) / 1_000))
  const message = `Counting tokens and listing models are limited to ${MAX_FREE_CALLS} in ten seconds for each API key. Please try again in ${seconds}s.`
  sendCallRefusal(call, { cause: 'too_many_requests', message, retryMs: windowEndsAt - now }, String(seconds))
  return false
}
