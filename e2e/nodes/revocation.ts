import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '#platform/server/clock.ts'
import { SYSTEM } from '#platform/server/database/transact.ts'
import { freezeAccount } from '#features/account/server/builders.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { aKeyPayer } from './stage.ts'
import type { NodesStage } from './stage.ts'

/** How keys end: deleted, or their user frozen, either entirely or for calls only. */
export type KeyEnding = 'deleted' | 'frozen' | 'calls'
/** State of the nodes' LISTEN connections while a key is deleted. */
export type ListenState = 'heard' | 'lost' | 'stuck'

const requestModels = async (base: string, secret: string) => {
  const reply = await fetch(`${base}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
  await reply.arrayBuffer()
  return reply.status
}

/**
 * Ends `count` keys that every node has just used; returns the milliseconds from the commit until each node refuses, ascending. `lost`: the
 * connections are cut at the same moment. `stuck`: they stay open but deliver nothing.
 */
export async function measureRevocation(
  stage: NodesStage,
  count: number,
  { news, end = 'deleted' }: { readonly news: ListenState; readonly end?: KeyEnding },
): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const { secret, key } = await aKeyPayer(stage.db, NANO_PER_USD)
    if (end !== 'deleted') await insertUserRow(stage, key.userId)
    for (const node of stage.nodes) if ((await requestModels(node.baseUrl, secret)) !== 200) throw new Error('a new key is not known')
    const stuck = news === 'stuck' ? await countListeners(stage) : []
    for (const pid of stuck) process.kill(pid, 'SIGSTOP')
    if (news === 'lost') await stage.db.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mingxi-gateway-news'`)
    if (end === 'deleted') await stage.db.query('update gateway_keys set deleted_at = now() where key_id = $1', [key.keyId])
    else await freezeAccount({ db: stage.db, clock: systemClock }, SYSTEM, { userId: key.userId, reason: 'test', scopes: [end === 'calls' ? 'calls' : 'all'] })
    const from = performance.now()
    times.push(...(await Promise.all(stage.nodes.map((node) => measureRefusal(node.baseUrl, secret, { from, status: end === 'calls' ? 403 : 401 })))))
    for (const pid of stuck) process.kill(pid, 'SIGCONT')
    if (news !== 'heard') await waitForListeners(stage)
  }
  return times.toSorted((a, b) => a - b)
}

async function measureRefusal(base: string, secret: string, { from, status }: { readonly from: number; readonly status: number }): Promise<number> {
  for (;;) {
    const asked = performance.now()
    if ((await requestModels(base, secret)) === status) return asked - from
    if (asked - from > PATIENCE_MS) throw new Error('an ended key still works')
    await sleep(2)
  }
}

const countListeners = async (stage: NodesStage) =>
  (await stage.db.query<{ pid: number }>(`select pid from pg_stat_activity where application_name = 'mingxi-gateway-news'`)).map((row) => row.pid)

async function waitForListeners(stage: NodesStage): Promise<void> {
  while ((await countListeners(stage)).length < stage.nodes.length) await sleep(50)
  await sleep(300)
}

/** The quantile `share` of the sorted times. */
export const pickQuantile = (sorted: readonly number[], share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

/** Inserts the user behind a payer's money, who never signed in. */
export const insertUserRow = (stage: NodesStage, userId: string) => stage.db.query('insert into account_users (id, created_at) values ($1, now())', [userId])
