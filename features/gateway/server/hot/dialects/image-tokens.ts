/**
 * Image tokens of a 1024 x 1024 picture by quality, from the vendor's calculator for gpt-image-2; the two levels above are estimated
 * at two and four times `high`.
 */
const TOKENS: Readonly<Record<string, number>> = { low: 272, medium: 1_760, high: 7_040, xhigh: 14_080, max: 28_160, standard: 7_040, auto: 7_040 }
const SQUARE = 1_024 * 1_024
/** Upper bound of `auto`; other sizes are named explicitly. */
const AUTO_PIXELS = 1_536 * 1_024
const MAX_PIXELS = 3_840 * 2_160
/** The vendor's price of one preview, and an estimate of the cost of planning. */
const PREVIEW_TOKENS = 100
const PLANNING: Readonly<Record<string, number>> = { low: 1_000, medium: 4_000, high: 12_000 }
const GIF_FRAMES = 9
/** Hold as a multiple of the usual use. */
export const IMAGE_HOLD_MARGIN = 1.5
/** The vendor's default for a tool that names no model. */
export const DEFAULT_IMAGE_MODEL = 'gpt-image-2'

export interface ImageSpec {
  readonly quality: string | undefined
  readonly size: string | undefined
  readonly format: string | undefined
  readonly frames: number | undefined
  readonly complexity: string | undefined
  readonly previews: number | undefined
}

function pixelsOf(size: string | undefined): number {
  const match = /^(\d{2,5})x(\d{2,5})$/.exec(size ?? '')
  return match === null ? AUTO_PIXELS : Math.min(MAX_PIXELS, Number(match[1]) * Number(match[2]))
}

/** Usual image tokens of one picture, frames included. */
export function estimateImageTokens({ quality = 'auto', size, format, frames }: ImageSpec): number {
  const tokens = (Object.hasOwn(TOKENS, quality) ? TOKENS[quality]! : TOKENS['max']!) * Math.max(1, pixelsOf(size) / SQUARE)
  return Math.ceil(tokens * (format === 'gif' ? Math.min(16, frames ?? GIF_FRAMES) : 1))
}

/** Tokens for previews and planning of one image. */
export function computeExtraImageTokens({ complexity, previews }: ImageSpec): number {
  return Math.min(3, previews ?? 0) * PREVIEW_TOKENS + (PLANNING[complexity ?? 'medium'] ?? PLANNING['high']!)
}

/** Maximum tokens of one image. */
export const computeMaxImageTokens = (picture: ImageSpec): number =>
  Math.ceil(estimateImageTokens(picture) * IMAGE_HOLD_MARGIN) + computeExtraImageTokens(picture)
