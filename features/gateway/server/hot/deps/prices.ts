import type { Nano } from '#platform/shared/money.ts'

/**
 * Nano-dollars per million units by class: tokens, unless stated otherwise. Undefined if the vendor has no such class (billed as its
 * parent).
 */
export interface ClassPrices {
  readonly input: Nano
  readonly cachedInput: Nano | undefined
  readonly cacheWrite5m: Nano | undefined
  readonly cacheWrite1h: Nano | undefined
  readonly cacheWrite12h?: Nano | undefined
  readonly output: Nano
  readonly audioInput: Nano | undefined
  readonly audioOutput: Nano | undefined
  readonly imageInput: Nano | undefined
  /** Cached speech and images, if priced differently from cached text. */
  readonly cachedAudio: Nano | undefined
  readonly cachedImage: Nano | undefined
  readonly imageOutput?: Nano | undefined
  /** Per million characters of text to speech. */
  readonly characters?: Nano | undefined
  /** Per million seconds of transcribed audio. */
  readonly seconds?: Nano | undefined
  /** Per million searches of up to 100 documents. */
  readonly searches?: Nano | undefined
  /** The vendor's own tools, per million uses; never multiplied by a tier. */
  readonly webSearches?: Nano | undefined
  /** Per million prompts that searched, regardless of the number of searches. */
  readonly groundedPrompts?: Nano | undefined
  readonly mapPrompts?: Nano | undefined
  /** Per million sessions of a code container, for each gigabyte of its memory. */
  readonly containers?: Nano | undefined
  /** Per million seconds of a code container. */
  readonly codeSeconds?: Nano | undefined
}

/** Classes that count uses of a vendor's own tools. */
export type ToolClass = 'webSearches' | 'groundedPrompts' | 'mapPrompts' | 'containers' | 'codeSeconds'

/** Service levels that multiply token prices: OpenAI's and Google's tiers, Claude's speed and its region. */
export type Factor = 'flex' | 'priority' | 'fast' | 'us'

export interface ModelPrices extends ClassPrices {
  /** Identifies the price row for ever; frozen when the call is reserved (money.md M5). */
  readonly version: number
  readonly longContext: { readonly aboveInputTokens: number; readonly prices: ClassPrices } | undefined
  /** In millionths. A missing factor is not sold for this model. */
  readonly factors?: Readonly<Partial<Record<Factor, bigint>>>
}
