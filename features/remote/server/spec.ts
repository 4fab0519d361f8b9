import { outcomeOf } from '#platform/shared/supplier-error.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { bestCard } from '#features/cards/server/door.ts'
import { ORDER_TYPE } from '#features/payments/server/door.ts'
import { endUse, isServed, useSeen } from '#features/proxy/server/door.ts'
import { askSupplier, extendTask, taskById } from '#features/services/server/door.ts'
import type { Again, Learned, ServiceSpec, Task } from '#features/services/server/door.ts'
import { broken, returnAdded } from './broken.ts'
import { nodeNamed, nodes, otherSession } from './data.ts'
import { isLongEnough, isOver, lengthsOf, MINUTE } from './length.ts'
import { remoteIncluded, remoteQueueMinutes, remoteReadyMinutes } from './settings.ts'
import { refuseTooOften } from './unused.ts'
import { supplierOf } from './vendors/index.ts'
import { FULL } from './vendors/port.ts'
import { remoteWords } from './words.ts'

export const REMOTE = 'remote'
/** Value of `supplier` for our own engine, whose node is the reference; otherwise the name of a supplier. */
export const OWN = 'own'
const START_MINUTES = 3
const LOOK_SECONDS = 2
const FULL_SECONDS = 10

/** Idempotency key of a start; also used to find the session after a lost response. */
export const startKey = (taskId: string): string => `${taskId}:start`

/** A machine of ours on which browsers start, and a way out of it; or a supplier. */
async function isOffered(deps: Deps, sql: Sql): Promise<boolean> {
  if (supplierOf(deps)) return true
  return (await nodes(sql)).some(({ places, refusal }) => places > 0 && refusal === '') && (await isServed(sql))
}

async function includedWith(deps: Pick<Deps, 'settings'>, sql: Sql, userId: string): Promise<number> {
  const type = await bestCard(sql, userId)
  return type ? (await deps.settings.get(remoteIncluded))[type] : 0
}

/** Our own engine fetches what waits itself; a supplier is asked, and one that is full is asked again. */
async function queue(deps: Deps, task: Task): Promise<Learned | Again> {
  if (task.product === 'more') return join(deps, task)
  const supplier = supplierOf(deps)
  if (!supplier) return { seconds: 30 }
  const key = startKey(task.id)
  try {
    const { ref } = await askSupplier(deps, task, {
      supplier: supplier.name,
      verb: 'start',
      leaves: true,
      run: async () => ({ ref: (await supplier.start(key)).ref }),
      find: async () => supplier.find(key).then((found) => found && { ref: found.ref }),
    })
    return { to: 'starting', supplier: supplier.name, supplierRef: ref }
  } catch (error) {
    const { kind, reason } = outcomeOf(error)
    if (kind === 'rejected') return { to: 'failed', cause: 'no_place' }
    if (reason === FULL) return { seconds: FULL_SECONDS }
    throw error
  }
}

/** Adds another use, paid or free, to a live session; not charged if the session has ended or reached its maximum length. */
async function join(deps: Deps, task: Task): Promise<Learned> {
  const target = await taskById(deps.db, String(task.facts['session']), task.user_id)
  if (target?.state !== 'using' || isOver(target)) return { to: 'failed', cause: 'ended_before' }
  const lengths = await lengthsOf(deps)
  if (isLongEnough(target, lengths)) return { to: 'failed', cause: 'too_long' }
  return {
    to: 'joined',
    also: async (tx) => {
      const longer = await extendTask(deps, tx, target.id, 'using', (now) =>
        isOver(now) || isLongEnough(now, lengths) ? undefined : new Date(now.expires_at.getTime() + lengths.minutes * MINUTE),
      )
      // The session just ended, or a concurrent extension won: retry
      if (!longer) throw new Error(`${target.id} cannot be extended`)
    },
  }
}

const supplierFor = (deps: Deps, task: Task) => {
  const supplier = supplierOf(deps)
  return supplier?.name === task.supplier && task.supplier_ref ? { supplier, ref: task.supplier_ref } : undefined
}

/** True if the node that ran the session is gone, and its browsers with it. */
const isLost = async (deps: Deps, task: Task) => task.supplier === OWN && !(await nodeNamed(deps.db, task.supplier_ref ?? ''))

async function start(deps: Deps, task: Task): Promise<Learned | Again> {
  const there = supplierFor(deps, task)
  if (!there) return (await isLost(deps, task)) ? { to: 'failed', cause: 'not_started' } : { seconds: LOOK_SECONDS }
  const state = await there.supplier.look(there.ref)
  if (state === 'gone') return { to: 'failed', cause: 'not_started' }
  return state === 'running' ? { to: 'ready' } : { seconds: LOOK_SECONDS }
}

async function wait(deps: Deps, task: Task): Promise<Learned | Again> {
  const there = supplierFor(deps, task)
  const isGone = there ? (await there.supplier.look(there.ref)) === 'gone' : await isLost(deps, task)
  return isGone ? { to: 'failed', cause: 'not_started' } : { seconds: 5 }
}

async function use(deps: Deps, task: Task): Promise<Learned | Again> {
  const there = supplierFor(deps, task)
  if (!there) return (await isLost(deps, task)) ? { to: 'failed', cause: 'lost' } : { seconds: 5 }
  if ((await there.supplier.look(there.ref)) === 'gone') return broken(deps, task)
  await there.supplier.keepAlive(there.ref)
  return { seconds: 30 }
}

/** Refuses a second session when two orders are paid at once; the money of the other one stays in the balance. */
async function beginOnce(deps: Deps, tx: Tx, task: Task): Promise<void> {
  if (task.product !== 'session') return
  if (await otherSession(tx, task.user_id, task.id)) fail('REMOTE_GOES_ON')
  // Checked again: the order may have been priced before the previous session was given up
  await refuseTooOften(deps, tx, task.user_id)
}

/** Facts for operators: node, exit, and for a queued session the nodes that refuse to start browsers. */
async function seen({ db }: Pick<Deps, 'db'>, { id, state, supplier_ref: ref }: Task): Promise<Record<string, string>> {
  const refusing = state === 'queued' ? (await nodes(db)).filter(({ refusal }) => refusal !== '') : []
  return {
    ...(ref === null ? {} : { node: ref }),
    ...(await useSeen(db, 'remote', id)),
    ...(refusing.length ? { refusal: refusing.map(({ id: node, refusal }) => `${node}: ${refusal}`).join('; ') } : {}),
  }
}

/** Frees the proxy credentials and, at a supplier, the session; retried until both are gone. */
async function giveBack(deps: Deps, task: Task): Promise<boolean> {
  await endUse(deps.db, 'remote', task.id)
  const supplier = supplierOf(deps)
  if (!supplier || supplier.name !== task.supplier) return task.supplier === OWN || task.supplier === ''
  const key = startKey(task.id)
  const ref = task.supplier_ref ?? (await supplier.find(key))?.ref
  await supplier.end(key, ref)
  return true
}

/** A session of a browser on a machine of ours or of a supplier's. Charged when its user sees its first picture. */
export const remoteService: ServiceSpec = {
  name: REMOTE,
  orderType: ORDER_TYPE.REMOTE,
  flag: () => 'remoteBrowser',
  isOffered,
  prices: { session: '1', more: '1' },
  first: 'queued',
  states: {
    queued: {
      phase: 'waiting',
      to: ['starting', 'joined', 'failed'],
      work: queue,
      within: (deps) => deps.settings.get(remoteQueueMinutes),
      late: { to: 'failed', cause: 'no_place' },
    },
    starting: { phase: 'waiting', to: ['ready', 'failed'], work: start, within: async () => START_MINUTES, late: { to: 'failed', cause: 'not_started' } },
    ready: {
      phase: 'waiting',
      to: ['using', 'failed'],
      work: wait,
      within: (deps) => deps.settings.get(remoteReadyMinutes),
      late: { to: 'failed', cause: 'nobody_came' },
    },
    using: { phase: 'using', to: ['ended', 'failed'], work: use, expires: { to: 'ended', cause: 'time_up' } },
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
  begin: beginOnce,
  ended: returnAdded,
  seen,
  quota: async (deps, sql, userId) => ({ allowed: await includedWith(deps, sql, userId), period: '' }),
  giveBack,
  texts: remoteWords,
  path: '/remote',
}
