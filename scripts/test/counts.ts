export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const NONE: Counts = { passed: 0, failed: 0, skipped: 0 }

export const added = (a: Counts, b: Counts): Counts => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped })

/** The last line of a run. */
export const closingLine = ({ passed, failed, skipped }: Counts): string => `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
