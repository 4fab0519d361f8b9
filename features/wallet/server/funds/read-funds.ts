import type { Ctx, Handler } from '#platform/server/feature.ts'
import { BOM, csvLine } from '#platform/server/csv.ts'
import { minus, plus, sum, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { shanghaiDay, shanghaiTime } from '#platform/shared/time.ts'
import type { fundsContract } from '../../contract-funds.ts'
import { CATEGORY_TEXTS, movementOf, MOVEMENTS, movementTexts, shownKind } from '../../contract-movements.ts'
import type { FundsCategory } from '../../contract-movements.ts'
import { balanceOf } from '../verbs/balance.ts'
import { selectKindSums, selectMovements, selectOpenedAt } from './data-funds.ts'
import type { KindSum } from './data-funds.ts'
import { categoryOf, countsOf, fitsSearch, ledgerRows, totalsOf } from './ledger.ts'
import type { LedgerRow } from './ledger.ts'
import { boundsOf, monthOfDay } from './months.ts'
import { factsOf, usageSource } from './sources.ts'

/** Kinds that the sums of calls tell: no rows of their own. */
const SUMMED = Object.entries(MOVEMENTS).flatMap(([kind, entry]) => (entry.summed ? [kind] : []))
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
  const { from, before, firstDay, dayAfter } = boundsOf(month)
  const calls = usageSource()
  const movements = await selectMovements(ctx.db, owner, SUMMED, from, before)
  const earlier = sum((await selectKindSums(ctx.db, owner, SUMMED, BEGIN, from)).map((one) => one.amount))
  const opening = minus(earlier, await calls.sum(ctx, account.id, BEGIN_DAY, firstDay))
  const usage = await calls.days(ctx, account.id, firstDay, dayAfter)
  const facts = await factsOf(ctx, lang, ctx.userId, movements)
  return { opening, rows: ledgerRows({ lang, now: ctx.clock.now(), opening, movements, facts, usage }) }
}

interface Filter {
  readonly category?: FundsCategory | undefined
  readonly q?: string | undefined
}
const filtered = (rows: readonly LedgerRow[], { category, q = '' }: Filter) =>
  rows.filter((one) => (category === undefined || one.category === category) && fitsSearch(one, q))

async function firstMonthOf(ctx: Ctx): Promise<string> {
  const account = await selectOpenedAt(ctx.db, `user:${ctx.userId}`)
  return monthOfDay(shanghaiDay(account?.opened_at ?? ctx.clock.now()))
}

export const funds: Handler<typeof fundsContract.funds> = async (ctx, input) => {
  const now = ctx.clock.now()
  const current = monthOfDay(shanghaiDay(now))
  const month = input.month ?? current
  const { opening, rows } = await readMonth(ctx, month, input.lang ?? ctx.lang)
  const found = filtered(rows, input)
  // an id that is gone, because its days grew, begins again
  const start = input.after === undefined ? 0 : found.findIndex(({ row }) => row.id === input.after) + 1
  const page = found.slice(start, start + input.limit)
  const hasMore = start + input.limit < found.length
  const api = minus(0n, sum(rows.filter(({ row }) => row.days !== null).map(({ amount }) => amount)))
  const totals = totalsOf(opening, rows)
  return {
    month,
    firstMonth: await firstMonthOf(ctx),
    isCurrent: month >= current,
    asOf: now.toISOString(),
    totals,
    counts: countsOf(rows),
    spent: { api: usd(api), other: usd(minus(minus(0n, sum(rows.filter(({ category }) => category === 'spend').map(({ amount }) => amount))), api)) },
    rowList: page.map(({ row }) => row),
    found: found.length,
    sum: usd(sum(found.map(({ amount }) => amount))),
    next: hasMore ? (page.at(-1)?.row.id ?? null) : null,
  }
}

export const fundsCsv: Handler<typeof fundsContract.fundsCsv> = async (ctx, input) => {
  const lang = input.lang ?? ctx.lang
  const month = input.month ?? monthOfDay(shanghaiDay(ctx.clock.now()))
  const { rows } = await readMonth(ctx, month, lang)
  return { type: 'text/csv; charset=utf-8', filename: `funds-${month}.csv`, body: Buffer.from(csvOf(filtered(rows, input), lang)) }
}

/** The page's rows with the page's words; times as ISO in Beijing time. */
export function csvOf(rows: readonly LedgerRow[], lang: Lang): string {
  const say = movementTexts[lang]
  const head = [
    ...[say.fundscsv_time, say.fundscsv_title, say.fundscsv_about, say.fundscsv_category, say.fundscsv_from, say.fundscsv_to],
    ...[say.fundscsv_amount, say.fundscsv_balance, say.fundscsv_order],
  ]
  const lines = rows.map(({ row }) => [
    ...[`${shanghaiTime(new Date(row.at)).replace(' ', 'T')}+08:00`, row.title, row.about, say[CATEGORY_TEXTS[row.category]], row.from, row.to],
    ...[row.amount, row.balance, row.orderNo ?? row.withdrawalNo ?? ''],
  ])
  return BOM + [head, ...lines].map((cells) => csvLine(cells)).join('')
}

interface Sums {
  readonly topup: Nano
  readonly reward: Nano
  /** Refunds of what a channel had paid directly: money that comes in. */
  readonly refunded: Nano
  readonly spent: Nano
  readonly card: Nano
  readonly withdraw: Nano
  readonly chargeback: Nano
}

function sumsOf(kinds: readonly KindSum[], calls: Nano): Sums {
  const named = kinds.map((one) => ({ ...one, kind: shownKind(one.kind, one.is_refund ? 'back:' : '') }))
  const of = (fits: (kind: string, category: FundsCategory) => boolean) =>
    sum(named.filter((one) => fits(one.kind, categoryOf(one.kind, one.amount))).map((one) => one.amount))
  const isBack = (kind: string) => movementOf(kind)?.chargeback === true
  const isOutside = (kind: string) => kind === 'refund.credited'
  return {
    topup: of((_, category) => category === 'topup'),
    reward: of((_, category) => category === 'reward'),
    refunded: of(isOutside),
    spent: plus(
      calls,
      minus(
        0n,
        of((kind, category) => category === 'spend' || (category === 'refund' && !isBack(kind) && !isOutside(kind))),
      ),
    ),
    card: minus(
      0n,
      of((_, category) => category === 'card'),
    ),
    withdraw: minus(
      0n,
      of((_, category) => category === 'withdraw'),
    ),
    chargeback: minus(0n, of(isBack)),
  }
}

export const fundsSummary: Handler<typeof fundsContract.fundsSummary> = async (ctx) => {
  const now = ctx.clock.now()
  const owner = `user:${ctx.userId}`
  const month = monthOfDay(shanghaiDay(now))
  const { from, before, firstDay, dayAfter } = boundsOf(month)
  const account = await selectOpenedAt(ctx.db, owner)
  const calls = usageSource()
  const usedIn = async (first: string) => (account ? calls.sum(ctx, account.id, first, dayAfter) : 0n)
  const all = sumsOf(await selectKindSums(ctx.db, owner, SUMMED, BEGIN, before), await usedIn(BEGIN_DAY))
  const thisMonth = sumsOf(await selectKindSums(ctx.db, owner, SUMMED, from, before), await usedIn(firstDay))
  const added = sum([all.topup, all.reward, all.refunded])
  const out = plus(all.card, all.withdraw)
  const { rows } = await readMonth(ctx, month, ctx.lang)
  return {
    added: usd(added),
    topup: usd(all.topup),
    reward: usd(all.reward),
    refunded: usd(all.refunded),
    spent: usd(all.spent),
    monthSpent: usd(thisMonth.spent),
    out: usd(out),
    card: usd(all.card),
    withdraw: usd(all.withdraw),
    chargeback: usd(all.chargeback),
    balance: usd(minus(added, sum([all.spent, out, all.chargeback]))),
    held: usd((await balanceOf(ctx.db, ctx.userId)).held),
    recent: rows.slice(0, RECENT).map(({ row }) => row),
    asOf: now.toISOString(),
  }
}
