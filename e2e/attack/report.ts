import { toPrintableLine } from './attacker.ts'
import type { StrategyResult, AttackVerdict } from './run.ts'

/** Limits per strategy in nano-dollars: a loss of one cent for us, a debt of five cents for the account. */
export const MAX_LOSS_NANO = 10_000_000n
export const MAX_DEBT_NANO = 50_000_000n

/** Dollars with six decimals, rounded up, so that no loss looks smaller than it is. */
export function formatDollarsRoundedUp(nano: bigint): string {
  const micro = (nano + 999n) / 1_000n
  return `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, '0')}`
}

export const isHole = (result: StrategyResult): boolean => result.loss > MAX_LOSS_NANO || result.debt > MAX_DEBT_NANO

const findWorst = (results: readonly StrategyResult[], of: (result: StrategyResult) => bigint): bigint =>
  results.reduce((most, result) => (of(result) > most ? of(result) : most), 0n)

/** One line per strategy, then the mismatches, then the total in one line. */
export function formatAttackReport({ results, differing, strangers, problems }: AttackVerdict, isVerbose = false): string[] {
  const lines = [
    `${'strategy'.padEnd(22)} ${'vendor'.padStart(12)} ${'charged'.padStart(12)} ${'loss'.padStart(12)} ${'debt'.padStart(12)} ${'asked'.padStart(6)} ${'billed'.padStart(6)}`,
  ]
  for (const result of results) {
    const figures = [result.vendor, result.charged, result.loss, result.debt].map((nano) => formatDollarsRoundedUp(nano).padStart(12)).join(' ')
    lines.push(`${result.name.padEnd(22)} ${figures} ${String(result.asked).padStart(6)} ${String(result.billed).padStart(6)}${isHole(result) ? '  HOLE' : ''}`)
    if (!isVerbose) continue
    for (const [reply, times] of result.replies) lines.push(`    ${times} x ${reply}`)
    if (isHole(result) || result.loss > 0n)
      for (const { entry, charged, provenance } of result.worst)
        lines.push(
          `    ${formatDollarsRoundedUp(entry.nano)} billed (${entry.status}, ${entry.used}), ${charged === undefined ? 'no row' : `${formatDollarsRoundedUp(charged)} charged (${provenance})`}: ${entry.path} ${toPrintableLine(entry.asked)}`,
        )
  }
  for (const { entry, charged } of differing.slice(0, 10))
    lines.push(`DIFFERS ${entry.who} ${entry.path} ${entry.model}: billed ${entry.nano}, charged ${charged} nano-dollars (${entry.used})`)
  for (const entry of strangers.slice(0, 10)) lines.push(`WHOSE? ${entry.path} ${entry.model}: billed ${entry.nano} (${entry.used})`)
  for (const problem of problems.slice(0, 10)) lines.push(`LEDGER ${JSON.stringify(problem)}`)
  lines.push(
    `the vendor's book and the rows with its figures: ${differing.length ? `${differing.length} DIFFER` : 'equal to the nano-dollar'}; wallet:verify: ${problems.length ? `${problems.length} PROBLEMS` : 'OK'}`,
  )
  lines.push(
    `${results.length} strategies, worst loss ${formatDollarsRoundedUp(findWorst(results, (one) => one.loss))}, worst debt ${formatDollarsRoundedUp(findWorst(results, (one) => one.debt))}`,
  )
  return lines
}

export const isAttackClean = ({ results, differing, strangers, problems }: AttackVerdict): boolean =>
  !results.some(isHole) && differing.length + strangers.length + problems.length === 0
