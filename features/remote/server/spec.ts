import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { findBestCardType } from '#features/cards/server/door.ts'
import { ORDER_TYPE } from '#features/payments/server/door.ts'
import { endUse, isProxyServed, readUseFacts } from '#features/proxy/server/door.ts'
import { callSupplier, extendTask, selectTask } from '#features/services/server/door.ts'
import type { TaskRecheck, TaskTransition, ServiceSpec, Task } from '#features/services/server/door.ts'
import { resolveBrokenSession, refundAddedUses, wouldExceedLimit, isSessionTimeUp, readSessionLengths, MINUTE_MS, requireBelowUnusedLimit } from './unused.ts'
import { findRemoteNode, listRemoteNodes, hasOtherRemoteSession } from './data.ts'
import { remoteIncluded, remoteQueueMinutes, remoteReadyMinutes } from './settings.ts'
import { findRemoteSupplier } from './vendors/index.ts'
import { NO_PLACE_REASON } from './vendors/port.ts'
import { remoteWords } from './words.ts'

export const REMOTE_SERVICE = 'remote'
/** Value of `supplier` for our own engine, whose node is the reference; otherwise the name of a supplier. */
export const OWN_ENGINE = 'own'
const START_MINUTES = 3
const POLL_SECONDS = 2
const FULL_RETRY_SECONDS = 10

/** Idempotency key of a start; also used to find the session after a lost response. */
export const buildStartKey = (taskId: string): string => `${taskId}:start`

/** Creates a session on one of our machines, with proxy credentials, or at a supplier. */
async function isRemoteOffered(deps: Deps, sql: Sql): Promise<boolean> {
  if (findRemoteSupplier(deps)) return true
  return (await listRemoteNodes(sql)).some(({ places, refusal }) => places > 0 && refusal === '') && (await isProxyServed(sql))
}

async function countIncludedSessions(deps: Pick<Deps, 'settings'>, sql: Sql, userId: string): Promise<number> {
  const type = await findBestCardType(sql, userId)
  return type ? (await deps.settings.get(remoteIncluded))[type] : 0
}

/** Our own engine claims queued tasks itself; a supplier is called, and called again if it is full. */
async function startFromQueue(deps: Deps, task: Task): Promise<TaskTransition | TaskRecheck> {
  if (task.product === 'more') return addToSession(deps, task)
  const supplier = findRemoteSupplier(deps)
  if (!supplier) return { seconds: 30 }
  const key = buildStartKey(task.id)
  try {
    const { ref } = await callSupplier(deps, task, {
      supplier: supplier.name,
      verb: 'start',
      leaves: true,
      run: async () => ({ ref: (await supplier.start(key)).ref }),
      find: async () => supplier.find(key).then((found) => found && { ref: found.ref }),
    })
    return { to: 'starting', supplier: supplier.name, supplierRef: ref }
  } catch (error) {
    const { kind, reason } = asSupplierError(error)
    if (kind === 'rejected') return { to: 'failed', cause: 'no_place' }
    if (reason === NO_PLACE_REASON) return { seconds: FULL_RETRY_SECONDS }
    throw error
  }
}

/** Adds another use, paid or free, to a live session; not charged if the session has ended or reached its maximum length. */
async function addToSession(deps: Deps, task: Task): Promise<TaskTransition> {
  const target = await selectTask(deps.db, String(task.facts['session']), task.userId)
  if (target?.state !== 'using' || isSessionTimeUp(target)) return { to: 'failed', cause: 'ended_before' }
  const lengths = await readSessionLengths(deps)
  if (wouldExceedLimit(target, lengths)) return { to: 'failed', cause: 'too_long' }
  return {
    to: 'joined',
    also: async (tx) => {
      const longer = await extendTask(deps, tx, {
        id: target.id,
        state: 'using',
        longer: (now) => (isSessionTimeUp(now) || wouldExceedLimit(now, lengths) ? undefined : new Date(now.expiresAt.getTime() + lengths.minutes * MINUTE_MS)),
      })
      // The session just ended, or a concurrent extension won: retry
      if (!longer) throw new Error(`${target.id} cannot be extended`)
    },
  }
}

const findTaskSupplier = (deps: Deps, task: Task) => {
  const supplier = findRemoteSupplier(deps)
  return supplier?.name === task.supplier && task.supplierRef ? { supplier, ref: task.supplierRef } : undefined
}

/** True if the node that ran the session is gone, and its browsers with it. */
const isLost = async (deps: Deps, task: Task) => task.supplier === OWN_ENGINE && !(await findRemoteNode(deps.db, task.supplierRef ?? ''))

async function checkStart(deps: Deps, task: Task): Promise<TaskTransition | TaskRecheck> {
  const there = findTaskSupplier(deps, task)
  if (!there) return (await isLost(deps, task)) ? { to: 'failed', cause: 'not_started' } : { seconds: POLL_SECONDS }
  const state = await there.supplier.look(there.ref)
  if (state === 'gone') return { to: 'failed', cause: 'not_started' }
  return state === 'running' ? { to: 'ready' } : { seconds: POLL_SECONDS }
}

async function checkReady(deps: Deps, task: Task): Promise<TaskTransition | TaskRecheck> {
  const there = findTaskSupplier(deps, task)
  const isGone = there ? (await there.supplier.look(there.ref)) === 'gone' : await isLost(deps, task)
  return isGone ? { to: 'failed', cause: 'not_started' } : { seconds: 5 }
}

async function checkInUse(deps: Deps, task: Task): Promise<TaskTransition | TaskRecheck> {
  const there = findTaskSupplier(deps, task)
  if (!there) return (await isLost(deps, task)) ? { to: 'failed', cause: 'lost' } : { seconds: 5 }
  if ((await there.supplier.look(there.ref)) === 'gone') return resolveBrokenSession(deps, task)
  await there.supplier.keepAlive(there.ref)
  return { seconds: 30 }
}

/** Refuses a second session when two orders are paid at once; the money of the other one stays in the balance. */
async function refuseSecondSession(deps: Deps, tx: Tx, task: Task): Promise<void> {
  if (task.product !== 'session') return
  if (await hasOtherRemoteSession(tx, task.userId, task.id)) fail('REMOTE_GOES_ON')
  // Checked again: the order may have been priced before the previous session was given up
  await requireBelowUnusedLimit(deps, tx, task.userId)
}

/** Facts for operators: node, exit, and for a queued session the nodes that refuse to start browsers. */
async function describeSession({ db }: Pick<Deps, 'db'>, { id, state, supplierRef: ref }: Task): Promise<Record<string, string>> {
  const refusing = state === 'queued' ? (await listRemoteNodes(db)).filter(({ refusal }) => refusal !== '') : []
  return {
    ...(ref === null ? {} : { node: ref }),
    ...(await readUseFacts(db, 'remote', id)),
    ...(refusing.length ? { refusal: refusing.map(({ id: node, refusal }) => `${node}: ${refusal}`).join('; ') } : {}),
  }
}

/** Frees the proxy credentials and, at a supplier, the session; retried until both are gone. */
async function releaseSession(deps: Deps, task: Task): Promise<boolean> {
  await endUse(deps.db, 'remote', task.id)
  const supplier = findRemoteSupplier(deps)
  if (!supplier || supplier.name !== task.supplier) return task.supplier === OWN_ENGINE || task.supplier === ''
  const key = buildStartKey(task.id)
  const ref = task.supplierRef ?? (await supplier.find(key))?.ref
  await supplier.end(key, ref)
  return true
}

/** A session of a browser on our machine or a supplier's. Charged when its user sees the first picture. */
export const remoteService: ServiceSpec = {
  name: REMOTE_SERVICE,
  orderType: ORDER_TYPE.REMOTE,
  flag: () => 'remoteBrowser',
  isOffered: isRemoteOffered,
  prices: { session: '1', more: '1' },
  first: 'queued',
  states: {
    queued: {
      phase: 'waiting',
      to: ['starting', 'joined', 'failed'],
      work: startFromQueue,
      within: (deps) => deps.settings.get(remoteQueueMinutes),
      late: { to: 'failed', cause: 'no_place' },
    },
    starting: { phase: 'waiting', to: ['ready', 'failed'], work: checkStart, within: async () => START_MINUTES, late: { to: 'failed', cause: 'not_started' } },
    ready: {
      phase: 'waiting',
      to: ['using', 'failed'],
      work: checkReady,
      within: (deps) => deps.settings.get(remoteReadyMinutes),
      late: { to: 'failed', cause: 'nobody_came' },
    },
    using: { phase: 'using', to: ['ended', 'failed'], work: checkInUse, expires: { to: 'ended', cause: 'time_up' } },
    ended: { phase: 'done', to: [] },
    joined: { phase: 'done', to: [] },
    failed: { phase: 'failed', to: [] },
  },
  causes: {
    no_place: { money: 'back' },
    not_started: { money: 'back' },
    nobody_came: { money: 'back' },
    given_up: { money: 'back' },
    ended_before: { money: 'back' },
    too_long: { money: 'back' },
    lost: { money: 'back' },
    broke: { money: 'part' },
    broke_early: { money: 'back' },
    broke_late: { money: 'keep' },
    too_heavy: { money: 'keep' },
    time_up: { money: 'keep' },
    stopped: { money: 'keep' },
  },
  begin: refuseSecondSession,
  ended: refundAddedUses,
  seen: describeSession,
  quota: async (deps, sql, userId) => ({ allowed: await countIncludedSessions(deps, sql, userId), period: '' }),
  giveBack: releaseSession,
  texts: remoteWords,
  path: '/remote',
}
