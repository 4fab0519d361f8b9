/** Fractions of the picture: 0 to 1. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}
/** A line of text without blanks, and the confidence of each character. */
export interface Line {
  readonly text: string
  readonly chances: readonly number[]
  readonly box: Box
}
/** Result sent by the reader process. */
export interface Seen {
  readonly lines: readonly Line[]
  /** Skew of the text in degrees, clockwise. */
  readonly lean: number
  readonly width: number
  readonly height: number
}

export function boxOf(lines: readonly Line[]): Box {
  const [left, top] = [Math.min(...lines.map(({ box }) => box.x)), Math.min(...lines.map(({ box }) => box.y))]
  const right = Math.max(...lines.map(({ box }) => box.x + box.w))
  const bottom = Math.max(...lines.map(({ box }) => box.y + box.h))
  return { x: left, y: top, w: right - left, h: bottom - top }
}

/** The part of a line that the first group of `pattern` matches, with its confidences; the box is the whole line's. */
export function piece(line: Line, pattern: RegExp): Line | undefined {
  const found = pattern.exec(line.text)
  const text = found?.[1]
  if (!found || text === undefined) return undefined
  const from = found.index + found[0].indexOf(text)
  return { text, chances: line.chances.slice(from, from + text.length), box: line.box }
}

export function joined(lines: readonly Line[]): Line | undefined {
  if (!lines.length) return undefined
  return { text: lines.map(({ text }) => text).join(''), chances: lines.flatMap(({ chances }) => chances), box: boxOf(lines) }
}

/** Ranges of characters below the minimum confidence. */
export function doubtfulIn({ text, chances }: Line, least: number): [number, number][] {
  const runs: [number, number][] = []
  for (let at = 0; at < text.length; at++) {
    if ((chances[at] ?? 0) >= least) continue
    const last = runs.at(-1)
    if (last && last[1] === at) last[1] = at + 1
    else runs.push([at, at + 1])
  }
  return runs
}
