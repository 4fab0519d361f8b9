import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { minNano, subtractNano, addNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { lockOrderByNo, completeOrder, undeliverOrder } from '#features/payments/server/door.ts'
import { DRAFT, LAPSED, NOT_PAID } from '../../words.ts'
import type { TaskPhase } from '../../words.ts'
import { insertStep } from './data-steps.ts'
import { changeTask, lockTask, selectTask } from './data.ts'
import type { Task, TaskChange } from './data.ts'
import { returnFreeUse } from './quota.ts'
import { requireServiceSpec } from './registry.ts'
import type { CauseSpec, TaskTransition, ServiceSpec, StateSpec } from './spec.ts'
import { captureHold, placeHold, refundTransaction, voidHold } from '#features/wallet/server/door.ts'

/** All postings of services are made below. Amounts are in dollars; each posting happens once per task. */

/** Exceeds every wait: a hold ends with its task, never by timeout. */
const HOLD_SECONDS = 400 * 86_400
const toHoldId = (task: Pick<Task, 'id'>) => `service.${task.id}`

/** Holds the price in the balance. Errors: INSUFFICIENT_FUNDS. */
async function holdPrice(tx: Tx, task: Task): Promise<void> {
  const made = await placeHold(tx, { id: toHoldId(task), userId: task.userId, amount: task.amount, ttlSeconds: HOLD_SECONDS, purpose: 'service' })
  if (made.status !== 'pending') fail('INSUFFICIENT_FUNDS')
}

/** Captures `amount` of the hold at delivery and releases the rest. Returns the ledger's transaction id; null if the amount is 0. */
async function chargePrice(tx: Tx, task: Task, amount: Nano): Promise<bigint | null> {
  const rest = subtractNano(task.amount, amount)
  const taken = amount > 0n ? await captureHold(tx, { holdId: toHoldId(task), amount, kind: 'service.charged', ref: task.id }) : undefined
  if (!taken) await voidHold(tx, toHoldId(task))
  await completeOrder(tx, task.orderNo!)
  if (rest > 0n) await undeliverOrder(tx, task.orderNo!, { amount: rest, reason: 'not used' })
  return taken?.transactionId ?? null
}

/** Releases the whole hold of a task that was not delivered. */
async function voidPrice(tx: Tx, task: Task, reason: string): Promise<void> {
  await voidHold(tx, toHoldId(task))
  await undeliverOrder(tx, task.orderNo!, { amount: task.amount, reason })
}

/** Refunds a charge to the credit that it was taken from. `returned` is the total so far. */
async function returnPrice(tx: Tx, task: Task, { amount, reason }: { readonly amount: Nano; readonly reason: string }): Promise<void> {
  const ref = `${task.id}:${addNano(task.returned, amount)}`
  await refundTransaction(tx, { userId: task.userId, amount, kind: 'service.returned', ref, of: task.chargeId! })
  await undeliverOrder(tx, task.orderNo!, { amount, reason })
}

/**
 * Moves a task to its next state, once. Returns undefined if the task is in none of the `from` states. Locks its order before the task
 * (then the balance).
 */
export async function moveTask(
  deps: Deps,
  tx: Tx,
  { id, from, to }: { readonly id: string; readonly from: readonly string[]; readonly to: TaskTransition },
): Promise<Task | undefined> {
  const task = await lockTaskInStates(tx, id, from)
  return task && applyMove(deps, tx, { task, to })
}

/** Locks a task and its order. Returns undefined if the task is in none of these states. */
export async function lockTaskInStates(tx: Tx, id: string, states: readonly string[]): Promise<Task | undefined> {
  const known = await selectTask(tx, id)
  if (!known || !states.includes(known.state)) return undefined
  if (known.orderNo !== null) await lockOrderByNo(tx, known.orderNo)
  const task = await lockTask(tx, id)
  return task && states.includes(task.state) ? task : undefined
}

/** The task is locked, and its order before it. */
export async function applyMove(deps: Deps, tx: Tx, { task, to }: { readonly task: Task; readonly to: TaskTransition }): Promise<Task> {
  const spec = requireServiceSpec(task.service)
  const state = resolveTargetState(spec, task, to)
  const money = await moveMoney(tx, spec, { task, phase: state.phase, transition: to })
  const expiresAt = to.expiresAt ?? (state.phase === 'using' && task.phase !== 'using' ? (state.until?.(task) ?? null) : task.expiresAt)
  const target: TaskChange = {
    state: to.to,
    phase: state.phase,
    cause: to.cause ?? '',
    ...money,
    facts: { ...task.facts, ...to.facts },
    orderNo: task.orderNo,
    supplier: to.supplier ?? task.supplier,
    supplierRef: to.supplierRef ?? task.supplierRef,
    waitsForPerson: state.desk !== undefined,
    expiresAt,
    ...(await computeTimes(deps, task, { state, expiresAt })),
  }
  const moved = await changeTask(tx, task, target)
  await insertStep(tx, task.id, { from: task.state, to: to.to, told: { cause: to.cause ?? '', note: to.note ?? '' } })
  await to.also?.(tx, moved)
  if (moved.finishedAt && !task.finishedAt) await spec.ended?.(deps, tx, moved)
  await recordMove(tx, task, moved)
  crashPoint('services.before-commit')
  return moved
}

const LAPSED_STATE: StateSpec = { phase: 'failed', to: [] }

function resolveTargetState(spec: ServiceSpec, task: Task, { to, cause }: TaskTransition): StateSpec {
  if (task.state === DRAFT && to === LAPSED) return LAPSED_STATE
  const state = spec.states[to] ?? fail('INTERNAL')
  const allowed = task.state === DRAFT ? to === spec.first : task.state === to || (spec.states[task.state]?.to.includes(to) ?? false)
  if (!allowed) throw new Error(`${task.service}: ${task.state} does not lead to ${to}`)
  if (state.phase === 'failed' && (cause === undefined || !spec.causes[cause])) throw new Error(`${task.service}: ${to} needs a cause of its own, not ${cause}`)
  return state
}

/** Refund rule of a cause for this task. A task that was never delivered has used nothing: `part` is then all of it. */
export const resolveRefundRule = ({ money }: CauseSpec, task: Pick<Task, 'deliveredAt'>): CauseSpec['money'] =>
  money === 'part' && task.deliveredAt === null ? 'back' : money

type MoneyChange = Pick<TaskChange, 'money' | 'charged' | 'chargeId' | 'returned' | 'free' | 'freePeriod'>

/** Moves the price and the free use with the state: charged at delivery, refunded by cause. */
async function moveMoney(
  tx: Tx,
  spec: ServiceSpec,
  {
    task,
    phase,
    transition: { cause = '', charge, back, giveBack, returnsUse },
  }: { readonly task: Task; readonly phase: TaskPhase; readonly transition: TaskTransition },
): Promise<MoneyChange> {
  const { money, charged, chargeId, returned, free, freePeriod } = task
  const same: MoneyChange = { money, charged, chargeId, returned, free, freePeriod }
  const known = spec.causes[cause]
  const rule = known && resolveRefundRule(known, task)
  const fails = phase === 'failed'
  const gone = free === 'taken' && (returnsUse || (fails && rule === 'back')) ? await returnTaskUse(tx, task, same) : same
  if (money === 'held' && (phase === 'using' || phase === 'done' || (fails && rule !== 'back'))) {
    const amount = minNano(charge ?? task.amount, task.amount)
    return { ...gone, chargeId: await chargePrice(tx, task, amount), money: amount > 0n ? 'charged' : 'released', charged: amount }
  }
  if (money === 'held' && fails) {
    await voidPrice(tx, task, cause)
    return { ...gone, money: 'released' }
  }
  const left = subtractNano(charged, returned)
  const amount = giveBack ?? (phase === 'using' || task.phase === 'done' ? 0n : rule === 'back' ? left : rule === 'part' ? minNano(back ?? 0n, left) : 0n)
  if (money === 'charged' && amount > 0n) {
    await returnPrice(tx, task, { amount, reason: cause })
    return { ...gone, returned: addNano(returned, amount) }
  }
  return gone
}

async function returnTaskUse(tx: Tx, task: Task, now: MoneyChange): Promise<MoneyChange> {
  await returnFreeUse(tx, task.userId, { service: task.service, period: task.freePeriod! })
  return { ...now, free: 'back' }
}

/** Timeout of the state, end of the use, and time of the next check. */
async function computeTimes(
  deps: Deps,
  task: Task,
  { state, expiresAt }: { readonly state: StateSpec; readonly expiresAt: Date | null },
): Promise<Pick<TaskChange, 'deadlineSeconds' | 'checkSeconds'>> {
  if (state.phase === 'done' || state.phase === 'failed') return { deadlineSeconds: null, checkSeconds: task.atSupplier ? 0 : null }
  const deadlineSeconds = state.within ? Math.round((await state.within(deps, task)) * 60) : null
  const waits = [
    ...(state.work ? [0] : []),
    ...(deadlineSeconds === null ? [] : [deadlineSeconds]),
    ...(state.phase === 'using' && expiresAt ? [countSecondsUntil(expiresAt, task.now)] : []),
    ...(state.phase === 'waiting' ? [(state.tellAfter ?? LATE_AFTER_MINUTES) * 60] : []),
  ]
  return { deadlineSeconds, checkSeconds: Math.max(0, Math.min(3600, ...waits)) }
}
export const LATE_AFTER_MINUTES = 15
export const countSecondsUntil = (at: Date, now: Date): number => Math.ceil((at.getTime() - now.getTime()) / 1000)

async function recordMove(tx: Tx, was: Task, task: Task): Promise<void> {
  const facts = { service: task.service, state: task.state, cause: task.cause, charged: formatUsd(task.charged), returned: formatUsd(task.returned) }
  await tx.audit('service.moved', `service:${task.id}`, { ...facts, from: was.state })
  const amount = formatUsd(task.amount)
  const news = { ...facts, taskId: task.id, userId: task.userId, phase: task.phase, was: was.phase, product: task.product, amount, free: task.free }
  await tx.emit('service.moved', { ...news, orderNo: task.orderNo ?? '' })
  countEvent(`services.${task.phase}`)
}

/** Starts a draft: paid, with its price held, or free. The task and its order must be locked. */
export async function startTask(
  deps: Deps,
  tx: Tx,
  { task, how }: { readonly task: Task; readonly how: { readonly orderNo: string } | { readonly period: string } | 'free' },
): Promise<Task> {
  const spec = requireServiceSpec(task.service)
  let begun = task
  if (how !== 'free') {
    const paid = 'orderNo' in how
    if (paid) await holdPrice(tx, task)
    begun = {
      ...task,
      ...(paid ? { money: 'held' as const, orderNo: how.orderNo } : { free: 'taken' as const, freePeriod: how.period }),
    }
  }
  const moved = await applyMove(deps, tx, { task: begun, to: { to: spec.first } })
  await spec.begin?.(deps, tx, moved)
  return moved
}

/** Ends a draft that was not paid. */
export async function lapseTask(deps: Deps, tx: Tx, id: string): Promise<Task | undefined> {
  return moveTask(deps, tx, { id, from: [DRAFT], to: { to: LAPSED, cause: NOT_PAID } })
}
