/**
 * What a translation leaves out, by the caller's own names: hints that nothing in the other dialect says. The caller reads them in
 * `x-mingxi-dropped`. Reading and writing a request are one turn each, so one list is open at a time.
 */
let open: Set<string> | undefined

/** More names tell nobody anything. */
const MOST = 32
const MOST_LETTERS = 64

/** Places in lists are all the same; what a header cannot hold is no name. */
const plain = (field: string): string =>
  field
    .slice(0, 4 * MOST_LETTERS)
    .replace(/\[\d+\]/g, '[]')
    .replace(/[^\w.[\]$-]/g, '?')
    .slice(0, MOST_LETTERS)

export function drop(field: string): void {
  if (open !== undefined && open.size < MOST) open.add(plain(field))
}

export interface Dropping<T> {
  readonly value: T
  readonly dropped: readonly string[]
}

export function dropping<T>(work: () => T): Dropping<T> {
  const outer = open
  const own = new Set<string>()
  open = own
  try {
    return { value: work(), dropped: [...own] }
  } finally {
    open = outer
  }
}
