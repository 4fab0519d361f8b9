import type { Sql } from '#platform/server/database/db.ts'

/** One transaction of the ledger, as what it did to a person's balance net of debt. */
export interface LedgerMovement {
  readonly id: string
  readonly kind: string
  readonly ref: string
  readonly at: Date
  readonly amount: bigint
}

export const selectLedgerMovements = (sql: Sql, userId: string): Promise<LedgerMovement[]> =>
  sql.query<LedgerMovement>(
    `with own as (select id from wallet_accounts where owner = 'user:' || $1 and kind in ('customer', 'receivable') and currency = 'USD')
      select x.id::text as id, x.kind, x.ref, x.at, sum(case when t.credit_account_id in (select id from own) then t.amount else 0 end
          - case when t.debit_account_id in (select id from own) then t.amount else 0 end)::bigint as amount
        from wallet_transfers t join wallet_transactions x on x.id = t.transaction_id
        where t.credit_account_id in (select id from own) or t.debit_account_id in (select id from own)
        group by x.id, x.kind, x.ref, x.at`,
    [userId],
  )

export const MOVEMENT_CATEGORIES = ['topup', 'refund', 'reward', 'spend', 'card', 'withdraw', 'chargeback', 'unknown'] as const
export type MovementCategory = (typeof MOVEMENT_CATEGORIES)[number]

/** The oracle's own table, written from what each kind of transaction is: a channel's money in, what was bought with it, what went where. */
const KINDS: readonly (readonly [MovementCategory, RegExp])[] = [
  ['topup', /^topup$/],
  ['spend', /^(order\.balance|invoice\.fee|service\.charged|gateway\.(usage|correction)|wallet\.repay)$/],
  ['card', /^card\.(recharge|refused|to_balance|swept|debt_paid)$/],
  ['withdraw', /^(refund\.(taken|released)|withdraw\.(sent|returned))$/],
  ['refund', /^(refund\.(done|credited)|service\.returned|card\.(settled|deposit_back))$/],
  ['chargeback', /^dispute(\.fee(_back|_unowed)?)?$/],
  ['reward', /^(grant|order\.discount|bonus\.(held|returned|revoked)|wallet\.breakage|invitation\.moved)$/],
]

export const categorizeMovement = ({ kind }: Pick<LedgerMovement, 'kind'>): MovementCategory =>
  KINDS.find(([, pattern]) => pattern.test(kind))?.[0] ?? 'unknown'

export interface CategorySums extends Readonly<Record<MovementCategory, bigint>> {
  /** Refunds of what a channel had paid directly, which come in; the others take back a purchase. */
  readonly outside: bigint
}

export function sumByCategory(movements: readonly LedgerMovement[]): CategorySums {
  const total = (fits: (one: LedgerMovement) => boolean): bigint => movements.reduce((sum, one) => (fits(one) ? sum + one.amount : sum), 0n)
  const sums = Object.fromEntries(MOVEMENT_CATEGORIES.map((name) => [name, total((one) => categorizeMovement(one) === name)])) as Record<
    MovementCategory,
    bigint
  >
  return { ...sums, outside: total(({ kind }) => kind === 'refund.credited') }
}

/** The month in Shanghai, as 2026-11. */
export const formatShanghaiMonth = (at: Date): string => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 7)

export async function countUserDisputes(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*)::int as count from payments_disputes d join payments_orders o on o.id = d.order_id where o.user_id = $1',
    [userId],
  )
  return row!.count
}
