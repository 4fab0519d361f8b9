import type { Ctx, Handler } from '#platform/server/feature.ts'
import { BOM, csvLine } from '#platform/server/csv.ts'
import { fail } from '#platform/shared/errors.ts'
import { minorText, usd } from '#platform/shared/money.ts'
import { shanghaiDay, shanghaiTime } from '#platform/shared/time.ts'
import { billTitle } from '../../bill-titles.ts'
import type { PeriodType } from '../../words.ts'
import type { billsContract } from '../../contract-bills.ts'
import { ownCard } from '../cards/data.ts'
import { disputesOfTransactions } from '../disputes/data.ts'
import { says } from '../mail-texts.ts'
import { billById, billsOf, totalsOf } from '../bills/data.ts'
import type { BillFilter, ShownBill } from '../bills/data.ts'
import { courseOf } from './bill-course.ts'
import { periodOf } from './bill-period.ts'
import { billView } from './bill-view.ts'

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

async function filterOf(ctx: Ctx, { periodType, ...given }: Omit<BillFilter, 'userId'> & { periodType?: PeriodType | undefined }): Promise<BillFilter> {
  if (given.cardId !== undefined) await ownCard(ctx, given.cardId)
  const isNamed = given.from !== undefined || given.to !== undefined
  return { ...given, ...(periodType === undefined || isNamed ? {} : periodOf(periodType, shanghaiDay(ctx.clock.now()))), userId: ctx.userId }
}

async function views(ctx: Ctx, bills: readonly ShownBill[]) {
  const disputes = await disputesOfTransactions(
    ctx.db,
    bills.flatMap(({ transaction_id: id }) => (id === null ? [] : [id])),
  )
  return bills.map((bill) => billView(bill, disputes.get(bill.transaction_id ?? ''), ctx.clock.now()))
}

export const transactionList: Handler<C['transactionList']> = async (ctx, { pageNum, pageSize, ...given }) => {
  const filter = await filterOf(ctx, given)
  const count = Number((await totalsOf(ctx.db, filter)).count)
  const rows = await billsOf(ctx.db, filter, pageSize, (pageNum - 1) * pageSize)
  return { rowList: await views(ctx, rows), pageNum, pageSize, totalPage: Math.ceil(count / pageSize), totalRecord: count }
}

export const transactionTotal: Handler<C['transactionTotal']> = async (ctx, given) => {
  const { count, ...sums } = await totalsOf(ctx.db, await filterOf(ctx, given))
  const shown = Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, usd(amount)])) as Record<keyof typeof sums, string>
  return { count: Number(count), ...shown }
}

export const transactionInfo: Handler<C['transactionInfo']> = async (ctx, { id }) => {
  const bill = (await billById(ctx.db, ctx.userId, id)) ?? fail('BILL_NOT_FOUND')
  const [row] = await views(ctx, [bill])
  return { ...row!, steps: await courseOf(ctx.db, bill) }
}

/** Written page by page as it is read: years of bills take no memory. */
export const transactionCsv: Handler<C['transactionCsv']> = async (ctx, given) => {
  const filter = await filterOf(ctx, given)
  return { type: 'text/csv; charset=utf-8', filename: `card-bills-${shanghaiDay(ctx.clock.now())}.csv`, body: linesOf(ctx, filter) }
}

const COLUMNS = ['time', 'card', 'kind', 'state', 'merchant', 'place', 'amount', 'fee', 'balance', 'local', 'reason', 'id'] as const

async function* linesOf(ctx: Ctx, filter: BillFilter): AsyncGenerator<string> {
  const say = says(ctx.lang)
  yield BOM + csvLine(COLUMNS.map((name) => say(CSV_TEXT[name])))
  for (let offset = 0; ; offset += PAGE) {
    const rows = await billsOf(ctx.db, filter, PAGE, offset)
    let page = ''
    for (const row of rows)
      page += csvLine([
        shanghaiTime(row.at),
        row.last4,
        billTitle(ctx.lang, row.kind),
        say(BILL_STATE_TEXT[row.state]),
        row.merchant,
        [row.place, row.country].filter(Boolean).join(' '),
        usd(row.amount),
        usd(row.fee),
        row.balance_after === null ? '' : usd(row.balance_after),
        row.local ? `${minorText(BigInt(row.local.minor))} ${row.local.currency}` : '',
        row.reason,
        row.id,
      ])
    if (page) yield page
    if (rows.length < PAGE) return
  }
}
