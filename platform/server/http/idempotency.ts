import { createHash } from 'node:crypto'
import { fail } from '#platform/shared/errors.ts'
import type { Sql } from '../database/db.ts'
import type { IdempotencyKeysRow } from '../database/tables.ts'
import type { Tx } from '../database/transact.ts'

export interface StoredReply {
  readonly status: number
  readonly body: unknown
}

/** Canonical JSON: key order does not matter, so a retry from another client is the same request. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  if (value && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${toCanonicalJson(item)}`).join(',')}}`
  }
  return typeof value === 'bigint' ? `"${value}"` : (JSON.stringify(value) ?? 'null')
}

/** A request as it is stored: its sender, key, route and body. Of several forms of the body, the first is stored and any matches. */
export interface KeyedRequest {
  readonly owner: string
  readonly key: string
  readonly route: string
  readonly bodies: readonly unknown[]
}
const SELECT_REPLY = 'select route, body_hash, status, reply from idempotency_keys where actor = $1 and key = $2'
type StoredRow = Pick<IdempotencyKeysRow, 'route' | 'bodyHash' | 'status' | 'reply'>
const hashBody = (body: unknown) => createHash('sha256').update(toCanonicalJson(body)).digest()
const isSameRequest = (kept: StoredRow, { route, bodies }: KeyedRequest) => kept.route === route && bodies.some((body) => kept.bodyHash.equals(hashBody(body)))

/**
 * Runs `work` once per (actor, key): the row, the effect and the stored reply commit together (money.md I10, K1 to K6). The same key and
 * body return the stored reply, refusals included; another body or route is refused. A concurrent second request waits on the row, at most
 * the transaction's lock_timeout. The first form of the body is stored, and any form matches.
 */
export async function runOnceByKey(tx: Tx, request: KeyedRequest, work: () => Promise<StoredReply>): Promise<StoredReply> {
  const { owner, key, route, bodies } = request
  await tx.query(`set local lock_timeout = '8s'`)
  const inserted = await tx
    .query('insert into idempotency_keys (actor, key, route, body_hash) values ($1,$2,$3,$4) on conflict do nothing returning 1 as new', [
      owner,
      key,
      route,
      hashBody(bodies[0]),
    ])
    .catch((error: { code?: string }) => (error.code === '55P03' ? fail('IDEMPOTENCY_IN_PROGRESS') : Promise.reject(error)))
  if (!inserted.length) {
    const [kept] = await tx.query<StoredRow>(SELECT_REPLY, [owner, key])
    if (!kept || !isSameRequest(kept, request)) fail('IDEMPOTENCY_KEY_REUSED')
    return { status: kept.status!, body: kept.reply }
  }
  const reply = await work()
  await tx.query('update idempotency_keys set status = $3, reply = $4 where actor = $1 and key = $2', [owner, key, reply.status, JSON.stringify(reply.body)])
  return reply
}

/**
 * Returns the stored reply of exactly this request, to be sent again unchanged. Undefined otherwise, also for a key used by another
 * request: work that runs must be verified first, whatever happens to the stored row meanwhile.
 */
export async function findStoredReply(sql: Sql, request: KeyedRequest): Promise<StoredReply | undefined> {
  const [kept] = await sql.query<StoredRow>(SELECT_REPLY, [request.owner, request.key])
  return kept && kept.status !== null && isSameRequest(kept, request) ? { status: kept.status, body: kept.reply } : undefined
}
