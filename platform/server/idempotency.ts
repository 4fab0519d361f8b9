import { createHash } from 'node:crypto'
import { fail } from '#platform/shared/errors.ts'
import type { Sql } from './db.ts'
import type { Tx } from './transact.ts'

export interface StoredReply {
  readonly status: number
  readonly body: unknown
}

/** Stable text of a JSON value: key order does not matter, so a retry from another client is the same request. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
  }
  return typeof value === 'bigint' ? `"${value}"` : (JSON.stringify(value) ?? 'null')
}

const hashOf = (body: unknown) => createHash('sha256').update(canonical(body)).digest()

/**
 * Runs `work` once for (actor, key): the row, the effect and the stored reply commit together (money.md, I10, K1 to K6).
 * Same key and body: the stored reply, refusals included. Other body or other route: refused. A second request while the
 * first runs waits for it on the row, at most the transaction's lock_timeout. The first form of the body is kept, any of them is the same.
 */
export async function onceByKey(
  tx: Tx,
  owner: string,
  key: string,
  route: string,
  [body, ...others]: readonly [unknown, ...unknown[]],
  work: () => Promise<StoredReply>,
): Promise<StoredReply> {
  const hash = hashOf(body)
  await tx.query(`set local lock_timeout = '8s'`)
  const inserted = await tx
    .query('insert into idempotency_keys (actor, key, route, body_hash) values ($1,$2,$3,$4) on conflict do nothing returning 1 as new', [
      owner,
      key,
      route,
      hash,
    ])
    .catch((error: { code?: string }) => (error.code === '55P03' ? fail('IDEMPOTENCY_IN_PROGRESS') : Promise.reject(error)))
  if (!inserted.length) {
    const [kept] = await tx.query<{ route: string; body_hash: Buffer; status: number; reply: unknown }>(
      'select route, body_hash, status, reply from idempotency_keys where actor = $1 and key = $2',
      [owner, key],
    )
    if (!kept || kept.route !== route || ![hash, ...others.map(hashOf)].some((one) => kept.body_hash.equals(one))) fail('IDEMPOTENCY_KEY_REUSED')
    return { status: kept.status, body: kept.reply }
  }
  const reply = await work()
  await tx.query('update idempotency_keys set status = $3, reply = $4 where actor = $1 and key = $2', [owner, key, reply.status, JSON.stringify(reply.body)])
  return reply
}

/** Whether a key has its answer already. */
export async function isKeyUsed(sql: Sql, owner: string, key: string): Promise<boolean> {
  return (await sql.query('select 1 as used from idempotency_keys where actor = $1 and key = $2', [owner, key])).length > 0
}
