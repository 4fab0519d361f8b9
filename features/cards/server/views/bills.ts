import type { Ctx, Handler } from '#platform/server/feature.ts'
import { BOM, formatCsvLine } from '#platform/server/csv.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import { formatBillTitle } from '../../bill-titles.ts'
import { type PeriodType, PERIOD_TYPES } from '../../words.ts'
import type { billsContract } from '../../contract-bills.ts'
import { requireOwnCard } from '../cards/data.ts'
import { selectDisputesByTransaction } from '../disputes/data.ts'
import { createCardTranslator } from '../mail-texts.ts'
import { selectBillById, selectBills, selectBillTotals, selectAuthSteps, type AuthStep, type Bill, type BillFilter, type BillWithCard } from '../bills/data.ts'
import { toBillRow } from './bill-view.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { selectMoveById } from '../money/data.ts'

const DAY_MS = 86_400_000

/** First and last day of a period that ends today; weeks begin on Monday. */
export function computeBillPeriod(periodType: PeriodType, today: string): { from: string; to: string } {
  if (periodType === PERIOD_TYPES.DAY) return { from: today, to: today }
  if (periodType === PERIOD_TYPES.MONTH) return { from: `${today.slice(0, 7)}-01`, to: today }
  const noon = new Date(`${today}T12:00:00Z`)
  const sinceMonday = (noon.getUTCDay() + 6) % 7
  return { from: new Date(noon.getTime() - sinceMonday * DAY_MS).toISOString().slice(0, 10), to: today }
}

interface Step {
  readonly at: string
  /** Name of the text `step_<event>`. */
  readonly event: string
  readonly amount: string
}

/** Names of an authorisation's steps on a page; steps without news for the member are left out. */
const EVENTS: Readonly<Record<string, string>> = {
  approved: 'authorized',
  increased: 'incremented',
  increase_declined: 'declined',
  changed: 'reduced',
  captured: 'captured',
  reversed: 'reversed',
  expired: 'expired',
  declined: 'declined',
}

/** Steps of a bill, oldest first: for a charge those of its authorisation, for a transfer its way to the issuer and back. */
async function readBillTimeline(sql: Sql, bill: Bill): Promise<Step[]> {
  if (bill.authorizationId !== null) return (await selectAuthSteps(sql, bill.authorizationId)).flatMap(toSteps)
  if (bill.moveId !== null) return readMoveTimeline(sql, bill.moveId)
  return []
}

function toSteps({ at, event, amount }: AuthStep): Step[] {
  const name = EVENTS[event]
  return name === undefined ? [] : [{ at: at.toISOString(), event: name, amount: formatUsd(amount) }]
}

async function readMoveTimeline(sql: Sql, id: string): Promise<Step[]> {
  const move = await selectMoveById(sql, id)
  if (!move) return []
  const amount = formatUsd(move.amount)
  const sent = { at: move.createdAt.toISOString(), event: 'sent', amount }
  if (!move.finishedAt) return [sent]
  return [sent, { at: move.finishedAt.toISOString(), event: move.state === 'failed' ? 'failed' : 'done', amount }]
}

const CSV_TEXT = {
  id: 'csv_id',
  card: 'csv_card',
  time: 'csv_time',
  kind: 'csv_kind',
  state: 'csv_state',
  merchant: 'csv_merchant',
  place: 'csv_place',
  amount: 'csv_amount',
  fee: 'csv_fee',
  balance: 'csv_balance',
  local: 'csv_local',
  reason: 'csv_reason',
} as const
const BILL_STATE_TEXT = {
  processing: 'bill_state_processing',
  success: 'bill_state_success',
  fail: 'bill_state_fail',
  reversed: 'bill_state_reversed',
  merged: 'bill_state_merged',
} as const

type C = typeof billsContract
const PAGE = 500

async function buildFilter(ctx: Ctx, { periodType, ...given }: Omit<BillFilter, 'userId'> & { periodType?: PeriodType | undefined }): Promise<BillFilter> {
  if (given.cardId !== undefined) await requireOwnCard(ctx, given.cardId)
  const isNamed = given.from !== undefined || given.to !== undefined
  return { ...given, ...(periodType === undefined || isNamed ? {} : computeBillPeriod(periodType, toShanghaiDay(ctx.clock.now()))), userId: ctx.userId }
}

async function toBillRows(ctx: Ctx, bills: readonly BillWithCard[]) {
  const disputes = await selectDisputesByTransaction(
    ctx.db,
    bills.flatMap(({ transactionId: id }) => (id === null ? [] : [id])),
  )
  return bills.map((bill) => toBillRow(bill, disputes.get(bill.transactionId ?? ''), ctx.clock.now()))
}

export const transactionList: Handler<C['transactionList']> = async (ctx, { pageNum, pageSize, ...given }) => {
  const filter = await buildFilter(ctx, given)
  const count = Number((await selectBillTotals(ctx.db, filter)).count)
  const rows = await selectBills(ctx.db, filter, { limit: pageSize, offset: (pageNum - 1) * pageSize })
  return { rowList: await toBillRows(ctx, rows), pageNum, pageSize, totalPage: Math.ceil(count / pageSize), totalRecord: count }
}

export const transactionTotal: Handler<C['transactionTotal']> = async (ctx, given) => {
  const { count, ...sums } = await selectBillTotals(ctx.db, await buildFilter(ctx, given))
  const shown = Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, formatUsd(amount)])) as Record<keyof typeof sums, string>
  return { count: Number(count), ...shown }
}

export const transactionInfo: Handler<C['transactionInfo']> = async (ctx, { id }) => {
  const bill = (await selectBillById(ctx.db, ctx.userId, id)) ?? fail('BILL_NOT_FOUND')
  const [row] = await toBillRows(ctx, [bill])
  return { ...row!, steps: await readBillTimeline(ctx.db, bill) }
}

/** Writes the CSV page by page while it is read: years of bills take no memory. */
export const transactionCsv: Handler<C['transactionCsv']> = async (ctx, given) => {
  const filter = await buildFilter(ctx, given)
  return { type: 'text/csv; charset=utf-8', filename: `card-bills-${toShanghaiDay(ctx.clock.now())}.csv`, body: formatLines(ctx, filter) }
}

const COLUMNS = ['time', 'card', 'kind', 'state', 'merchant', 'place', 'amount', 'fee', 'balance', 'local', 'reason', 'id'] as const

async function* formatLines(ctx: Ctx, filter: BillFilter): AsyncGenerator<string> {
  const say = createCardTranslator(ctx.lang)
  yield BOM + formatCsvLine(COLUMNS.map((name) => say(CSV_TEXT[name])))
  for (let offset = 0; ; offset += PAGE) {
    const rows = await selectBills(ctx.db, filter, { limit: PAGE, offset })
    let page = ''
    for (const row of rows)
      page += formatCsvLine([
        toShanghaiTime(row.at),
        row.last4,
        formatBillTitle(ctx.lang, row.kind),
        say(BILL_STATE_TEXT[row.state]),
        row.merchant,
        [row.place, row.country].filter(Boolean).join(' '),
        formatUsd(row.amount),
        formatUsd(row.fee),
        row.balanceAfter === null ? '' : formatUsd(row.balanceAfter),
        row.local ? `${formatMinor(BigInt(row.local.minor))} ${row.local.currency}` : '',
        row.reason,
        row.id,
      ])
    if (page) yield page
    if (rows.length < PAGE) return
  }
}
