import { subtractNano, addNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { formatCount } from '#platform/shared/show-money.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { FundsRow, FundsTotals } from '../../contract-funds.ts'
import { FUNDS_CATEGORIES, findMovement, formatMovementRoute, movementTexts, formatMovementTitle, toShownKind } from '../../contract-movements.ts'
import type { FundsCategory } from '../../contract-movements.ts'
import type { MovementRow } from './data-funds.ts'
import type { MovementFacts, UsageDay } from './sources.ts'

/** The month's ledger in words, from movements and sums of calls. Pure: the same input gives the same rows on page, file and overview. */

export interface LedgerInput {
  readonly lang: Lang
  readonly now: Date
  readonly opening: Nano
  /** Oldest first. */
  readonly movements: readonly MovementRow[]
  readonly facts: ReadonlyMap<bigint, MovementFacts>
  readonly usage: readonly UsageDay[]
}

/** A row with its figures as numbers, for totals and filters. */
export interface LedgerRow {
  readonly row: FundsRow
  readonly amount: Nano
  readonly category: FundsCategory
}

/** A kind that the table lacks still counts, so that totals stay whole. */
export function findFundsCategory(kind: string, amount: Nano): FundsCategory {
  return findMovement(kind)?.category ?? (amount < 0n ? 'spend' : 'refund')
}

/** Newest first. The calls of a day come at its end; days and keys without another movement between them are one row. */
export function buildLedgerRows(input: LedgerInput): LedgerRow[] {
  const rows: LedgerRow[] = []
  let balance = input.opening
  let waiting: UsageDay[] = []
  const close = () => {
    if (!waiting.length) return
    balance = subtractNano(balance, sumNano(waiting.map((one) => one.amount)))
    rows.push(buildUsageRow(input, waiting, balance))
    waiting = []
  }
  let next = 0
  const usage = input.usage.filter((one) => one.amount !== 0n)
  for (const movement of input.movements) {
    const day = toShanghaiDay(movement.at)
    while (next < usage.length && usage[next]!.day < day) waiting.push(usage[next++]!)
    close()
    balance = addNano(balance, movement.amount)
    rows.push(buildMovementRow(input, movement, balance))
  }
  waiting.push(...usage.slice(next))
  close()
  return rows.toReversed()
}

function buildMovementRow({ lang, facts }: LedgerInput, movement: MovementRow, balance: Nano): LedgerRow {
  const { id, ref, amount } = movement
  const kind = toShownKind(movement.kind, ref)
  const known = facts.get(id) ?? {}
  const category = findFundsCategory(kind, amount)
  const isIn = amount > 0n
  return {
    amount,
    category,
    row: {
      id: `t${id}`,
      kind,
      category,
      at: movement.at.toISOString(),
      title: formatMovementTitle(lang, kind, { isIn, subject: known.subject }),
      about: known.about ?? '',
      ...formatMovementRoute(lang, { kind, isIn, known }),
      amount: formatUsd(amount),
      balance: formatUsd(balance),
      state: known.state ?? null,
      orderNo: known.orderNo ?? null,
      withdrawalNo: known.withdrawalNo ?? null,
      cardId: known.cardId ?? null,
      hasReceipt: known.hasReceipt ?? false,
      days: null,
    },
  }
}

function buildUsageRow({ lang, now }: LedgerInput, days: readonly UsageDay[], balance: Nano): LedgerRow {
  const texts = movementTexts[lang]
  const amount = subtractNano(0n, sumNano(days.map((one) => one.amount)))
  const [first, last] = [days[0]!.day, days.at(-1)!.day]
  const today = toShanghaiDay(now)
  const what = texts.mv_usage
  const [from, to] = [first.slice(5), last === today ? texts.funds_today : last.slice(5)]
  const title =
    first === last ? (last === today ? fill(texts.funds_so_far, { what }) : fill(texts.funds_day, { what, from })) : fill(texts.funds_days, { what, from, to })
  const models = new Set(days.flatMap((one) => one.models)).size
  return {
    amount,
    category: 'spend',
    row: {
      id: `u${first}`,
      kind: 'gateway.usage',
      category: 'spend',
      at: (last >= today ? now : new Date(Date.parse(`${last}T23:59:59+08:00`))).toISOString(),
      title,
      about: fill(texts.funds_calls, { calls: formatCount(days.reduce((all, one) => all + one.calls, 0)), models }),
      from: texts.place_balance,
      to: texts.place_api,
      amount: formatUsd(amount),
      balance: formatUsd(balance),
      state: null,
      orderNo: null,
      withdrawalNo: null,
      cardId: null,
      hasReceipt: false,
      days: days.map((one) => ({ ...one, models: one.models.length, amount: formatUsd(subtractNano(0n, one.amount)) })),
    },
  }
}

/** The eight numbers: opening + topup + refund + reward - spend - card - withdraw = closing. */
export function computeFundsTotals(opening: Nano, rows: readonly LedgerRow[]): FundsTotals {
  const of = (category: FundsCategory) => sumNano(rows.filter((one) => one.category === category).map((one) => one.amount))
  const left = (category: FundsCategory) => formatUsd(subtractNano(0n, of(category)))
  return {
    opening: formatUsd(opening),
    topup: formatUsd(of('topup')),
    refund: formatUsd(of('refund')),
    reward: formatUsd(of('reward')),
    spend: left('spend'),
    card: left('card'),
    withdraw: left('withdraw'),
    closing: formatUsd(addNano(opening, sumNano(rows.map((one) => one.amount)))),
  }
}

export function countByCategory(rows: readonly LedgerRow[]): Readonly<Record<FundsCategory | 'all', number>> {
  const of = (category: FundsCategory) => rows.filter((one) => one.category === category).length
  const [topup, spend, card, withdraw, refund, reward] = FUNDS_CATEGORIES.map(of) as [number, number, number, number, number, number]
  return { all: rows.length, topup, spend, card, withdraw, refund, reward }
}

/** Search: words of the row, its amount in any usual form, the end of its number. */
export function matchesSearch({ row }: LedgerRow, asked: string): boolean {
  const wanted = asked.trim().toLowerCase()
  if (wanted === '') return true
  const digits = wanted.replaceAll(/[$,+−\s]/g, '').replace(/^-/, '')
  const size = row.amount.replace('-', '')
  if (/^\d+(\.\d*)?$/.test(digits) && (size === digits || size.startsWith(`${digits}.`) || (digits.includes('.') && padDecimals(size).startsWith(digits))))
    return true
  const ends = [row.orderNo, row.withdrawalNo].some((number) => number !== null && wanted.length >= 3 && number.toLowerCase().endsWith(wanted))
  return ends || [row.title, row.about, row.from, row.to].some((text) => text.toLowerCase().includes(wanted))
}

const padDecimals = (decimal: string) => {
  const [whole = '', rest = ''] = decimal.split('.')
  return `${whole}.${rest.padEnd(2, '0')}`
}
