import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { PaperKind, VoidCause } from '../../words-out.ts'
import type { PaymentsPapersRow } from '../tables.ts'
import type { PaperFacts } from './facts.ts'

export interface PaperRow extends Omit<PaymentsPapersRow, 'year' | 'number' | 'facts'> {
  readonly facts: PaperFacts
}
/** Net payment of an order: received less refunded. */
export interface NetPaymentRow {
  readonly orderId: bigint
  readonly orderNo: string
  readonly userId: string
  readonly orderType: number
  readonly transactionType: number
  readonly paidAt: Date
  readonly amountNano: bigint
  readonly feeNano: bigint
  readonly totalNano: bigint
  readonly netNano: bigint
  readonly payMinor: bigint
  readonly currency: string
  readonly rate: string
  readonly feePercent: string
  readonly fixedNano: bigint
}

/** Serialises a user's papers until the transaction ends. */
export async function lockPapers(tx: Tx, userId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('payments.paper:' || $1, 0))`, [userId])
}

/** Orders that a user paid in a month in Shanghai, oldest first, without those refunded in full. */
export async function selectPaidInMonth(sql: Sql, userId: string, month: string): Promise<NetPaymentRow[]> {
  return sql.query<NetPaymentRow>(
    `select n.*, o.fee_percent, o.fixed_nano from payments_net_paid n join payments_orders o on o.id = n.order_id
    where n.user_id = $1 and n.net_nano > 0 and to_char(n.paid_at at time zone 'Asia/Shanghai', 'YYYY-MM') = $2 order by n.paid_at, n.order_id`,
    [userId, month],
  )
}

export async function selectPaidOrder(sql: Sql, userId: string, orderNo: string): Promise<NetPaymentRow | undefined> {
  return first(
    await sql.query<NetPaymentRow>(
      `select n.*, o.fee_percent, o.fixed_nano from payments_net_paid n join payments_orders o on o.id = n.order_id where n.user_id = $1 and n.order_no = $2`,
      [userId, orderNo],
    ),
  )
}

export async function isOwnOrder(sql: Sql, userId: string, orderNo: string): Promise<boolean> {
  return (await sql.query('select 1 as own from payments_orders where user_id = $1 and order_no = $2', [userId, orderNo])).length > 0
}

/** The valid invoice of a month, or the valid receipt of an order. */
export async function selectValidPaper(sql: Sql, userId: string, about: { month: string } | { orderNo: string }): Promise<PaperRow | undefined> {
  const [column, value] = 'month' in about ? ['month', about.month] : ['order_no', about.orderNo]
  return first(await sql.query<PaperRow>(`select * from payments_papers where user_id = $1 and ${column} = $2 and void_at is null`, [userId, value]))
}

export async function selectLastInvoice(sql: Sql, userId: string): Promise<PaperRow | undefined> {
  return first(await sql.query<PaperRow>(`select * from payments_papers where user_id = $1 and kind = 'invoice' order by id desc limit 1`, [userId]))
}

/** Number of times that the invoice of a month was reissued with other details. */
export async function countReissues(sql: Sql, userId: string, month: string): Promise<number> {
  return Number(
    (
      await sql.query<{ n: bigint }>(`select count(*) as n from payments_papers where user_id = $1 and month = $2 and void_reason = 'details'`, [userId, month])
    )[0]!.n,
  )
}

/** Next number of a kind and year. Assigned and used in one transaction, so that the sequence has no gaps (money.md X6). */
async function nextNumber(tx: Tx, kind: PaperKind): Promise<{ year: number; last: number }> {
  const rows = await tx.query<{ year: number; last: number }>(
    `insert into payments_paper_counters as c (kind, year, last) values ($1, extract(year from now() at time zone 'Asia/Shanghai')::int, 1)
    on conflict (kind, year) do update set last = c.last + 1 returning year, last`,
    [kind],
  )
  return rows[0]!
}

const PREFIX = { receipt: 'RC', invoice: 'IN' } as const

export interface NewPaper {
  readonly kind: PaperKind
  readonly userId: string
  readonly month: string
  readonly orderNo: string
  readonly lang: Lang
  readonly amount: bigint
  readonly facts: PaperFacts
  readonly orders: readonly { readonly id: bigint; readonly amount: bigint }[]
}

/** Errors: INVOICE_EMPTY if money of an order was refunded between the check and the issue. */
export async function insertPaper(tx: Tx, paper: NewPaper): Promise<PaperRow> {
  const { year, last } = await nextNumber(tx, paper.kind)
  const rows = await tx.query<PaperRow>(
    `insert into payments_papers (kind, year, number, paper_no, user_id, month, order_no, lang, amount_nano, facts) values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10) returning *`,
    [
      paper.kind,
      year,
      last,
      `${PREFIX[paper.kind]}-${year}-${String(last).padStart(6, '0')}`,
      paper.userId,
      paper.month,
      paper.orderNo,
      paper.lang,
      paper.amount,
      JSON.stringify(paper.facts),
    ],
  )
  try {
    for (const { id, amount } of paper.orders)
      await tx.query('insert into payments_invoice_orders (paper_id, order_id, amount_nano) values ($1,$2,$3)', [rows[0]!.id, id, amount])
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'payments_invoiced') fail('INVOICE_EMPTY')
    throw error
  }
  return rows[0]!
}

/** Returns those of the orders that have already been charged for an invoice. */
export async function selectFeePaidOrders(sql: Sql, orderIds: readonly bigint[]): Promise<bigint[]> {
  return (await sql.query<{ orderId: bigint }>('select order_id from payments_invoice_fees where order_id = any($1)', [orderIds])).map((row) => row.orderId)
}

export async function insertInvoiceFees(tx: Tx, paperId: bigint, fees: readonly { readonly id: bigint; readonly fee: bigint }[]): Promise<void> {
  await tx.query(
    'insert into payments_invoice_fees (order_id, paper_id, fee_nano) select id, $2, fee from unnest($1::bigint[], $3::bigint[]) as due (id, fee)',
    [fees.map(({ id }) => id), paperId, fees.map(({ fee }) => fee)],
  )
}

/** Orders listed on a paper. */
export async function selectPaperOrders(sql: Sql, paperId: bigint): Promise<ReadonlySet<bigint>> {
  return new Set(
    (await sql.query<{ orderId: bigint }>('select order_id from payments_invoice_orders where paper_id = $1', [paperId])).map((row) => row.orderId),
  )
}

/** Voids a paper, so that its orders can be listed on another. False if it was void already. */
export async function voidPaper(tx: Tx, id: bigint, reason: 'details' | 'figures' | VoidCause): Promise<boolean> {
  const rows = await tx.query(
    'update payments_papers set void_at = clock_timestamp(), void_reason = $2 where id = $1 and void_at is null returning 1 as done',
    [id, reason],
  )
  await tx.query('update payments_invoice_orders set holds = false where paper_id = $1', [id])
  return rows.length > 0
}

export async function markReplaced(tx: Tx, id: bigint, by: string): Promise<void> {
  await tx.query('update payments_papers set replaced_by = $2 where id = $1', [id, by])
}

/** Newest first. */
export async function selectUserPapers(
  sql: Sql,
  userId: string,
  { kind, before, limit }: { readonly kind: PaperKind | undefined; readonly before: string | undefined; readonly limit: number },
): Promise<PaperRow[]> {
  return sql.query<PaperRow>(
    'select * from payments_papers where user_id = $1 and ($2::text is null or kind = $2) and ($3::bigint is null or id < $3) order by id desc limit $4',
    [userId, kind ?? null, before ?? null, limit],
  )
}

export async function selectPaperByNo(sql: Sql, userId: string, paperNo: string): Promise<PaperRow | undefined> {
  return first(await sql.query<PaperRow>('select * from payments_papers where user_id = $1 and paper_no = $2', [userId, paperNo]))
}

/**
 * Invoices that exceed the remaining payments of their orders, because of a later refund. Searched by refunds: these concern few orders,
 * while the invoices are all ever issued.
 */
export async function selectOutdatedInvoices(sql: Sql, limit: number): Promise<PaperRow[]> {
  return sql.query<PaperRow>(
    `with lessened as (
      select order_id from payments_refunds where goes_to = 'channel' and state in ('approved','dispatched','unknown','succeeded')
      union select order_id from payments_disputes where state in ('open','lost')
      union select o.id from payments_transferred x join payments_orders o on o.order_no = x.order_no
      union select id from payments_orders where base_state = 'integrity_failure'
    ) select p.* from payments_papers p where p.kind = 'invoice' and p.void_at is null and p.id in (
      select i.paper_id from lessened l join payments_invoice_orders i on i.order_id = l.order_id and i.holds
      left join payments_net_paid n on n.order_id = l.order_id where i.amount_nano > coalesce(n.net_nano, 0))
    order by p.id limit $1`,
    [limit],
  )
}

/** Net payments of a customer in a month, and the part of them on a valid invoice. */
export async function sumInvoicedMonth(sql: Sql, userId: string, month: string): Promise<{ paid: Nano; invoiced: Nano }> {
  const rows = await sql.query<{ paid: Nano; invoiced: Nano }>(
    `select coalesce(sum(n.net_nano), 0)::bigint as paid, coalesce(sum(least(i.amount_nano, n.net_nano)) filter (where i.order_id is not null), 0)::bigint as invoiced from payments_net_paid n
      left join payments_invoice_orders i on i.order_id = n.order_id and i.holds
      where n.user_id = $1 and n.net_nano > 0 and to_char(n.paid_at at time zone 'Asia/Shanghai', 'YYYY-MM') = $2`,
    [userId, month],
  )
  return rows[0]!
}
