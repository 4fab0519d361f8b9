/** A share of the picture: 0 to 1. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}
/** A line as the reader saw it: blanks left out, how sure it is of each character. */
export interface Line {
  readonly text: string
  readonly chances: readonly number[]
  readonly box: Box
}
/** What travels from the reader's process. */
export interface Seen {
  readonly lines: readonly Line[]
  /** Degrees that the text leans, clockwise. */
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

/** What of a line's text `pattern`'s first group names, with its chances; the box of the whole line. */
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

/** Runs of characters that the reader was not sure of. */
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
