import { toColumnName } from '#platform/server/database/column-names.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { LocalAmount } from '../figures.ts'
import type { CardMerchant } from '../vendors/port.ts'

export type AuthState = 'approved' | 'declined' | 'closed' | 'reversed' | 'expired'

export interface Auth {
  readonly id: string
  readonly issuer: string
  readonly ref: string
  readonly cardId: string
  readonly state: AuthState
  readonly asked: Nano
  readonly issuerHeld: Nano
  /** Sum held on the card's account for it, fee included. */
  readonly held: Nano
  readonly holdId: string | null
  readonly holds: number
  readonly captured: Nano
  readonly counted: Nano
  readonly month: string
  readonly uncovered: Nano
  readonly reversals: number
  readonly reason: string
  readonly missing: Nano | null
  readonly merchant: CardMerchant
  readonly local: LocalAmount | null
  readonly createdAt: Date
  readonly decidedAt: Date | null
  readonly releaseAt: Date | null
  readonly version: number
  readonly checks: number
  readonly now: Date
}
const ALL = `*, to_char(month, 'YYYY-MM-DD') as month, clock_timestamp() as now`

export interface NewAuth {
  readonly id: string
  readonly issuer: string
  readonly ref: string
  readonly cardId: string
  readonly state: AuthState
  readonly asked: Nano
  readonly month: string
  readonly merchant: CardMerchant
  readonly local: LocalAmount | null
  readonly createdAt: Date
  readonly decided: boolean
}

export async function insertAuth(tx: Tx, auth: NewAuth): Promise<Auth | undefined> {
  return first(
    await tx.query<Auth>(
      `insert into cards_authorizations (id, issuer, ref, card_id, state, asked, month, merchant, local, created_at, decided_at, next_check_at)
      values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10, case when $11 then clock_timestamp() end, clock_timestamp() + interval '15 seconds')
      on conflict (issuer, ref) do nothing returning ${ALL}`,
      [
        auth.id,
        auth.issuer,
        auth.ref,
        auth.cardId,
        auth.state,
        auth.asked,
        auth.month,
        JSON.stringify(auth.merchant),
        auth.local && JSON.stringify(auth.local),
        auth.createdAt,
        auth.decided,
      ],
      'cards.auth-insert',
    ),
  )
}

export async function selectAuthByRef(sql: Sql, issuer: string, ref: string): Promise<Auth | undefined> {
  return first(await sql.query<Auth>(`select ${ALL} from cards_authorizations where issuer = $1 and ref = $2`, [issuer, ref], 'cards.auth-ref'))
}

export interface AuthChange {
  readonly state?: AuthState
  readonly asked?: Nano
  readonly issuerHeld?: Nano
  readonly held?: Nano
  readonly holdId?: string | null
  readonly holds?: number
  readonly captured?: Nano
  readonly counted?: Nano
  readonly uncovered?: Nano
  readonly reversals?: number
  readonly reason?: string
  readonly missing?: Nano | null
  readonly decidedAt?: Date
  readonly releaseAt?: Date | null
}

/** Names of prepared statements by the columns that they change; only a few sets of columns occur. */
const changes = new Map<string, string>()
function nameStatement(columns: readonly string[]): string {
  const key = columns.join()
  const name = changes.get(key) ?? `cards.auth-change-${changes.size}`
  changes.set(key, name)
  return name
}

/**
 * Changes an authorisation, whose card must be locked. `seconds`: delay until the issuer is queried next; null: not before the next notice.
 */
export async function changeAuth(tx: Tx, id: string, { change, seconds }: { readonly change: AuthChange; readonly seconds: number | null }): Promise<Auth> {
  const columns = Object.keys(change).map(toColumnName)
  const [row] = await tx.query<Auth>(
    `update cards_authorizations set ${columns.map((column, n) => `${column} = $${n + 3}, `).join('')}version = version + 1,
      next_check_at = clock_timestamp() + make_interval(secs => $2::float8) where id = $1 returning ${ALL}`,
    [id, seconds, ...Object.values(change)],
    nameStatement(columns),
  )
  return row!
}

export async function scheduleAuth(sql: Sql, id: string, seconds: number): Promise<void> {
  await sql.query('update cards_authorizations set next_check_at = clock_timestamp() + make_interval(secs => $2::float8) where id = $1', [id, seconds])
}

export async function takeDueAuths(sql: Sql, limit: number): Promise<Pick<Auth, 'id' | 'issuer' | 'ref' | 'checks'>[]> {
  return sql.query(
    `update cards_authorizations set next_check_at = clock_timestamp() + interval '30 seconds', checks = checks + 1 where id in (
      select id from cards_authorizations where next_check_at <= clock_timestamp() order by next_check_at limit $1 for update skip locked)
    returning id, issuer, ref, checks`,
    [limit],
  )
}

/** Counts the authorisations of a card that still hold money. */
export async function countOpenAuths(sql: Sql, cardId: string): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(
    `select count(*) as n from cards_authorizations where card_id = $1 and (state = 'approved' and asked > 0 or held > 0)`,
    [cardId],
  )
  return Number(row!.n)
}
