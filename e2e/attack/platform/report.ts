import { formatDollarsRoundedUp, MAX_DEBT_NANO, MAX_LOSS_NANO } from '../report.ts'
import type { PlatformResult, PlatformVerdict } from './run.ts'

export const isPlatformHole = ({ loss, debt, mayOwe, accepted, broken }: PlatformResult): boolean =>
  loss > MAX_LOSS_NANO || debt > MAX_DEBT_NANO + mayOwe || accepted.length > 0 || broken !== ''

const findWorst = (results: readonly PlatformResult[], of: (result: PlatformResult) => bigint): bigint =>
  results.reduce((most, result) => (of(result) > most ? of(result) : most), 0n)

/** One line per strategy against the whole platform, then the actions that were accepted and the books that differ. */
export function formatPlatformReport({ results, faults }: PlatformVerdict): string[] {
  const lines = [
    `${'strategy'.padEnd(22)} ${'paid'.padStart(12)} ${'had'.padStart(12)} ${'loss'.padStart(12)} ${'debt'.padStart(12)} ${'tried'.padStart(6)} ${'taken'.padStart(6)}`,
  ]
  for (const result of results) {
    const { name, paid, had, loss, debt, tried, accepted, broken } = result
    const figures = [paid, had, loss, debt].map((nano) => formatDollarsRoundedUp(nano).padStart(12)).join(' ')
    lines.push(`${name.padEnd(22)} ${figures} ${String(tried).padStart(6)} ${String(accepted.length).padStart(6)}${isPlatformHole(result) ? '  HOLE' : ''}`)
    for (const what of accepted) lines.push(`    ACCEPTED ${what}`)
    if (broken) lines.push(`    BROKEN ${broken}`)
  }
  for (const fault of faults.slice(0, 20)) lines.push(`FAULT ${fault}`)
  const tried = results.reduce((sum, one) => sum + one.tried, 0)
  lines.push(
    `${results.length} strategies against the whole platform, ${tried} acts that must be refused, worst loss ${formatDollarsRoundedUp(findWorst(results, (one) => one.loss))}, worst debt ${formatDollarsRoundedUp(findWorst(results, (one) => one.debt))}`,
  )
  return lines
}

export const isPlatformClean = ({ results, faults }: PlatformVerdict): boolean => !results.some(isPlatformHole) && faults.length === 0
