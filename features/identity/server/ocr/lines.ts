/** Fractions of the picture: 0 to 1. */
export interface OcrBox {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}
/** A line of text without blanks, and the confidence of each character. */
export interface OcrLine {
  readonly text: string
  readonly chances: readonly number[]
  readonly box: OcrBox
}
/** Result sent by the reader process. */
export interface OcrResult {
  readonly lines: readonly OcrLine[]
  /** Skew of the text in degrees, clockwise. */
  readonly lean: number
  readonly width: number
  readonly height: number
}

export function mergeBoxes(lines: readonly OcrLine[]): OcrBox {
  const [left, top] = [Math.min(...lines.map(({ box }) => box.x)), Math.min(...lines.map(({ box }) => box.y))]
  const right = Math.max(...lines.map(({ box }) => box.x + box.w))
  const bottom = Math.max(...lines.map(({ box }) => box.y + box.h))
  return { x: left, y: top, w: right - left, h: bottom - top }
}

/** The part of a line that the first group of `pattern` matches, with its confidences; the box is the whole line's. */
export function matchPiece(line: OcrLine, pattern: RegExp): OcrLine | undefined {
  const found = pattern.exec(line.text)
  const text = found?.[1]
  if (!found || text === undefined) return undefined
  const from = found.index + found[0].indexOf(text)
  return { text, chances: line.chances.slice(from, from + text.length), box: line.box }
}

export function joinOcrLines(lines: readonly OcrLine[]): OcrLine | undefined {
  if (!lines.length) return undefined
  return { text: lines.map(({ text }) => text).join(''), chances: lines.flatMap(({ chances }) => chances), box: mergeBoxes(lines) }
}

/** Ranges of characters below the minimum confidence. */
export function findDoubtfulRanges({ text, chances }: OcrLine, least: number): [number, number][] {
  const runs: [number, number][] = []
  for (let at = 0; at < text.length; at++) {
    if ((chances[at] ?? 0) >= least) continue
    const last = runs.at(-1)
    if (last && last[1] === at) last[1] = at + 1
    else runs.push([at, at + 1])
  }
  return runs
}
