/** More parts than any request of these routes has. */
export const MAX_FORM_PARTS = 256
/** Bytes of one slice: a slice that nearly matches the boundary everywhere takes a millisecond on a slow core. */
const SLICE_BYTES = 131_072

/** Walks a large form while it arrives, one slice per turn of the loop, and records the positions of its boundary. */
export interface EdgeWalk {
  /** Two dashes and the boundary; empty if the header names none, and nothing is searched for. */
  readonly delimiter: Buffer
  /** No boundary begins before this, apart from those found. */
  at: number
  readonly found: number[]
  /** True if there are more boundaries than the maximum number of parts has. */
  isTooMany: boolean
}

export const createEdgeWalk = (delimiter: Buffer): EdgeWalk => ({ delimiter, at: 0, found: [], isTooMany: false })

/** Walks one slice of the bytes received up to `to`; true if there is more to walk. */
export function walkEdges(walk: EdgeWalk, body: Buffer, to: number): boolean {
  const { delimiter, found } = walk
  if (delimiter.length === 0 || walk.isTooMany) return false
  const end = Math.min(to, walk.at + SLICE_BYTES + delimiter.length)
  const view = body.subarray(0, end)
  while (walk.at + delimiter.length <= end) {
    const at = view.indexOf(delimiter, walk.at)
    if (at < 0) walk.at = end - delimiter.length + 1
    else if (found.push(at) > MAX_FORM_PARTS + 1) {
      walk.isTooMany = true
      return false
    } else walk.at = at + delimiter.length
  }
  return walk.at + delimiter.length <= to
}

const noted = new WeakMap<Buffer, EdgeWalk>()

/** Stores the boundaries found for this body, which must not change afterwards. */
export function noteEdges(body: Buffer, walk: EdgeWalk): void {
  if (walk.delimiter.length > 0 && !walk.isTooMany) noted.set(body, walk)
}

/**
 * Transfers the boundaries to `to`, which equals `from` except for the bytes at `start`: up to `end` in the one, up to `madeEnd` in the
 * other. The new bytes may contain a boundary.
 */
export function moveEdges(from: Buffer, to: Buffer, { start, end, madeEnd }: { readonly start: number; readonly end: number; readonly madeEnd: number }): void {
  const walk = noted.get(from)
  if (walk === undefined) return
  const { delimiter } = walk
  const found = walk.found.filter((at) => at + delimiter.length <= start)
  const near = to.subarray(0, Math.min(to.length, madeEnd + delimiter.length - 1))
  for (let at = near.indexOf(delimiter, Math.max(0, start - delimiter.length + 1)); at >= 0; at = near.indexOf(delimiter, at + delimiter.length)) found.push(at)
  found.push(...walk.found.filter((at) => at >= end).map((at) => at + madeEnd - end))
  noted.set(to, { ...walk, at: to.length, found })
}

/** Next position of the boundary: as recorded, or by a search in a body too small to be walked. */
export function findNextEdge(body: Buffer, delimiter: Buffer, from: number): number {
  const walk = noted.get(body)
  if (walk?.delimiter.equals(delimiter) !== true) return body.indexOf(delimiter, from)
  return walk.found.find((at) => at >= from) ?? -1
}
