export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const ZERO_COUNTS: TestCounts = { passed: 0, failed: 0, skipped: 0 }

export const addCounts = (a: TestCounts, b: TestCounts): TestCounts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

/** The last line of a run. */
export const formatClosingLine = ({ passed, failed, skipped }: TestCounts): string =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
