import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { lockActive } from '#features/account/server/door.ts'
import { countLiveTasks, insertTask, lockBeginnings, selectOlderDrafts } from './data.ts'
import type { Task } from './data.ts'
import { lapseTask, startTask } from './move.ts'
import { requireServiceOpen } from './open.ts'
import { readServicePrice } from './price.ts'
import { takeFreeUse } from './quota.ts'
import { requireServiceSpec } from './registry.ts'
import { draftMinutes } from './settings.ts'

export interface TaskRequest {
  readonly service: string
  readonly userId: string
  readonly product: string
  /** Facts for the owner's page. Never a secret. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Price after a discount, instead of the price book's. 0: free of charge without using the free quota. */
  readonly price?: Nano
  /** False: charges the price even if free uses are left. */
  readonly free?: boolean
  /** Maximum of concurrent tasks, drafts included. The oldest drafts are dropped first; SERVICE_TOO_MANY if that many tasks are live. */
  readonly atOnce?: number
}

export interface BegunTask {
  readonly task: Task
  /** Arguments for `payOrder` or `balancePay`; null if the task began free of charge. */
  readonly pay: { readonly orderType: number; readonly amount: string; readonly service: string } | null
}

/**
 * Begins a service: at once if it is free, else as a draft with a frozen price that an order names in its `service`.
 * Errors: SERVICE_PAUSED, SERVICE_TOO_MANY, SESSION_EXPIRED (frozen or closed), and those of the service's `begin`.
 */
export async function beginTask(deps: Deps, tx: Tx, wanted: TaskRequest): Promise<BegunTask> {
  const { service, userId, product, facts = {} } = wanted
  const spec = requireServiceSpec(service)
  if (!(await lockActive(tx, userId))) fail('SESSION_EXPIRED')
  await requireServiceOpen(deps, spec, { task: { userId, product, facts }, sql: tx })
  await lockBeginnings(tx, userId, service)
  if (wanted.atOnce !== undefined) await makeRoom(deps, tx, { request: wanted, atOnce: wanted.atOnce })
  const price = wanted.price ?? (await readServicePrice(deps, service, product))
  const seconds = (await deps.settings.get(draftMinutes)) * 60
  const id = `srv_${createRandomCode(16).toLowerCase()}`
  const draft = (amount: Nano) => insertTask(tx, { id, service, userId, product, amount, facts, seconds })
  await tx.audit('service.begun', `service:${id}`, { service, product, price: formatUsd(price) })
  if (price === 0n) return { task: await startTask(deps, tx, { task: await draft(0n), how: 'free' }), pay: null }
  const period = wanted.free === false ? undefined : await takeFreeUse(deps, tx, { userId, service })
  if (period !== undefined) return { task: await startTask(deps, tx, { task: await draft(0n), how: { period } }), pay: null }
  if (spec.orderType === undefined) return fail('SERVICE_UNKNOWN')
  return { task: await draft(price), pay: { orderType: spec.orderType, amount: formatUsd(price), service: id } }
}

/** A draft is free and may reserve something, usually a name, so the number of drafts per user is limited. After leaving a checkout a user starts again. */
async function makeRoom(
  deps: Deps,
  tx: Tx,
  { request: { userId, service }, atOnce }: { readonly request: TaskRequest; readonly atOnce: number },
): Promise<void> {
  const live = await countLiveTasks(tx, userId, service)
  if (live >= atOnce) fail('SERVICE_TOO_MANY', { most: atOnce })
  for (const id of await selectOlderDrafts(tx, userId, { service, newest: atOnce - live - 1 })) await lapseTask(deps, tx, id) // audited by moveTask
}
