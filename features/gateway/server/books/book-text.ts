import { formatCsvLine } from '#platform/server/csv.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import type { StoredBookRow } from './data.ts'
import type { BookComparison } from './compare-books.ts'
import { judgeBookRow } from './match.ts'

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
const TEXT_COLUMN_COUNT = 2

/** Formats a comparison for operators, as a table or as CSV. A dash marks figures that a vendor does not report. */
export function formatBookComparison({ total, rows }: BookComparison, csv: boolean): string {
  const cells = rows.map(cellsOf)
  if (csv) return [['day', ...COLUMNS], ...cells.map((row) => [total.day, ...row])].map(formatCsvLine).join('').trimEnd()
  const widths = COLUMNS.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]!.length)))
  const line = (row: readonly string[]) => row.map((cell, at) => (at < TEXT_COLUMN_COUNT ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  ')
  const unposted = subtractNano(total.sums, total.captured)
  return [
    `${total.day} (UTC)`,
    line(COLUMNS),
    ...cells.map(line),
    '',
    `charged by rows that began that day   ${formatUsd(total.charged)} USD`,
    `posted to the ledger that day         ${formatUsd(total.posted)} USD`,
    `sums of all time less the ledger      ${formatUsd(unposted)} USD${unposted === 0n ? '' : '  DIFFERS'}`,
    `payments received, paid back          ${formatUsd(total.received)} USD, ${formatUsd(total.paidBack)} USD`,
    ...(total.unread.length ? [`not read: ${total.unread.join(', ')}`] : []),
    ...(total.alarms.length ? ['', ...total.alarms.map((alarm) => `ALARM ${alarm}`)] : []),
  ].join('\n')
}

function cellsOf(row: StoredBookRow): string[] {
  const { tokenDrift, driftShare, margin } = judgeBookRow(row)
  const said = (value: bigint | null | undefined, write: (value: bigint) => string = String) => (value === null || value === undefined ? '-' : write(value))
  return [
    row.vendor,
    row.model,
    String(row.ourCalls),
    said(row.theirCalls),
    String(row.ourInput),
    said(row.theirInput),
    String(row.ourOutput),
    said(row.theirOutput),
    said(tokenDrift),
    driftShare === undefined ? '-' : (driftShare / 10_000).toFixed(4),
    String(row.estimatedCalls),
    formatUsd(row.ourCharge),
    said(row.theirCost, formatUsd),
    said(margin, formatUsd),
    String(row.revision),
  ]
}
