import { minorText } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import type { StatementRow } from '../vendors/port.ts'

/** A movement in our own book. */
export type Line = Pick<StatementRow, 'kind' | 'tradeNo' | 'channelTxn' | 'refundNo' | 'minor' | 'currency' | 'at'>

export interface Fault {
  /**
   * `missing`: only in our book. `extra`: only in theirs. `cross_day`: booked by the channel on the day before or after ours.
   * `timezone`: the same instant in another zone's clock, whole hours away. `duplicate`: listed twice by the channel.
   */
  readonly class: 'missing' | 'extra' | 'amount' | 'currency' | 'fee' | 'duplicate' | 'cross_day' | 'timezone'
  readonly kind: Line['kind']
  readonly subject: string
  readonly tradeNo: string
  readonly ours: Readonly<Record<string, string>> | undefined
  readonly theirs: Readonly<Record<string, string>> | undefined
}

export interface Comparison {
  /** The day of Shanghai that the statement is about, YYYY-MM-DD. */
  readonly day: string
  /** Ours of that day and of its neighbours: a clock that is off must not look like lost money. */
  readonly ours: readonly Line[]
  readonly theirs: readonly StatementRow[]
  /** Expected fee of an amount in minor units; undefined: not compared. */
  readonly costOf?: (minor: bigint) => bigint
}

const HOUR = 3_600_000
/** Tolerated clock skew between the two companies. */
const SLACK = 60_000

/** Compares our book with the channel's statement and names every difference once. Pure. */
export function faultsOf({ day, ours, theirs, costOf }: Comparison): Fault[] {
  const known = new Map(ours.map((line) => [keyOf(line), line]))
  const seen = new Set<string>()
  const faults: Fault[] = []
  for (const row of theirs) {
    const key = keyOf(row)
    const mine = known.get(key)
    const add = (name: Fault['class']) =>
      faults.push({
        class: name,
        kind: row.kind,
        subject: key.slice(row.kind.length + 1),
        tradeNo: row.tradeNo,
        ours: mine && shown(mine),
        theirs: shown(row, row),
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
    else if (shanghaiDay(mine.at) !== day) add('cross_day')
  }
  for (const mine of ours) {
    if (seen.has(keyOf(mine)) || shanghaiDay(mine.at) !== day) continue
    faults.push({
      class: 'missing',
      kind: mine.kind,
      subject: keyOf(mine).slice(mine.kind.length + 1),
      tradeNo: mine.tradeNo,
      ours: shown(mine),
      theirs: undefined,
    })
  }
  return faults
}

/** Excludes refunds and disputes: we record when we learned of them, the channel when they happened. */
function isOtherZone(theirs: Date, ours: Date): boolean {
  const shift = Math.abs(theirs.getTime() - ours.getTime())
  const hours = Math.round(shift / HOUR)
  return hours > 0 && hours <= 14 && Math.abs(shift - hours * HOUR) <= SLACK
}

/** Names a line within its channel: two lines with one key are one movement. */
export const keyOf = ({ kind, channelTxn, refundNo }: Line) => `${kind} ${kind === 'refund' ? `${channelTxn} ${refundNo}` : channelTxn}`

function shown(line: Line, fee?: Pick<StatementRow, 'feeMinor' | 'feeCurrency'>): Record<string, string> {
  return {
    tradeNo: line.tradeNo,
    channelTxn: line.channelTxn,
    amount: minorText(line.minor),
    minor: line.minor.toString(),
    currency: line.currency,
    at: line.at.toISOString(),
    ...(fee ? { fee: minorText(fee.feeMinor), feeMinor: fee.feeMinor.toString(), feeCurrency: fee.feeCurrency } : {}),
  }
}
