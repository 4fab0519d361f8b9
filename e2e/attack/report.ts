import { plain } from './attacker.ts'
import type { Result, Verdict } from './run.ts'

/** Limits per strategy in nano-dollars: a loss of one cent for us, a debt of five cents for the account. */
export const MOST_LOSS = 10_000_000n
export const MOST_DEBT = 50_000_000n

/** Dollars with six places, rounded up, so that no loss looks smaller than it is. */
export function dollars(nano: bigint): string {
  const micro = (nano + 999n) / 1_000n
  return `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, '0')}`
}

export const isHole = (result: Result): boolean => result.loss > MOST_LOSS || result.debt > MOST_DEBT

const worst = (results: readonly Result[], of: (result: Result) => bigint): bigint =>
  results.reduce((most, result) => (of(result) > most ? of(result) : most), 0n)

/** A line for each strategy, then what does not agree, then the sum in one line. */
export function report({ results, differing, strangers, problems }: Verdict, isVerbose = false): string[] {
  const lines = [
    `${'strategy'.padEnd(22)} ${'vendor'.padStart(12)} ${'charged'.padStart(12)} ${'loss'.padStart(12)} ${'debt'.padStart(12)} ${'asked'.padStart(6)} ${'billed'.padStart(6)}`,
  ]
  for (const result of results) {
    const figures = [result.vendor, result.charged, result.loss, result.debt].map((nano) => dollars(nano).padStart(12)).join(' ')
    lines.push(`${result.name.padEnd(22)} ${figures} ${String(result.asked).padStart(6)} ${String(result.billed).padStart(6)}${isHole(result) ? '  HOLE' : ''}`)
    if (!isVerbose) continue
    for (const [reply, times] of result.replies) lines.push(`    ${times} x ${reply}`)
    if (isHole(result) || result.loss > 0n)
      for (const { entry, charged, provenance } of result.worst)
        lines.push(
          `    ${dollars(entry.nano)} billed (${entry.status}, ${entry.used}), ${charged === undefined ? 'no row' : `${dollars(charged)} charged (${provenance})`}: ${entry.path} ${plain(entry.asked)}`,
        )
  }
  for (const { entry, charged } of differing.slice(0, 10))
    lines.push(`DIFFERS ${entry.who} ${entry.path} ${entry.model}: billed ${entry.nano}, charged ${charged} nano-dollars (${entry.used})`)
  for (const entry of strangers.slice(0, 10)) lines.push(`WHOSE? ${entry.path} ${entry.model}: billed ${entry.nano} (${entry.used})`)
  for (const problem of problems.slice(0, 10)) lines.push(`LEDGER ${JSON.stringify(problem)}`)
  lines.push(
    `the vendor's book and the rows with its figures: ${differing.length ? `${differing.length} DIFFER` : 'equal to the nano-dollar'}; wallet:verify: ${problems.length ? `${problems.length} PROBLEMS` : 'OK'}`,
  )
  lines.push(`${results.length} strategies, worst loss ${dollars(worst(results, (one) => one.loss))}, worst debt ${dollars(worst(results, (one) => one.debt))}`)
  return lines
}

export const isClean = ({ results, differing, strangers, problems }: Verdict): boolean =>
  !results.some(isHole) && differing.length + strangers.length + problems.length === 0
