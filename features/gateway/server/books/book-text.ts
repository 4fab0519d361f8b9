import { csvLine } from '#platform/server/csv.ts'
import { minus, usd } from '#platform/shared/money.ts'
import type { StoredBookRow } from './data.ts'
import type { Comparison } from './compare-books.ts'
import { judged } from './match.ts'

const COLUMNS = [
  'vendor',
  'model',
  'calls',
  'theirs',
  'input',
  'theirs',
  'output',
  'theirs',
  'drift',
  'drift %',
  'estimated',
  'charge',
  'cost',
  'margin',
  'revision',
]
const TEXTS = 2

/** A comparison for operators: a table, or the same as CSV. A dash where a vendor does not say. */
export function bookText({ total, rows }: Comparison, csv: boolean): string {
  const cells = rows.map(cellsOf)
  if (csv) return [['day', ...COLUMNS], ...cells.map((row) => [total.day, ...row])].map(csvLine).join('').trimEnd()
  const widths = COLUMNS.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]!.length)))
  const line = (row: readonly string[]) => row.map((cell, at) => (at < TEXTS ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  ')
  const unposted = minus(total.sums, total.captured)
  return [
    `${total.day} (UTC)`,
    line(COLUMNS),
    ...cells.map(line),
    '',
    `charged by rows that began that day   ${usd(total.charged)} USD`,
    `posted to the ledger that day         ${usd(total.posted)} USD`,
    `sums of all time less the ledger      ${usd(unposted)} USD${unposted === 0n ? '' : '  DIFFERS'}`,
    `payments received, paid back          ${usd(total.received)} USD, ${usd(total.paid_back)} USD`,
    ...(total.unread.length ? [`not read: ${total.unread.join(', ')}`] : []),
    ...(total.alarms.length ? ['', ...total.alarms.map((alarm) => `ALARM ${alarm}`)] : []),
  ].join('\n')
}

function cellsOf(row: StoredBookRow): string[] {
  const { tokenDrift, driftShare, margin } = judged(row)
  const said = (value: bigint | null | undefined, write: (value: bigint) => string = String) => (value === null || value === undefined ? '-' : write(value))
  return [
    row.vendor,
    row.model,
    String(row.our_calls),
    said(row.their_calls),
    String(row.our_input),
    said(row.their_input),
    String(row.our_output),
    said(row.their_output),
    said(tokenDrift),
    driftShare === undefined ? '-' : (driftShare / 10_000).toFixed(4),
    String(row.estimated_calls),
    usd(row.our_charge),
    said(row.their_cost, usd),
    said(margin, usd),
    String(row.revision),
  ]
}
