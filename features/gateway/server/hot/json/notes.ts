/** Index after the value that begins at `start`; undefined if none was recorded. */
type FindEnd = (start: number) => number | undefined

/** Ends of long strings and containers in large bodies, recorded while the body arrived (body/weigh.ts). */
const noted = new WeakMap<Buffer, FindEnd>()

/** The body's bytes must not change afterwards. */
export function noteEnds(buf: Buffer, ends: ReadonlyMap<number, number>): void {
  noted.set(buf, (start) => ends.get(start))
}

/** `part` is the rest of `whole` from `start`, without a copy. */
export function shareNotes(whole: Buffer, part: Buffer, start: number): void {
  const endOf = noted.get(whole)
  if (endOf === undefined) return
  noted.set(part, (from) => {
    const end = endOf(from + start)
    return end === undefined ? undefined : end - start
  })
}

/** A replacement: the bytes from `start` to `end` become `text`; an insertion if both are equal. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * A copy of `body` with `edits`, which are sorted and do not overlap. The ends recorded for `body` hold for the copy: no later scan walks
 * its long values. They are translated at each lookup, so that the copy costs nothing per recorded end.
 */
export function spliceBody(body: Buffer, edits: readonly Edit[]): Buffer {
  const parts: Buffer[] = []
  const moves: Move[] = []
  let from = 0
  let by = 0
  for (const { start, end, text } of edits) {
    const bytes = Buffer.from(text)
    parts.push(body.subarray(from, start), bytes)
    const next = by + bytes.length - (end - start)
    moves.push({ start, end, newStart: start + by, newEnd: end + next, by: next })
    from = end
    by = next
  }
  parts.push(body.subarray(from))
  const made = Buffer.concat(parts)
  const endOf = noted.get(body)
  if (endOf === undefined) return made
  noted.set(made, (at) => {
    const move = lastMove(moves, ({ newStart }) => newStart <= at)
    if (move !== undefined && at < move.newEnd) return undefined
    const end = endOf(at - (move?.by ?? 0))
    return end === undefined ? undefined : end + (lastMove(moves, (one) => one.end < end)?.by ?? 0)
  })
  return made
}

interface Move extends Omit<Edit, 'text'> {
  readonly newStart: number
  readonly newEnd: number
  /** Bytes by which everything after it has moved. */
  readonly by: number
}

/** The last move that satisfies `holds`, which is true for a prefix only. */
function lastMove(moves: readonly Move[], holds: (move: Move) => boolean): Move | undefined {
  let [low, high] = [0, moves.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(moves[middle]!)) low = middle + 1
    else high = middle
  }
  return moves[low - 1]
}

/** Index after the value that begins at `from`, as recorded; undefined if none was, or if it lies beyond `end`. */
export function findNotedEnd(buf: Buffer, from: number, end: number): number | undefined {
  const at = noted.get(buf)?.(from)
  return at !== undefined && at <= end ? at : undefined
}
