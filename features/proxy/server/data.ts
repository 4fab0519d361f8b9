import { type Sql, first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { GuestTraffic } from './engine/guest.ts'
import type { ProxyExtensionsRow } from './tables.ts'

/** Stores a user's only sign-in code; the previous one becomes invalid. */
export async function insertExtensionCode(tx: Tx, codeHash: Buffer, { userId, minutes }: { readonly userId: string; readonly minutes: number }): Promise<Date> {
  await tx.query('delete from proxy_codes where user_id = $1 or expires_at < clock_timestamp()', [userId])
  const rows = await tx.query<{ expiresAt: Date }>(
    `insert into proxy_codes (code_hash, user_id, expires_at) values ($1, $2, clock_timestamp() + make_interval(mins => $3)) returning expires_at`,
    [codeHash, userId, minutes],
  )
  return rows[0]!.expiresAt
}

/** Consumes a code; of concurrent calls, one succeeds. */
export async function consumeExtensionCode(tx: Tx, codeHash: Buffer): Promise<string | undefined> {
  const rows = await tx.query<{ userId: string }>(
    `update proxy_codes set used_at = clock_timestamp() where code_hash = $1 and used_at is null and expires_at > clock_timestamp() returning user_id`,
    [codeHash],
  )
  return first(rows)?.userId
}

export async function insertExtension(
  tx: Tx,
  row: { readonly id: string; readonly userId: string; readonly tokenHash: Buffer; readonly name: string },
): Promise<void> {
  await tx.query('insert into proxy_extensions (id, user_id, token_hash, name) values ($1,$2,$3,$4)', [row.id, row.userId, row.tokenHash, row.name])
}

/** Returns the user of an extension token and updates its last use; undefined once it was signed out. */
export async function recordExtensionUse(sql: Sql, tokenHash: Buffer): Promise<string | undefined> {
  const rows = await sql.query<{ userId: string }>(
    'update proxy_extensions set seen_at = clock_timestamp() where token_hash = $1 and ended_at is null returning user_id',
    [tokenHash],
  )
  return first(rows)?.userId
}

type ExtensionRow = Pick<ProxyExtensionsRow, 'id' | 'name' | 'createdAt' | 'seenAt'>
export async function selectExtensions(sql: Sql, userId: string): Promise<ExtensionRow[]> {
  return sql.query<ExtensionRow>(
    'select id, name, created_at, seen_at from proxy_extensions where user_id = $1 and ended_at is null order by created_at desc limit 50',
    [userId],
  )
}

/**
 * Signs out all extensions of a user. Deletes codes first: a code that is being used blocks the delete, and its extension is then signed
 * out too.
 */
export async function endUserExtensions(tx: Tx, userId: string): Promise<string[]> {
  await tx.query('delete from proxy_codes where user_id = $1', [userId])
  const rows = await tx.query<{ id: string }>('update proxy_extensions set ended_at = clock_timestamp() where user_id = $1 and ended_at is null returning id', [
    userId,
  ])
  return rows.map(({ id }) => id)
}

export async function endExtension(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await tx.query('update proxy_extensions set ended_at = clock_timestamp() where id = $1 and user_id = $2 and ended_at is null returning id', [
    id,
    userId,
  ])
  return rows.length > 0
}

export type Purpose = 'proxy' | 'remote' | 'browser'

export interface Use {
  readonly id: string
  readonly userId: string
  readonly purpose: Purpose
  readonly ref: string
  readonly username: string
  readonly passwordSealed: Buffer | null
  readonly exitId: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly endedAt: Date | null
  readonly upBytes: bigint
  readonly downBytes: bigint
  readonly tunnels: bigint
  readonly refused: bigint
  /** Refusals by cause. */
  readonly refusals: Readonly<Record<string, number>>
  /** The database's clock. */
  readonly now: Date
}
const COLUMNS =
  'id, user_id, purpose, ref, username, password_sealed, exit_id, created_at, expires_at, ended_at, up_bytes, down_bytes, tunnels, refused, refusals, clock_timestamp() as now'
/** Uses whose traffic counts against the limit of the use `u`. */
const MOVED = `u.up_bytes + u.down_bytes + coalesce((select sum(o.up_bytes + o.down_bytes) from proxy_uses o
  where o.user_id = u.user_id and o.purpose = u.purpose and o.created_at >= u.counted_since and o.id <> u.id), 0)::bigint as moved`
const LIVE = 'ended_at is null and expires_at > clock_timestamp()'

export interface NewUse {
  readonly id: string
  readonly userId: string
  readonly purpose: Purpose
  readonly ref: string
  readonly username: string
  readonly passwordHash: Buffer
  readonly passwordSealed: Buffer | null
  readonly exitId: string
  readonly expiresAt: Date
  readonly countedSince: Date | null
}

/** Inserts a use; idempotent by purpose and reference. End the previous use of the name first. */
export async function insertUse(tx: Tx, use: NewUse): Promise<void> {
  await tx.query(
    `insert into proxy_uses (id, user_id, purpose, ref, username, password_hash, password_sealed, exit_id, expires_at, counted_since)
    values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10) on conflict (purpose, ref) do nothing`,
    [use.id, use.userId, use.purpose, use.ref, use.username, use.passwordHash, use.passwordSealed, use.exitId, use.expiresAt, use.countedSince],
  )
}

/** Ends the live uses of a name and returns their references. */
export async function endUsesOfName(tx: Tx, username: string, except = ''): Promise<string[]> {
  const rows = await tx.query<{ ref: string }>(
    'update proxy_uses set ended_at = least(expires_at, clock_timestamp()) where username = $1 and ended_at is null and ref <> $2 returning ref',
    [username, except],
  )
  return rows.map(({ ref }) => ref)
}

/** Ends all live uses of a user, for any purpose, and returns their ids. */
export async function endUsesOfUser(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'update proxy_uses set ended_at = least(expires_at, clock_timestamp()) where user_id = $1 and ended_at is null and expires_at > clock_timestamp() returning id',
    [userId],
  )
  return rows.map(({ id }) => id)
}

export async function endUse(sql: Sql, purpose: Purpose, ref: string): Promise<void> {
  await sql.query('update proxy_uses set ended_at = least(expires_at, clock_timestamp()) where purpose = $1 and ref = $2 and ended_at is null', [purpose, ref])
}

/** The live use that the credentials open, and the traffic that counts against its limit. */
export const selectAuthenticatedUse = async (sql: Sql, username: string, passwordHash: Buffer): Promise<(Use & { readonly moved: bigint }) | undefined> =>
  first(
    await sql.query<Use & { readonly moved: bigint }>(
      `select ${COLUMNS}, ${MOVED} from proxy_uses u where username = $1 and password_hash = $2 and ${LIVE}`,
      [username, passwordHash],
      'proxy-live-use',
    ),
  )

export const selectLiveUse = async (sql: Sql, userId: string, purpose: Purpose): Promise<Use | undefined> =>
  first(
    await sql.query<Use>(`select ${COLUMNS} from proxy_uses where user_id = $1 and purpose = $2 and ${LIVE} order by created_at desc limit 1`, [
      userId,
      purpose,
    ]),
  )

export const selectUse = async (sql: Sql, purpose: Purpose, ref: string): Promise<Use | undefined> =>
  first(await sql.query<Use>(`select ${COLUMNS} from proxy_uses where purpose = $1 and ref = $2`, [purpose, ref]))

export interface SharedTunnels {
  readonly id: string
  readonly moved: bigint
  readonly tunnels: bigint
  readonly houses: bigint
}

/** Records the tunnels of a process; returns, for live uses, the tunnels of other processes and the traffic of all. */
export async function shareTunnels(sql: Sql, node: string, open: ReadonlyMap<string, number>): Promise<SharedTunnels[]> {
  const ids = [...open.keys()]
  await sql.query(
    `with gone as (delete from proxy_shares where node_id = $1 and not (use_id = any($2)))
    insert into proxy_shares (use_id, node_id, tunnels) select id, $1, tunnels from unnest($2::text[], $3::int[]) as held(id, tunnels)
    on conflict (use_id, node_id) do update set tunnels = excluded.tunnels, seen_at = clock_timestamp()`,
    [node, ids, [...open.values()]],
    'proxy-hold',
  )
  return sql.query<SharedTunnels>(
    `select u.id, ${MOVED}, coalesce(sum(s.tunnels), 0)::bigint as tunnels, count(s.node_id) as houses from proxy_uses u
      left join proxy_shares s on s.use_id = u.id and s.node_id <> $1 and s.tunnels > 0 and s.seen_at > clock_timestamp() - ${FRESH}
    where u.id = any($2) and u.ended_at is null and u.expires_at > clock_timestamp() group by u.id`,
    [node, ids],
    'proxy-held',
  )
}
/** Entries of processes that are older than this do not count. */
const FRESH = `interval '5 seconds'`

/** Tunnels of a use in other processes. */
export async function countTunnelsElsewhere(sql: Sql, node: string, id: string): Promise<number> {
  const [row] = await sql.query<{ tunnels: bigint }>(
    `select coalesce(sum(tunnels), 0)::bigint as tunnels from proxy_shares where use_id = $2 and node_id <> $1 and seen_at > clock_timestamp() - ${FRESH}`,
    [node, id],
    'proxy-held-elsewhere',
  )
  return Number(row!.tunnels)
}

export async function deleteTunnelShares(sql: Sql, node: string): Promise<void> {
  await sql.query(`delete from proxy_shares where node_id = $1 or seen_at < clock_timestamp() - interval '1 hour'`, [node])
}

export async function selectUses(sql: Sql, userId: string, { limit, offset }: { readonly limit: number; readonly offset: number }): Promise<Use[]> {
  return sql.query<Use>(`select ${COLUMNS} from proxy_uses where user_id = $1 and purpose = 'proxy' order by created_at desc, id desc limit $2 offset $3`, [
    userId,
    limit,
    offset,
  ])
}

export async function countUses(sql: Sql, userId: string): Promise<number> {
  return Number((await sql.query<{ n: bigint }>(`select count(*) as n from proxy_uses where user_id = $1 and purpose = 'proxy'`, [userId]))[0]!.n)
}

/** Adds the traffic of many uses in one statement. */
export async function addUseTraffic(sql: Sql, moved: ReadonlyMap<string, Readonly<GuestTraffic>>): Promise<void> {
  if (!moved.size) return
  const rows = [...moved].map(([id, one]) => ({ id, ...one }))
  await sql.query(
    `update proxy_uses u set up_bytes = up_bytes + m.up, down_bytes = down_bytes + m.down, tunnels = u.tunnels + m.tunnels,
      refused = u.refused + m.refused, last_used_at = clock_timestamp(), refusals = case when m.why = '{}' then u.refusals else (
        select jsonb_object_agg(key, times) from (
          select key, sum(value::bigint) as times from (select * from jsonb_each_text(u.refusals) union all select * from jsonb_each_text(m.why)) counts group by key
        ) summed) end
    from jsonb_to_recordset($1) as m(id text, up bigint, down bigint, tunnels bigint, refused bigint, why jsonb) where u.id = m.id`,
    [JSON.stringify(rows)],
  )
}

/** Records a node as seen now; tests may set a time ahead. */
export async function recordProxyNode(
  sql: Sql,
  id: string,
  { tunnels, aheadMinutes = 0 }: { readonly tunnels: number; readonly aheadMinutes?: number },
): Promise<void> {
  await sql.query(
    `insert into proxy_nodes (id, seen_at, tunnels) values ($1, clock_timestamp() + make_interval(mins => $3), $2)
    on conflict (id) do update set seen_at = excluded.seen_at, tunnels = excluded.tunnels`,
    [id, tunnels, aheadMinutes],
  )
}

export async function deleteProxyNode(sql: Sql, id: string): Promise<void> {
  await sql.query(`delete from proxy_nodes where id = $1 or seen_at < clock_timestamp() - interval '1 day'`, [id])
}

/** True if any process serves the proxy now. */
export async function isProxyServed(sql: Sql): Promise<boolean> {
  return (await sql.query(`select 1 from proxy_nodes where seen_at > clock_timestamp() - interval '15 seconds' limit 1`)).length > 0
}
