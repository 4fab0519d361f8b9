import type { GatewayModel } from '../deps.ts'

/**
 * Upper bound of the input that a vendor can bill for one request, by parts. A dialect's `bounds.ts` reads them from the body
 * without building objects; unknown parts count as `added: Infinity`, never as nothing.
 */
export interface InputBounds {
  /** Bytes that may be text: a token each at most, since every vendor's tokenizer falls back to single bytes. */
  text: number
  /** Tokens of pictures and sound, and of what the vendor writes around the request. */
  media: number
  /** Tokens that join on the vendor's side: files and answers that the body only names, results of its own tools. Infinity where nothing bounds them. */
  added: number
  /** Number of times that the context is read: once, and once more for each round of the vendor's own tools. */
  reads: number
  /** Maximum uses of the vendor's own tools, if there are any. */
  rounds: number
  /** The request names tools of the vendor without limiting their use, although it could. */
  isLoose: boolean
  /** Windows that the input can fill: one, except for routes that take many inputs at once. */
  windows: number
  /** Tokens of one picture. */
  readonly picture: number
  /** Ranges of the body that are not text, in order. */
  readonly omitted: { readonly start: number; readonly end: number }[]
  /** Remaining parts that may be inspected; a body with more counts as the whole window. */
  looks: number
}

/** The vendor's own frame around the messages, with a schema for the answer: some hundred tokens, none of them documented. */
const FRAME_TOKENS = 500
const MAX_LOOKS = 4_096
/** Window of a model that specifies none: as large as the largest on sale. */
const LARGEST_WINDOW = 1_050_000

/** Bounds of a body that is all text, for a dialect to add to. */
export function createTextBounds(body: Buffer, picture = 0): InputBounds {
  return { text: body.length, media: FRAME_TOKENS, added: 0, reads: 1, rounds: 0, isLoose: false, windows: 1, picture, omitted: [], looks: MAX_LOOKS }
}

export const getModelWindow = (model: Pick<GatewayModel, 'contextTokens'>): number => model.contextTokens ?? LARGEST_WINDOW

/** Maximum input tokens of all reads together; `text` replaces the number of bytes if it was counted. */
export function computeMaxInput(bounds: InputBounds, window: number, text = bounds.text): number {
  return Math.min(window * bounds.windows, text + bounds.media + bounds.added) * bounds.reads
}
