import type { FaultResult } from './run-tests.ts'

/** One line of the table and of the file that `--out` writes. */
export interface FaultReportLine extends FaultResult {
  readonly id: string
  readonly feature: string
  readonly seconds: number
}

export function formatReportLine({ id, feature, outcome, why, seconds }: FaultReportLine): string {
  return [feature.padEnd(9), id.padEnd(34), outcome.padEnd(10), `${seconds} s`.padStart(6), why].join('  ').trimEnd()
}

/** The table with what was told now in its place; what was not asked now stays. */
export function mergeReports(before: readonly FaultReportLine[], now: readonly FaultReportLine[], ids: readonly string[]): FaultReportLine[] {
  const all = new Map([...before, ...now].map((one) => [one.id, one]))
  return ids.flatMap((id) => all.get(id) ?? [])
}

/** Ids caught before and not now, of those that were asked now. */
export function listLostFaults(before: readonly FaultReportLine[], now: readonly FaultReportLine[]): string[] {
  const caught = new Set(before.filter((one) => one.outcome === 'caught').map((one) => one.id))
  return now.filter((one) => caught.has(one.id) && one.outcome !== 'caught').map((one) => one.id)
}

export function describeLostFaults(ids: readonly string[]): string {
  return ids.length ? `caught before and not now: ${ids.join(', ')}` : 'the same ones are caught as before'
}
