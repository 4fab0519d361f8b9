import { randomBytes } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { transact } from '#platform/server/database/transact.ts'
import { storeMarks } from '#features/risk/server/door.ts'
import { beginTask } from './kit/begin.ts'
import { workTask } from './kit/work.ts'

/** Makes an account eligible for trials, like one that has paid once. */
export async function makeTrialEligible(sql: Sql, userId: string): Promise<void> {
  await storeMarks(sql, userId, { marks: [{ kind: 'payer', hashes: [{ digest: randomBytes(32), keyId: Buffer.of(0) }] }], now: new Date() })
}

/** Creates a priced, unpaid draft of a registered service. Returns its id. */
export async function aServiceDraft(deps: Deps, wish: { userId: string; service: string; product: string }): Promise<string> {
  return transact(deps.db, { kind: 'user', id: wish.userId }, async (tx) => {
    await tx.audit('service.built', `user:${wish.userId}`)
    return (await beginTask(deps, tx, { ...wish, free: false, facts: { packageId: Number(wish.product) } })).task.id
  })
}

/** Begins a free task and works it as far as possible. Returns its id. */
export async function aStartedTask(deps: Deps, wish: { userId: string; service: string; product: string }): Promise<string> {
  const id = await transact(deps.db, { kind: 'user', id: wish.userId }, async (tx) => {
    await tx.audit('service.built', `user:${wish.userId}`)
    return (await beginTask(deps, tx, { ...wish, price: 0n })).task.id
  })
  await workTask(deps, id)
  return id
}
