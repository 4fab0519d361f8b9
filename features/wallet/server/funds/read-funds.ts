import type { Ctx, Handler } from '#platform/server/feature.ts'
import { BOM, formatCsvLine } from '#platform/server/csv.ts'
import { subtractNano, addNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import type { fundsContract } from '../../contract-funds.ts'
import { CATEGORY_TEXTS, findMovement, MOVEMENTS, movementTexts, toShownKind } from '../../contract-movements.ts'
import type { FundsCategory } from '../../contract-movements.ts'
import { readBalance } from '../verbs/balance.ts'
import { selectKindSums, selectMovements, selectOpenedAt } from './data-funds.ts'
import type { KindSum } from './data-funds.ts'
import { findFundsCategory, countByCategory, matchesSearch, buildLedgerRows, computeFundsTotals } from './ledger.ts'
import type { LedgerRow } from './ledger.ts'
import { readMovementFacts, getUsageSource } from './sources.ts'

/** Months are Shanghai's, written 2026-11. */

const toMonth = (day: string): string => day.slice(0, 7)

/** Bounds of a month: its first instant and that of the next month; days for data kept by day. */
export function computeMonthBounds(month: string): { readonly from: Date; readonly before: Date; readonly firstDay: string; readonly dayAfter: string } {
  const firstDay = `${month}-01`
  const dayAfter = `${nextMonth(month)}-01`
  return { from: midnight(firstDay), before: midnight(dayAfter), firstDay, dayAfter }
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

const midnight = (day: string) => new Date(`${day}T00:00:00+08:00`)

/** Kinds covered by the sums of calls; they have no rows. */
const SUMMED_KINDS = Object.entries(MOVEMENTS).flatMap(([kind, entry]) => (entry.summed ? [kind] : []))
const BEGIN = new Date(0)
const BEGIN_DAY = '2000-01-01'
const RECENT = 5

interface MonthLedger {
  readonly opening: Nano
  readonly rows: readonly LedgerRow[]
}

/** One month of a user's ledger; the opening balance is the sum of everything before it. */
async function readMonth(ctx: Ctx, month: string, lang: Lang): Promise<MonthLedger> {
  const owner = `user:${ctx.userId}`
  const account = await selectOpenedAt(ctx.db, owner)
  if (!account) return { opening: 0n, rows: [] }
  const { from, before, firstDay, dayAfter } = computeMonthBounds(month)
  const calls = getUsageSource()
  const movements = await selectMovements(ctx.db, owner, { summed: SUMMED_KINDS, from, before })
  const earlier = sumNano((await selectKindSums(ctx.db, owner, { summed: SUMMED_KINDS, from: BEGIN, before: from })).map((one) => one.amount))
  const opening = subtractNano(earlier, await calls.sum(ctx, account.id, { from: BEGIN_DAY, before: firstDay }))
  const usage = await calls.days(ctx, account.id, { from: firstDay, before: dayAfter })
  const facts = await readMovementFacts(ctx, lang, { userId: ctx.userId, rows: movements })
  return { opening, rows: buildLedgerRows({ lang, now: ctx.clock.now(), opening, movements, facts, usage }) }
}

interface Filter {
  readonly category?: FundsCategory | undefined
  readonly q?: string | undefined
}
const filterRows = (rows: readonly LedgerRow[], { category, q = '' }: Filter) =>
  rows.filter((one) => (category === undefined || one.category === category) && matchesSearch(one, q))

async function readFirstMonth(ctx: Ctx): Promise<string> {
  const account = await selectOpenedAt(ctx.db, `user:${ctx.userId}`)
  return toMonth(toShanghaiDay(account?.openedAt ?? ctx.clock.now()))
}

export const funds: Handler<typeof fundsContract.funds> = async (ctx, input) => {
  const now = ctx.clock.now()
  const current = toMonth(toShanghaiDay(now))
  const month = input.month ?? current
  const { opening, rows } = await readMonth(ctx, month, input.lang ?? ctx.lang)
  const found = filterRows(rows, input)
  // an id that no longer exists, because its row has grown by days, restarts at the first page
  const start = input.after === undefined ? 0 : found.findIndex(({ row }) => row.id === input.after) + 1
  const page = found.slice(start, start + input.limit)
  const hasMore = start + input.limit < found.length
  const api = subtractNano(0n, sumNano(rows.filter(({ row }) => row.days !== null).map(({ amount }) => amount)))
  const totals = computeFundsTotals(opening, rows)
  return {
    month,
    firstMonth: await readFirstMonth(ctx),
    isCurrent: month >= current,
    asOf: now.toISOString(),
    totals,
    counts: countByCategory(rows),
    spent: {
      api: formatUsd(api),
      other: formatUsd(subtractNano(subtractNano(0n, sumNano(rows.filter(({ category }) => category === 'spend').map(({ amount }) => amount))), api)),
    },
    rowList: page.map(({ row }) => row),
    found: found.length,
    sum: formatUsd(sumNano(found.map(({ amount }) => amount))),
    next: hasMore ? (page.at(-1)?.row.id ?? null) : null,
  }
}

export const fundsCsv: Handler<typeof fundsContract.fundsCsv> = async (ctx, input) => {
  const lang = input.lang ?? ctx.lang
  const month = input.month ?? toMonth(toShanghaiDay(ctx.clock.now()))
  const { rows } = await readMonth(ctx, month, lang)
  return { type: 'text/csv; charset=utf-8', filename: `funds-${month}.csv`, body: Buffer.from(formatFundsCsv(filterRows(rows, input), lang)) }
}

/** The page's rows with the page's words; times as ISO in Beijing time. */
export function formatFundsCsv(rows: readonly LedgerRow[], lang: Lang): string {
  const say = movementTexts[lang]
  const head = [
    ...[say.fundscsv_time, say.fundscsv_title, say.fundscsv_about, say.fundscsv_category, say.fundscsv_from, say.fundscsv_to],
    ...[say.fundscsv_amount, say.fundscsv_balance, say.fundscsv_order],
  ]
  const lines = rows.map(({ row }) => [
    ...[`${toShanghaiTime(new Date(row.at)).replace(' ', 'T')}+08:00`, row.title, row.about, say[CATEGORY_TEXTS[row.category]], row.from, row.to],
    ...[row.amount, row.balance, row.orderNo ?? row.withdrawalNo ?? ''],
  ])
  return BOM + [head, ...lines].map((cells) => formatCsvLine(cells)).join('')
}

interface SummarySums {
  readonly topup: Nano
  readonly reward: Nano
  /** Refunds of sums that a channel had paid directly: incoming money. */
  readonly refunded: Nano
  readonly spent: Nano
  readonly card: Nano
  readonly withdraw: Nano
  readonly chargeback: Nano
}

function computeSums(kinds: readonly KindSum[], calls: Nano): SummarySums {
  const named = kinds.map((one) => ({ ...one, kind: toShownKind(one.kind, one.isRefund ? 'back:' : '') }))
  const of = (fits: (kind: string, category: FundsCategory) => boolean) =>
    sumNano(named.filter((one) => fits(one.kind, findFundsCategory(one.kind, one.amount))).map((one) => one.amount))
  const isBack = (kind: string) => findMovement(kind)?.chargeback === true
  const isOutside = (kind: string) => kind === 'refund.credited'
  return {
    topup: of((_, category) => category === 'topup'),
    reward: of((_, category) => category === 'reward'),
    refunded: of(isOutside),
    spent: addNano(
      calls,
      subtractNano(
        0n,
        of((kind, category) => category === 'spend' || (category === 'refund' && !isBack(kind) && !isOutside(kind))),
      ),
    ),
    card: subtractNano(
      0n,
      of((_, category) => category === 'card'),
    ),
    withdraw: subtractNano(
      0n,
      of((_, category) => category === 'withdraw'),
    ),
    chargeback: subtractNano(0n, of(isBack)),
  }
}

export const fundsSummary: Handler<typeof fundsContract.fundsSummary> = async (ctx) => {
  const now = ctx.clock.now()
  const owner = `user:${ctx.userId}`
  const month = toMonth(toShanghaiDay(now))
  const { from, before, firstDay, dayAfter } = computeMonthBounds(month)
  const account = await selectOpenedAt(ctx.db, owner)
  const calls = getUsageSource()
  const usedIn = async (first: string) => (account ? calls.sum(ctx, account.id, { from: first, before: dayAfter }) : 0n)
  const all = computeSums(await selectKindSums(ctx.db, owner, { summed: SUMMED_KINDS, from: BEGIN, before }), await usedIn(BEGIN_DAY))
  const thisMonth = computeSums(await selectKindSums(ctx.db, owner, { summed: SUMMED_KINDS, from, before }), await usedIn(firstDay))
  const added = sumNano([all.topup, all.reward, all.refunded])
  const out = addNano(all.card, all.withdraw)
  const { rows } = await readMonth(ctx, month, ctx.lang)
  return {
    added: formatUsd(added),
    topup: formatUsd(all.topup),
    reward: formatUsd(all.reward),
    refunded: formatUsd(all.refunded),
    spent: formatUsd(all.spent),
    monthSpent: formatUsd(thisMonth.spent),
    out: formatUsd(out),
    card: formatUsd(all.card),
    withdraw: formatUsd(all.withdraw),
    chargeback: formatUsd(all.chargeback),
    balance: formatUsd(subtractNano(added, sumNano([all.spent, out, all.chargeback]))),
    held: formatUsd((await readBalance(ctx.db, ctx.userId)).held),
    recent: rows.slice(0, RECENT).map(({ row }) => row),
    asOf: now.toISOString(),
  }
}
