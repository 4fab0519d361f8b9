import { expect, test } from 'vitest'
import { computeMinorPercent } from '#platform/shared/money.ts'
import { findDiscrepancies } from './statement-discrepancies.ts'
import type { StatementDiscrepancy, StatementLine } from './statement-discrepancies.ts'
import type { ChannelStatementRow } from '../vendors/port.ts'

const DAY = '2026-11-20'
const MIDNIGHT = Date.parse(`${DAY}T00:00:00+08:00`)
const PERCENT = '0.6'
const costOf = (minor: bigint) => computeMinorPercent(minor, PERCENT)

/** A seeded generator, so that a failing run can be reproduced. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

function lineAt(n: number, next: () => number): StatementLine {
  const kind = n % 20 === 0 ? 'refund' : n % 333 === 0 ? 'dispute' : 'payment'
  const at = new Date(MIDNIGHT + Math.floor(next() * 86_000) * 1000 + 120_000)
  return {
    kind,
    tradeNo: `T${n}`,
    channelTxn: `X${n}`,
    refundNo: kind === 'refund' ? `R${n}` : '',
    minor: BigInt(100 + Math.floor(next() * 300_000)),
    currency: 'CNY',
    at,
  }
}
const rowOf = (line: StatementLine): ChannelStatementRow => ({ ...line, feeMinor: line.kind === 'payment' ? costOf(line.minor) : 0n, feeCurrency: 'CNY' })
const brief = ({ class: name, kind, subject }: Pick<StatementDiscrepancy, 'class' | 'kind' | 'subject'>) => `${name} ${kind} ${subject}`

test('P9: 10,000 rows, one in a hundred false: every fault is named for what it is, and nothing else is', () => {
  const seed = Math.floor(Math.random() * 1e9)
  const next = random(seed)
  const ours: StatementLine[] = []
  const theirs: ChannelStatementRow[] = []
  const wanted: string[] = []
  for (let n = 1; n <= 10_000; n++) {
    const line = lineAt(n, next)
    const row = rowOf(line)
    const subject = line.kind === 'refund' ? `${line.channelTxn} ${line.refundNo}` : line.channelTxn
    const fault =
      n % 100 === 37 ? (['missing', 'extra', 'amount', 'currency', 'fee', 'duplicate', 'cross_day', 'timezone'] as const)[Math.floor(n / 100) % 8] : undefined
    if (fault !== 'extra') ours.push(fault === 'cross_day' ? { ...line, at: new Date(MIDNIGHT - 5000) } : line)
    if (fault === 'missing') theirs.push()
    else if (fault === 'amount') theirs.push({ ...row, minor: row.minor + 1n, feeMinor: costOf(row.minor + 1n) })
    else if (fault === 'currency') theirs.push({ ...row, currency: 'HKD', feeCurrency: 'HKD' })
    else if (fault === 'fee') theirs.push({ ...row, feeMinor: row.feeMinor + 1n })
    else if (fault === 'duplicate') theirs.push(row, row)
    else if (fault === 'timezone') theirs.push({ ...row, at: new Date(row.at.getTime() + 8 * 3_600_000) })
    else if (fault === 'cross_day') theirs.push({ ...row, at: new Date(MIDNIGHT + 2000) })
    else theirs.push(row)
    if (fault) wanted.push(`${fault} ${line.kind} ${subject}`)
  }
  theirs.sort(() => next() - 0.5)
  const found = findDiscrepancies({ day: DAY, ours, theirs, costOf }).map(brief)
  expect(wanted.length, `seed ${seed}`).toBe(100)
  expect(found.toSorted(), `seed ${seed}`).toEqual(wanted.toSorted())
})

test('a payment settled on another day is not missing today, and clocks may differ by seconds', () => {
  const next = random(1)
  const mine = lineAt(1, next)
  const yesterday = { ...lineAt(2, next), at: new Date(MIDNIGHT - 3_600_000) }
  expect(findDiscrepancies({ day: DAY, ours: [mine, yesterday], theirs: [{ ...rowOf(mine), at: new Date(mine.at.getTime() + 40_000) }] })).toEqual([])
})
