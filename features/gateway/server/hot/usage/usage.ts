import type { Factor } from '../deps/prices.ts'

/**
 * Usage that a vendor reports, in classes that never overlap: their sum is the total (wire.md 7). `output` is the answer without
 * reasoning and audio; reasoning is shown separately but priced as output.
 */
export interface Usage {
  readonly input: number
  readonly cachedInput: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly audioInput: number
  readonly imageInput: number
  readonly cachedAudio: number
  readonly cachedImage: number
  readonly output: number
  readonly reasoning: number
  readonly audioOutput: number
  readonly imageOutput: number
  readonly characters: number
  /** Whole seconds, rounded up. */
  readonly seconds: number
  readonly searches: number
  readonly cacheWrite12h: number
  /** Uses of the vendor's own tools. */
  readonly webSearches: number
  /** 1 if the prompt searched at all: some models are billed per prompt, and not per search. */
  readonly groundedPrompts: number
  readonly mapPrompts: number
  /** Sessions of code containers, multiplied by the gigabytes of their memory. */
  readonly containers: number
  readonly codeSeconds: number
  /** Service reported by the vendor, if it multiplies the token prices. */
  readonly factors: readonly Factor[]
  /** Item in the vendor's figures without a known price: the call costs the held amount, and an alarm is raised. */
  readonly unknown: string | undefined
  /** A total of the vendor's that disagrees with its parts: logged, never billed. */
  readonly mismatch: boolean
  /** Sampling steps of other models, or outside the totals; each priced separately (Anthropic `iterations`). */
  readonly extra: readonly { readonly model: string | undefined; readonly usage: Usage }[]
}

export const NO_USAGE: Usage = {
  input: 0,
  cachedInput: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  audioInput: 0,
  imageInput: 0,
  cachedAudio: 0,
  cachedImage: 0,
  output: 0,
  reasoning: 0,
  audioOutput: 0,
  imageOutput: 0,
  characters: 0,
  seconds: 0,
  searches: 0,
  cacheWrite12h: 0,
  webSearches: 0,
  groundedPrompts: 0,
  mapPrompts: 0,
  containers: 0,
  codeSeconds: 0,
  factors: [],
  unknown: undefined,
  mismatch: false,
  extra: [],
}

/** More tokens than any call can have: the figure is treated as missing. */
const ABSURD = 2 ** 40

export type Raw = Readonly<Record<string, unknown>>

export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A token count; undefined if absent or null, NaN if it is invalid. */
export function readTokenCount(raw: Raw, key: string): number | undefined {
  const value = raw[key]
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= ABSURD ? value : Number.NaN
}

export function readObjectPart(raw: Raw, key: string): Raw {
  const value = raw[key]
  return isRaw(value) ? value : {}
}

/** True if every figure is a plain count. */
export function isSaneUsage(usage: Usage): boolean {
  return (
    !Number.isNaN(
      usage.input +
        usage.cachedInput +
        usage.cacheWrite5m +
        usage.cacheWrite1h +
        usage.audioInput +
        usage.imageInput +
        usage.cachedAudio +
        usage.cachedImage +
        usage.output +
        usage.reasoning +
        usage.audioOutput +
        usage.imageOutput +
        usage.characters +
        usage.seconds +
        usage.searches +
        usage.cacheWrite12h +
        usage.webSearches +
        usage.groundedPrompts +
        usage.mapPrompts +
        usage.containers +
        usage.codeSeconds,
    ) && usage.extra.every((step) => isSaneUsage(step.usage))
  )
}

export function sumInput(usage: Usage): number {
  return (
    usage.input +
    usage.cachedInput +
    usage.cacheWrite5m +
    usage.cacheWrite1h +
    usage.cacheWrite12h +
    usage.audioInput +
    usage.imageInput +
    usage.cachedAudio +
    usage.cachedImage
  )
}

export function sumCached(usage: Usage): number {
  return usage.cachedInput + usage.cachedAudio + usage.cachedImage
}

export function sumOutput(usage: Usage): number {
  return usage.output + usage.reasoning + usage.audioOutput + usage.imageOutput
}

/** Takes up to `wanted` from `left`: classes of an inclusive total may overlap, but the total may not grow. */
export function takeAtMost(left: number, wanted: number): number {
  return Number.isNaN(wanted) ? Number.NaN : Math.min(left, wanted)
}
