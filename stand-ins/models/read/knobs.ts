/**
 * Magic inputs: `[[sandbox:name=value,name=value]]` anywhere in the last user message (or the text to embed).
 * The same names work in every dialect; see README.md. Markers are not echoed, but they are counted as prompt tokens.
 */
const MARKER = /\[\[sandbox:([^\]]{1,200})\]\]/g

export const MODEL_FAULTS = [
  'bad-request',
  'unauthorized',
  'no-credit',
  'forbidden',
  'not-found',
  'too-large',
  'rate-limit',
  'error',
  'unavailable',
  'overloaded',
  'timeout',
  'close',
  'hang',
  'html',
  'bad-json',
  'wrong-type',
  'mid-error',
  'mid-failed',
  'cut',
  'truncate',
  'stall',
  'garbage',
  'over-cap',
  'usage-none',
  'usage-zero',
  'usage-twice',
  'usage-negative',
  'usage-huge',
] as const
export type ModelFault = (typeof MODEL_FAULTS)[number]

export interface Knobs {
  readonly fault: ModelFault | undefined
  /** Milliseconds before the first byte, and before each further event. */
  readonly first: number
  readonly chunk: number
  /** Events before the fault; bytes of the body before the cut. */
  readonly event: number | undefined
  readonly byte: number | undefined
  /** Seconds in retry-after. */
  readonly retry: number | undefined
  /** The fault happens to the first `times` requests with this body, then the request works. */
  readonly times: number | undefined
  /** The only twin at which the fault happens. */
  readonly at: string | undefined
  /** Length of the answer and of the thoughts, in tokens; tokens in one event. */
  readonly tokens: number | undefined
  readonly thinking: number | undefined
  readonly pieces: number
  readonly redacted: boolean
}

export function readKnobs(text: string, defaults: { readonly chunk: number }): Knobs {
  const found: Record<string, string> = {}
  for (const match of text.matchAll(MARKER)) {
    for (const pair of match[1]!.split(/[,;\s]+/)) {
      const [name, value] = pair.split('=', 2)
      if (name) found[name.toLowerCase()] = value ?? '1'
    }
  }
  const whole = (name: string, top: number): number | undefined => (/^\d{1,9}$/.test(found[name] ?? '') ? Math.min(Number(found[name]), top) : undefined)
  return {
    fault: MODEL_FAULTS.find((fault) => fault === found['fault']),
    first: whole('first', 600_000) ?? 0,
    chunk: whole('chunk', 60_000) ?? defaults.chunk,
    event: whole('event', 1_000_000),
    byte: whole('byte', 1_000_000_000),
    retry: whole('retry', 86_400),
    times: whole('times', 1_000),
    at: found['at'],
    tokens: whole('tokens', 200_000),
    thinking: whole('thinking', 200_000),
    pieces: Math.max(1, whole('pieces', 10_000) ?? 4),
    redacted: found['redacted'] === '1',
  }
}

export function withoutMarkers(text: string): string {
  return text.replace(MARKER, '').trim()
}
