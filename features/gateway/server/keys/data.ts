import pg from 'pg'
import { type Db, type Sql, first } from '#platform/server/database/db.ts'
import { LIMIT_COLUMNS, toKeyLimits, addKeyStops, type StoredLimits } from './data-limits.ts'
import type { KeyFields } from '../../contract.ts'
import type { ApiKey } from '../hot/deps.ts'
import type { LastKeyUse } from './cache/key-use-buffer.ts'

interface PausableKey {
  readonly userId: string
  readonly name: string
  readonly last4: string
  readonly paused: boolean
}
/** Finds a key that is not deleted, of any user. */
export const selectPausableKey = async (sql: Sql, keyId: string) =>
  first(
    await sql.query<PausableKey>('select user_id, name, last4, paused_at is not null as paused from gateway_keys where key_id = $1 and deleted_at is null', [
      keyId,
    ]),
  )

/** Pauses a key. Returns false if it is paused already, or deleted. */
export async function pauseKey(sql: Sql, keyId: string, paused: { at: Date; reason: string; by: string }): Promise<boolean> {
  const rows = await sql.query(
    `update gateway_keys set paused_at = $2, paused_reason = $3, paused_by = $4 where key_id = $1 and paused_at is null and deleted_at is null
     returning 1 as one`,
    [keyId, paused.at, paused.reason, paused.by],
  )
  return rows.length === 1
}

/** Resumes a key. Returns false if it is not paused. */
export async function resumeKey(sql: Sql, keyId: string): Promise<boolean> {
  const rows = await sql.query(
    'update gateway_keys set paused_at = null, paused_reason = null, paused_by = null where key_id = $1 and paused_at is not null returning 1 as one',
    [keyId],
  )
  return rows.length === 1
}

/**
 * Queries of keys, and the LISTEN connection. Others: catalogue/data.ts, usage/data.ts, journal/data-posting.ts,
 * journal/leases/data-leases.ts.
 */

export interface StoredKey extends StoredLimits, KeyFields {
  readonly keyId: string
  readonly last4: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly deletedAt: Date | null
  readonly disabledAt: Date | null
  readonly pausedAt: Date | null
  readonly lastModel: string | null
  readonly lastFrom: string | null
  readonly onDisconnect: 'abort' | 'drain'
}
const KEY_COLUMNS = `key_id, name as key_name, last4, created_at, last_used_at, deleted_at, disabled_at, paused_at, last_model, last_from, on_disconnect, ${LIMIT_COLUMNS}`

interface LiveKeyRow extends StoredLimits {
  readonly hash: string
  readonly keyId: string
  readonly userId: string
  readonly accountId: bigint
  readonly onDisconnect: 'abort' | 'drain'
  readonly readsOn: boolean
  readonly disabled: boolean
  readonly paused: boolean
  /** Kind of an additional secret: the previous one after a rotation, or one for a test call from the console. */
  readonly kind: 'old' | 'test' | null
  readonly endsAt: Date | null
}

export const selectKeysByHash = async (sql: Sql, hashes: readonly string[]): Promise<Map<string, ApiKey>> => {
  const rows = await sql.query<LiveKeyRow>(
    `with asked as materialized (select decode(h, 'hex') as secret_hash from unnest($1::text[]) h)
     select encode(s.secret_hash, 'hex') as hash, k.key_id, user_id, account_id, on_disconnect, ${LIMIT_COLUMNS}, disabled_at is not null as disabled, paused_at is not null as paused, s.kind, s.ends_at,
       exists (select from gateway_read_on r where r.account_id = k.account_id) as reads_on
     from (select a.secret_hash, key_id, null::text as kind, null::timestamptz as ends_at from asked a join gateway_keys using (secret_hash)
       union all select a.secret_hash, key_id, kind, ends_at from asked a join gateway_key_secrets using (secret_hash)) s
     join gateway_keys k using (key_id) where k.deleted_at is null`,
    [hashes],
    'gateway_keys_by_hash',
  )
  return new Map(rows.map((row) => [row.hash, toApiKey(row)]))
}

function toApiKey(row: LiveKeyRow): ApiKey {
  return {
    keyId: row.keyId,
    userId: row.userId,
    accountId: row.accountId,
    onDisconnect: row.onDisconnect,
    readsOn: row.readsOn,
    limits: addKeyStops(toKeyLimits(row), {
      disabled: row.disabled,
      paused: row.paused,
      ...(row.endsAt === null ? {} : { replacedAt: row.endsAt.getTime() }),
    }),
    seen: { from: '', model: '' },
    ...(row.kind === 'old' ? { oldSecret: row.hash } : {}),
  }
}

/**
 * Records that an estimate fell short of the vendor's figure, once per account. Every process is notified and from then on reads the
 * account's answers to the end.
 */
export const recordReadOn = (sql: Sql, found: { readonly accountId: bigint; readonly callId: string; readonly estimated: bigint; readonly billed: bigint }) =>
  sql.query('insert into gateway_read_on (account_id, call_id, estimated, billed) values ($1, $2, $3, $4) on conflict (account_id) do nothing', [
    found.accountId,
    found.callId,
    found.estimated,
    found.billed,
  ])

/** Locks the user's keys, so that two concurrent requests cannot both take the last place. */
export const lockUserKeys = (sql: Sql, userId: string) => sql.query(`select pg_advisory_xact_lock(hashtextextended('gateway_keys:' || $1, 0))`, [userId])

export const countKeys = async (sql: Sql, userId: string) =>
  Number(first(await sql.query<{ n: bigint }>('select count(*) as n from gateway_keys where user_id = $1 and deleted_at is null', [userId]))!.n)

export const selectKeyByRequest = async (sql: Sql, userId: string, requestHash: Buffer) =>
  first(
    await sql.query<StoredKey & { fresh: boolean; secretHash: string }>(
      `select ${KEY_COLUMNS}, encode(secret_hash, 'hex') as secret_hash, created_at > now() - interval '30 minutes' as fresh
   from gateway_keys where user_id = $1 and request_hash = $2`,
      [userId, requestHash],
    ),
  )

export const insertKey = (
  sql: Sql,
  key: KeyFields & { keyId: string; userId: string; accountId: bigint; secretHash: string; last4: string; requestHash: Buffer | undefined },
) =>
  sql.query(`insert into gateway_keys (key_id, user_id, account_id, name, secret_hash, last4, request_hash) values ($1,$2,$3,$4,decode($5,'hex'),$6,$7)`, [
    key.keyId,
    key.userId,
    key.accountId,
    key.keyName,
    key.secretHash,
    key.last4,
    key.requestHash ?? null,
  ])

/** One of the two: the key's id, or the hash of its secret. */
export interface StoredKeyRef {
  readonly keyId?: string | undefined
  readonly secretHash?: string | undefined
}

/** Finds a key of this user by id or by secret; ignores deleted ones. */
export const selectOwnKey = async (sql: Sql, userId: string, { keyId, secretHash }: StoredKeyRef) =>
  first(
    await sql.query<StoredKey>(
      `select ${KEY_COLUMNS} from gateway_keys
   where user_id = $1 and (key_id = $2 or secret_hash = decode($3, 'hex')) and deleted_at is null for update`,
      [userId, keyId ?? null, secretHash ?? null],
    ),
  )

/** Finds the id of a key of this user, including ended ones. */
export const selectKeyIdOfUser = async (sql: Sql, userId: string, { keyId, secretHash }: StoredKeyRef) =>
  first(
    await sql.query<{ keyId: string }>(`select key_id from gateway_keys where user_id = $1 and (key_id = $2 or secret_hash = decode($3, 'hex'))`, [
      userId,
      keyId ?? null,
      secretHash ?? null,
    ]),
  )?.keyId

export const updateKeyFields = (sql: Sql, keyId: string, fields: KeyFields) =>
  sql.query('update gateway_keys set name = $2 where key_id = $1', [keyId, fields.keyName])

export const endKey = (sql: Sql, keyId: string) => sql.query('update gateway_keys set deleted_at = now() where key_id = $1 and deleted_at is null', [keyId])
/** Ends all keys of a user; returns their ids. */
export const endUserKeys = (sql: Sql, userId: string) =>
  sql.query<{ keyId: string }>('update gateway_keys set deleted_at = now() where user_id = $1 and deleted_at is null returning key_id', [userId])

export const selectKeyName = async (sql: Sql, keyId: string) =>
  first(await sql.query<{ name: string }>('select name from gateway_keys where key_id = $1', [keyId]))?.name

export const selectKeyPage = async (
  sql: Sql,
  userId: string,
  { includeDeleted, limit, offset }: { readonly includeDeleted: boolean; readonly limit: number; readonly offset: number },
) => {
  const rows = await sql.query<StoredKey & { total: bigint; lastVendor: string | null }>(
    `select ${KEY_COLUMNS}, count(*) over () as total, (select vendor from gateway_models m where m.model_id = last_model) as last_vendor from gateway_keys
     where user_id = $1 and ($2 or deleted_at is null) order by created_at desc, key_id desc limit $3 offset $4`,
    [userId, includeDeleted, limit, offset],
  )
  return { rows, total: Number(rows[0]?.total ?? 0n) }
}

/** Keys of a customer as operators see them: those that are not deleted first, then the newest. */
export const selectCustomerKeys = (sql: Sql, userId: string) =>
  sql.query<StoredKey & { readonly state: string; readonly pausedBy: string | null; readonly pausedReason: string | null }>(
    `select ${KEY_COLUMNS}, paused_by, paused_reason,
      case when deleted_at is not null then 'deleted' when paused_at is not null then 'paused' when disabled_at is not null then 'disabled' when expires_at < now() then 'expired' else 'active' end as state
    from gateway_keys where user_id = $1 order by deleted_at is not null, created_at desc limit 200`,
    [userId],
  )

/** Records the latest use of keys, in batches; a time never moves back. */
export const recordKeyUses = (sql: Sql, used: ReadonlyMap<string, LastKeyUse>) => {
  const uses = [...used.values()]
  return sql.query<{ keyId: string; userId: string }>(
    `update gateway_keys k set last_used_at = to_timestamp(u.at / 1000.0), last_from = coalesce(nullif(u.origin, ''), last_from),
       last_model = coalesce(nullif(u.model, ''), last_model)
     from unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) as u (key_id, at, origin, model)
     where k.key_id = u.key_id and (k.last_used_at is null or k.last_used_at < to_timestamp(u.at / 1000.0)) returning k.key_id, k.user_id`,
    [[...used.keys()], uses.map((use) => use.at), uses.map((use) => maskCallerAddress(use.from)), uses.map((use) => use.model)],
  )
}

/** Network of an address, enough for its owner to recognize: `116.24.*.*`, `2001:db8:*`. Full addresses are not stored. */
export function maskCallerAddress(address: string): string {
  if (address.includes(':')) return `${address.split(':').slice(0, 2).join(':')}:*`
  const parts = address.split('.')
  return parts.length === 4 ? `${parts[0]}.${parts[1]}.*.*` : ''
}

// News

/** A LISTEN connection. Run one ping at a time. */
export interface ListenConnection {
  ping(withinMs: number): Promise<void>
  close(): Promise<void>
}

/** Opens a dedicated connection, because a pooled one would lose its LISTEN. */
export async function openListenConnection(db: Db, channels: readonly string[], hear: (channel: string, payload: string) => void): Promise<ListenConnection> {
  const client = new pg.Client({ ...db.pool.options, application_name: 'mingxi-gateway-news', connectionTimeoutMillis: 3000, keepAlive: true })
  let lost: Error | undefined
  /** Ends the pending ping. Not a promise for pings to race with: handlers attached to a promise stay in memory as long as it lives. */
  let answer: ((error?: Error) => void) | undefined
  const lose = (error: Error) => {
    lost ??= error
    answer?.(lost)
  }
  client.on('error', lose)
  client.on('end', () => lose(new Error('connection ended')))
  client.on('notification', (news) => hear(news.channel, news.payload ?? ''))
  await client.connect()
  for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`)
  return {
    ping: (withinMs) =>
      new Promise((done, failed) => {
        const end = (error?: Error) => {
          clearTimeout(timer)
          if (answer === end) answer = undefined
          if (error) failed(error)
          else done()
        }
        // A delayed event loop runs timers before it reads input: the reply may have arrived already.
        const timer = setTimeout(() => setImmediate(end, new Error('no answer')), withinMs).unref()
        answer = end
        if (lost) end(lost)
        else client.query('select 1').then(() => end(), end)
      }),
    close: async () => {
      await Promise.race([
        client.end().catch(() => {}),
        new Promise((done) => {
          setTimeout(done, 500).unref()
        }),
      ])
    },
  }
}

/** Counts the gateway processes that are alive. */
export const countLiveNodes = async (sql: Sql, deadMs: number) =>
  Number(
    first(await sql.query<{ n: bigint }>(`select count(*) as n from gateway_nodes where beat_at > now() - $1::int * interval '1 millisecond'`, [deadMs]))!.n,
  )
/** Resolves if the database is reachable. */
export const pingDatabase = (sql: Sql) => sql.query('select 1')
export const createMonthPartitions = (sql: Sql) => sql.query('select gateway_make_months(3)')
