/**
 * Fields that a translation drops, by the caller's names: hints without an equivalent in the other dialect. Returned in
 * `x-mingxi-dropped`. Reading and writing a request are synchronous, so one list is open at a time.
 */
let openList: Set<string> | undefined

/** Limits of the list; a longer one would be useless. */
const MAX_DROPPED = 32
const MAX_FIELD_LETTERS = 64

/** Removes list indexes and characters that a header cannot hold. */
const sanitizeField = (field: string): string =>
  field
    .slice(0, 4 * MAX_FIELD_LETTERS)
    .replace(/\[\d+\]/g, '[]')
    .replace(/[^\w.[\]$-]/g, '?')
    .slice(0, MAX_FIELD_LETTERS)

export function dropField(field: string): void {
  if (openList !== undefined && openList.size < MAX_DROPPED) openList.add(sanitizeField(field))
}

export interface WithDropped<T> {
  readonly value: T
  readonly dropped: readonly string[]
}

export function collectDropped<T>(work: () => T): WithDropped<T> {
  const outer = openList
  const own = new Set<string>()
  openList = own
  try {
    return { value: work(), dropped: [...own] }
  } finally {
    openList = outer
  }
}
