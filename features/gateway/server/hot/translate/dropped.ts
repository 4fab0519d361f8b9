/**
 * Fields that a translation drops, by the caller's names: hints without an equivalent in the other dialect. Returned in
 * `x-mingxi-dropped`. Reading and writing a request are synchronous, so one list is open at a time.
 */
let open: Set<string> | undefined

/** Limits of the list; a longer one is of no use. */
const MOST = 32
const MOST_LETTERS = 64

/** Removes list indexes and characters that a header cannot hold. */
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
