import type { JsonMember } from '../json/scan.ts'

const QUOTE = 34,
  COLON = 58,
  COMMA = 44,
  SPACE = 32

/**
 * Takes members out of their object, in place: spaces stand where they were, so that every other byte stays where it is, with all that is
 * known of it. A name that is written with escapes stays: the vendor says what it thinks of it.
 */
export function blankOut(body: Buffer, members: readonly JsonMember[]): void {
  for (const { key, start, end } of members) {
    let from = findByteBefore(body, start)
    if (body[from] !== COLON) continue
    from = findByteBefore(body, from)
    const name = from - key.length - 1
    if (body[from] !== QUOTE || body[name] !== QUOTE || body.toString('latin1', name + 1, from) !== key) continue
    let to = end
    while (body[to]! <= SPACE) to++
    let first = name
    if (body[to] === COMMA) to++
    else {
      to = end
      const comma = findByteBefore(body, name)
      if (body[comma] === COMMA) first = comma
    }
    body.fill(SPACE, first, to)
  }
}

/** The last byte before this one that is no space. */
function findByteBefore(body: Buffer, at: number): number {
  let i = at - 1
  while (body[i]! <= SPACE) i--
  return i
}
