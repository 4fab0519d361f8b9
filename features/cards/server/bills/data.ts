import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { BillKind, BillState } from '../../words.ts'
import type { LocalAmount } from '../figures.ts'
import type { CardsAuthStepsRow } from '../tables.ts'
import type { CardMerchant } from '../vendors/port.ts'

export interface Bill {
  readonly id: string
  readonly cardId: string
  readonly userId: string
  readonly at: Date
  readonly kind: BillKind
  readonly state: BillState | 'merged'
  readonly amount: Nano
  readonly fee: Nano
  readonly feeKind: 'abroad' | 'refund' | 'reversal' | 'activation' | null
  readonly merchant: string
  readonly place: string
  readonly country: string
  readonly local: LocalAmount | null
  readonly reason: string
  readonly missing: Nano | null
  readonly balanceAfter: Nano | null
  readonly method: string
  readonly orderNo: string | null
  readonly authorizationId: string | null
  readonly transactionId: string | null
  readonly moveId: string | null
  readonly seq: bigint
}
export interface BillWithCard extends Bill {
  readonly last4: string
}

export interface NewBill {
  readonly id: string
  readonly cardId: string
  readonly userId: string
  readonly at: Date
  readonly kind: BillKind
  readonly state: Bill['state']
  /** Signed. */
  readonly amount: Nano
  readonly fee?: Nano
  readonly feeKind?: Bill['feeKind']
  readonly merchant?: CardMerchant
  readonly local?: LocalAmount
  readonly reason?: string
  readonly missing?: Nano
  readonly after?: Nano
  readonly method?: string
  readonly orderNo?: string | null
  readonly authorizationId?: string | null
  readonly transactionId?: string
  readonly moveId?: string
}

const INSERT = `insert into cards_bills (id, card_id, user_id, at, kind, state, amount, fee, fee_kind, merchant, place, country, local, reason, missing, balance_after,
    method, order_no, authorization_id, transaction_id, move_id)
  values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21) on conflict (id) do`

/** Inserts a bill row; idempotent by its id. */
export const insertBill = (tx: Tx, bill: NewBill): Promise<void> => writeBill(tx, bill, { statement: `${INSERT} nothing`, name: 'cards.bill' })

/** Inserts a bill row, or updates the existing one. */
export const upsertBill = (tx: Tx, bill: NewBill): Promise<void> =>
  writeBill(tx, bill, {
    statement: `${INSERT} update set state = excluded.state, kind = excluded.kind, amount = excluded.amount, fee = excluded.fee, reason = excluded.reason`,
    name: 'cards.bill-show',
  })

async function writeBill(tx: Tx, bill: NewBill, { statement, name }: { readonly statement: string; readonly name: string }): Promise<void> {
  const { merchant } = bill
  await tx.query(
    statement,
    [
      bill.id,
      bill.cardId,
      bill.userId,
      bill.at,
      bill.kind,
      bill.state,
      bill.amount,
      bill.fee ?? 0n,
      bill.feeKind ?? null,
      merchant?.name ?? '',
      merchant?.city ?? '',
      merchant?.country ?? '',
      bill.local ? JSON.stringify(bill.local) : null,
      bill.reason ?? '',
      bill.missing ?? null,
      bill.after ?? null,
      bill.method ?? '',
      bill.orderNo ?? null,
      bill.authorizationId ?? null,
      bill.transactionId ?? null,
      bill.moveId ?? null,
    ],
    name,
  )
}

export async function changeBill(
  tx: Tx,
  id: string,
  change: { state: Bill['state']; amount?: Nano; fee?: Nano; reason?: string; after?: Nano | null; at?: Date; kind?: BillKind },
): Promise<void> {
  await tx.query(
    `update cards_bills set state = $2, amount = coalesce($3, amount), fee = coalesce($4, fee), reason = coalesce($5, reason), balance_after = coalesce($6, balance_after),
      at = coalesce($7, at), kind = coalesce($8, kind) where id = $1`,
    [id, change.state, change.amount ?? null, change.fee ?? null, change.reason ?? null, change.after ?? null, change.at ?? null, change.kind ?? null],
    'cards.bill-change',
  )
}

export interface BillFilter {
  readonly userId: string
  readonly cardId?: string | undefined
  readonly kind?: string | undefined
  readonly state?: string | undefined
  /** Days in Shanghai, both inclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly merchant?: string | undefined
}

const WHERE = `b.user_id = $1 and b.state <> 'merged' and ($2::text is null or b.card_id = $2) and ($3::text is null or b.kind = $3) and ($4::text is null or b.state = $4)
  and ($5::text is null or b.at >= $5::timestamp at time zone 'Asia/Shanghai')
  and ($6::text is null or b.at < ($6::timestamp + interval '1 day') at time zone 'Asia/Shanghai')
  and ($7::text is null or strpos(lower(b.merchant), lower($7)) > 0)`
const toFilterValues = (f: BillFilter) => [f.userId, f.cardId ?? null, f.kind ?? null, f.state ?? null, f.from ?? null, f.to ?? null, f.merchant || null]

export async function selectBills(
  sql: Sql,
  filter: BillFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<BillWithCard[]> {
  return sql.query<BillWithCard>(
    `select b.*, c.last4 from cards_bills b join cards_cards c on c.id = b.card_id where ${WHERE} order by b.at desc, b.seq desc limit $8 offset $9`,
    [...toFilterValues(filter), limit, offset],
  )
}

export interface BillTotalsRow {
  readonly count: bigint
  readonly recharged: Nano
  readonly withdrawn: Nano
  readonly spent: Nano
  readonly refunded: Nano
  readonly fees: Nano
  readonly held: Nano
  readonly net: Nano
}

/** Totals of exactly the rows that `selectBills` lists. */
export async function selectBillTotals(sql: Sql, filter: BillFilter): Promise<BillTotalsRow> {
  const [row] = await sql.query<BillTotalsRow>(
    `select count(*) as count,
      coalesce(sum(amount) filter (where state = 'success' and kind in ('recharge','moved_in','settled_debt')), 0)::bigint as recharged,
      coalesce(-sum(amount) filter (where state = 'success' and kind in ('withdrawal','returned','moved_out')), 0)::bigint as withdrawn,
      coalesce(-sum(amount) filter (where state = 'success' and kind in ('purchase','dispute_lost','refund_reversal')), 0)::bigint as spent,
      coalesce(sum(amount) filter (where state = 'success' and kind in ('refund','dispute_credit')), 0)::bigint as refunded,
      coalesce(-sum(fee) filter (where state = 'success'), 0)::bigint as fees,
      coalesce(-sum(amount + fee) filter (where state = 'processing' and kind in ('purchase','withdrawal','moved_out','returned','kept')), 0)::bigint as held,
      coalesce(sum(amount + fee) filter (where state = 'success'), 0)::bigint as net
    from cards_bills b where ${WHERE}`,
    toFilterValues(filter),
  )
  return row!
}

export async function selectBillById(sql: Sql, userId: string, id: string): Promise<BillWithCard | undefined> {
  return first(
    await sql.query<BillWithCard>(`select b.*, c.last4 from cards_bills b join cards_cards c on c.id = b.card_id where b.id = $2 and b.user_id = $1`, [
      userId,
      id,
    ]),
  )
}

export type AuthStep = Pick<CardsAuthStepsRow, 'at' | 'event' | 'amount'>

export async function insertAuthStep(tx: Tx, authorizationId: string, { event, amount }: { readonly event: string; readonly amount: Nano }): Promise<void> {
  await tx.query('insert into cards_auth_steps (authorization_id, event, amount) values ($1,$2,$3)', [authorizationId, event, amount], 'cards.auth-step')
}

export const selectAuthSteps = (sql: Sql, authorizationId: string) =>
  sql.query<AuthStep>('select at, event, amount from cards_auth_steps where authorization_id = $1 order by id', [authorizationId])

/** Opening balance of a month's statement: the sum of all earlier successful rows. */
export async function selectOpeningBalance(sql: Sql, cardId: string, month: string): Promise<Nano> {
  const [row] = await sql.query<{ sum: Nano }>(
    `select coalesce(sum(amount + fee), 0)::bigint as sum from cards_bills where card_id = $1 and state = 'success' and at < ($2 || '-01')::timestamp at time zone 'Asia/Shanghai'`,
    [cardId, month],
  )
  return row!.sum
}

/** Shanghai months in which a card has rows that count. */
export const selectStatementMonths = (sql: Sql, userId: string) =>
  sql.query<{ month: string; cardId: string; last4: string; rows: bigint }>(
    `select to_char(b.at at time zone 'Asia/Shanghai', 'YYYY-MM') as month, b.card_id, c.last4, count(*) as rows from cards_bills b join cards_cards c on c.id = b.card_id
    where b.user_id = $1 and b.state = 'success' group by 1, 2, 3 order by 1 desc, 3`,
    [userId],
  )
