import type { GatewayCall } from '../call.ts'
import type { Gauge, KeyMinuteUsage } from '../deps.ts'

/**
 * Writes the key's limits of the current minute as headers of the caller's SDK: OpenAI's `x-ratelimit-*` (reset as a duration),
 * Anthropic's `anthropic-ratelimit-*` (reset as a time). Gemini has none. Reset is when all use has expired.
 */
export function writeLimitHeaders(call: GatewayCall, standing: KeyMinuteUsage, into: string[]): void {
  if (call.surface === 'gemini') return
  const write = call.surface === 'anthropic' ? writeAnthropicGauge : writeOpenaiGauge
  if (standing.requests !== undefined) write('requests', standing.requests, into)
  if (standing.tokens !== undefined) write('tokens', standing.tokens, into)
}

function writeOpenaiGauge(what: string, gauge: Gauge, into: string[]): void {
  into.push(`x-ratelimit-limit-${what}`, String(gauge.limit), `x-ratelimit-remaining-${what}`, String(gauge.left))
  into.push(`x-ratelimit-reset-${what}`, formatResetDuration(gauge.resetMs))
}

function writeAnthropicGauge(what: string, gauge: Gauge, into: string[]): void {
  const name = `anthropic-ratelimit-${what}`
  into.push(`${name}-limit`, String(gauge.limit), `${name}-remaining`, String(gauge.left))
  into.push(`${name}-reset`, new Date(Date.now() + gauge.resetMs).toISOString().replace(/\.\d+Z$/, 'Z'))
}

/** As OpenAI writes it: `17ms`, `1.5s`, `1m0s`. */
export function formatResetDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))}ms`
  if (ms < 60_000) return `${Math.ceil(ms / 10) / 100}s`
  return `${Math.floor(ms / 60_000)}m${Math.floor((ms % 60_000) / 1_000)}s`
}
