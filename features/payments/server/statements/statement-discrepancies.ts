import { formatMinor } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { ChannelStatementRow } from '../vendors/port.ts'

/** A movement in our book. */
export type StatementLine = Pick<ChannelStatementRow, 'kind' | 'tradeNo' | 'channelTxn' | 'refundNo' | 'minor' | 'currency' | 'at'>

export interface StatementDiscrepancy {
  /**
   * `missing`: only in our book. `extra`: only in the channel's. `cross_day`: booked by the channel on the day before or after ours.
   * `timezone`: the same instant in another zone's clock, whole hours away. `duplicate`: listed twice by the channel.
   */
  readonly class: 'missing' | 'extra' | 'amount' | 'currency' | 'fee' | 'duplicate' | 'cross_day' | 'timezone'
  readonly kind: StatementLine['kind']
  readonly subject: string
  readonly tradeNo: string
  readonly ours: Readonly<Record<string, string>> | undefined
  readonly theirs: Readonly<Record<string, string>> | undefined
}

export interface StatementComparison {
  /** Day of the statement in Shanghai, YYYY-MM-DD. */
  readonly day: string
  /** Our movements of that day and the adjacent days: clock skew must not look like lost money. */
  readonly ours: readonly StatementLine[]
  readonly theirs: readonly ChannelStatementRow[]
  /** Expected fee of an amount in minor units; undefined: not compared. */
  readonly costOf?: (minor: bigint) => bigint
}

const HOUR_MS = 3_600_000
/** Tolerated clock skew between us and the channel. */
const SLACK_MS = 60_000

/** Compares our book with the channel's statement and reports every difference once. Pure. */
export function findDiscrepancies({ day, ours, theirs, costOf }: StatementComparison): StatementDiscrepancy[] {
  const known = new Map(ours.map((line) => [formatLineKey(line), line]))
  const seen = new Set<string>()
  const faults: StatementDiscrepancy[] = []
  for (const row of theirs) {
    const key = formatLineKey(row)
    const mine = known.get(key)
    const add = (name: StatementDiscrepancy['class']) =>
      faults.push({
        class: name,
        kind: row.kind,
        subject: key.slice(row.kind.length + 1),
        tradeNo: row.tradeNo,
        ours: mine && describeLine(mine),
        theirs: describeLine(row, row),
      })
    if (seen.has(key)) {
      add('duplicate')
      continue
    }
    seen.add(key)
    if (!mine) {
      add('extra')
      continue
    }
    if (mine.currency !== row.currency) add('currency')
    else if (mine.minor !== row.minor) add('amount')
    if (costOf && row.kind === 'payment' && row.feeCurrency === row.currency && row.feeMinor !== costOf(row.minor)) add('fee')
    if (row.kind === 'payment' && isOtherZone(row.at, mine.at)) add('timezone')
    else if (toShanghaiDay(mine.at) !== day) add('cross_day')
  }
  for (const mine of ours) {
    if (seen.has(formatLineKey(mine)) || toShanghaiDay(mine.at) !== day) continue
    faults.push({
      class: 'missing',
      kind: mine.kind,
      subject: formatLineKey(mine).slice(mine.kind.length + 1),
      tradeNo: mine.tradeNo,
      ours: describeLine(mine),
      theirs: undefined,
    })
  }
  return faults
}

/** Excludes refunds and disputes: we record when we learned of them, the channel when they happened. */
function isOtherZone(theirs: Date, ours: Date): boolean {
  const shift = Math.abs(theirs.getTime() - ours.getTime())
  const hours = Math.round(shift / HOUR_MS)
  return hours > 0 && hours <= 14 && Math.abs(shift - hours * HOUR_MS) <= SLACK_MS
}

/** Key of a line within its channel: two lines with one key are one movement. */
export const formatLineKey = ({ kind, channelTxn, refundNo }: StatementLine) => `${kind} ${kind === 'refund' ? `${channelTxn} ${refundNo}` : channelTxn}`

function describeLine(line: StatementLine, fee?: Pick<ChannelStatementRow, 'feeMinor' | 'feeCurrency'>): Record<string, string> {
  return {
    tradeNo: line.tradeNo,
    channelTxn: line.channelTxn,
    amount: formatMinor(line.minor),
    minor: line.minor.toString(),
    currency: line.currency,
    at: line.at.toISOString(),
    ...(fee ? { fee: formatMinor(fee.feeMinor), feeMinor: fee.feeMinor.toString(), feeCurrency: fee.feeCurrency } : {}),
  }
}
