import type { Factor, ToolClass } from '../deps.ts'

/** What a request asks for beyond plain tokens, as far as it changes the price. The answer decides what is billed; this decides what is held. */
export interface Asks {
  /** What multiplies the prices of tokens if the vendor does as it is asked. */
  readonly factors: readonly Factor[]
  /** Uses of the vendor's own tools, each with the most that the request permits. */
  readonly tools: readonly AskedTool[]
  /** Steps on other models: fallbacks, advisors, image models behind a tool. */
  readonly steps: readonly AskedStep[]
  /** The most tokens of a predicted answer: what is rejected of it is billed as output on top of what is shown. */
  readonly predicted: number
}

export interface AskedTool {
  readonly kind: ToolClass
  readonly most: number
}

export interface AskedStep {
  /** Undefined where the vendor chooses: the dearest of that vendor's. */
  readonly model: string | undefined
  readonly times: number
  /** Image tokens of one such step; undefined where it may use as much as the call itself. */
  readonly imageTokens: number | undefined
}

export const NO_ASKS: Asks = { factors: [], tools: [], steps: [], predicted: 0 }
