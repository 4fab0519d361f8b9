import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { clearWait, recordWait } from '#platform/server/suppliers/waits.ts'
import { asSupplierError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import { DRAFT } from '../../words.ts'
import { clearAtSupplier, scheduleTask, claimDueTasks, selectTask, markTaskLate } from './data.ts'
import type { Task } from './data.ts'
import { lapseTask, moveTask, countSecondsUntil, LATE_AFTER_MINUTES } from './move.ts'
import { requireServiceSpec } from './registry.ts'
import type { TaskTransition, StateSpec } from './spec.ts'

const BATCH = 20
/** Concurrent tasks, so that a slow supplier delays few others. */
const AT_ONCE = 5

/** Job: works all due tasks. A task whose process crashed is due again after half a minute. */
export async function workTasks(deps: Deps): Promise<void> {
  const due = await claimDueTasks(deps.db, BATCH)
  const work = async (): Promise<void> => {
    for (let id = due.shift(); id !== undefined; id = due.shift()) await workSafely(deps, id)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function workSafely(deps: Deps, id: string): Promise<void> {
  try {
    await workTask(deps, id)
  } catch (error) {
    countEvent('services.task_failed')
    deps.log.error({ err: error, taskId: id }, 'a service could not be moved on')
  }
}

/** Advances a task as far as possible. Safe at any time, in any number of processes. */
export async function workTask(deps: Deps, id: string): Promise<void> {
  for (let step = 0; step < 20; step++) {
    const task = await selectTask(deps.db, id)
    if (!task || !(await workOnce(deps, task))) return
  }
}

/** Returns true if the task advanced and should be checked again. */
async function workOnce(deps: Deps, task: Task): Promise<boolean> {
  if (task.phase === 'draft') return lapseDraft(deps, task)
  if (task.phase === 'done' || task.phase === 'failed') return returnToSupplier(deps, task)
  const state = requireServiceSpec(task.service).states[task.state]
  if (!state) throw new Error(`${task.service} has no state ${task.state}`)
  if (task.phase === 'using' && task.expiresAt !== null && task.expiresAt <= task.now) return moveToState(deps, task, state.expires!)
  const learned = await runStateWork(deps, task, state)
  if (learned && 'to' in learned && (await tryMove(deps, task, learned))) return true
  // The supplier has just been polled a last time: the timeout applies only after its response.
  if (task.deadlineAt !== null && task.deadlineAt <= task.now && state.late) return moveToState(deps, task, state.late)
  await reportLateTask(deps, task, state)
  await scheduleTask(deps.db, task.id, {
    state: task.state,
    seconds: computeNextCheck(task, state, learned && 'seconds' in learned ? learned.seconds : undefined),
  })
  return false
}

async function runStateWork(deps: Deps, task: Task, state: StateSpec) {
  try {
    const learned = await state.work?.(deps, task)
    // The wait may come from a check outside the job, which counted no attempt
    if (state.work && (task.checks > 0 || (learned && 'to' in learned))) await clearWait(deps.db, toWaitSubject(task))
    return learned
  } catch (error) {
    countEvent('services.unknown')
    deps.log.warn({ taskId: task.id, why: (error as Error).message }, 'a supplier gave no clear answer about a task')
    // The state's timeout ends it; the plan sets the next poll and when operators are notified
    const outcome = asSupplierError(error)
    const waiting = outcome.kind === 'rejected' ? unknownError(outcome.reason, outcome.detail) : outcome
    const call = toWaitCall(task, task.state)
    const { seconds, isOver } = await recordWait(deps.db, call, waiting)
    // A state without a timeout ends only by its supplier or an operator
    if (isOver && !state.late) await recordWait(deps.db, call, unknownError(waiting.reason, waiting.detail))
    return { seconds: Math.min(seconds, LONGEST_SECONDS) }
  }
}

const toWaitSubject = ({ id }: Task): string => `service:${id}`
const toWaitCall = (task: Task, operation: string) => ({ subject: toWaitSubject(task), port: task.service, supplier: task.supplier, operation })

async function moveToState(deps: Deps, task: Task, to: TaskTransition): Promise<boolean> {
  await transact(deps.db, SYSTEM, (tx) => moveTask(deps, tx, { id: task.id, from: [task.state], to })) // audited by moveTask
  return true
}

/**
 * Applies a transition. Returns false if it violates a constraint: the supplier is polled again, and the state is reported and times out
 * as without a response.
 */
async function tryMove(deps: Deps, task: Task, to: TaskTransition): Promise<boolean> {
  try {
    return await moveToState(deps, task, to)
  } catch (error) {
    countEvent('services.task_failed')
    deps.log.error({ err: error, taskId: task.id }, 'a service could not be moved on')
    return false
  }
}

async function lapseDraft(deps: Deps, task: Task): Promise<boolean> {
  await transact(deps.db, SYSTEM, (tx) => lapseTask(deps, tx, task.id)) // audited by moveTask
  return false
}

/** Returns to the supplier what an ended task left there. */
async function returnToSupplier(deps: Deps, task: Task): Promise<boolean> {
  const { giveBack } = requireServiceSpec(task.service)
  const isGone = async () => !task.atSupplier || !giveBack || (await giveBack(deps, task))
  try {
    if (await isGone()) {
      await clearAtSupplier(deps.db, task.id)
      await clearWait(deps.db, toWaitSubject(task))
    } else await scheduleTask(deps.db, task.id, { state: task.state, seconds: computeBackoff(task.checks) })
  } catch (error) {
    deps.log.warn({ taskId: task.id, why: (error as Error).message }, 'an ended task could not be ended at its supplier yet')
    // Something may still cost money there: retry with backoff, and show it to operators after the final attempt
    const { reason, detail } = asSupplierError(error)
    const { seconds } = await recordWait(deps.db, toWaitCall(task, 'give_back'), unknownError(reason, detail))
    await scheduleTask(deps.db, task.id, { state: task.state, seconds })
  }
  return false
}

/** T7: reports a task that waits too long, once per state, in a counter and the log; the desk lists it first. */
async function reportLateTask(deps: Deps, task: Task, state: StateSpec): Promise<void> {
  const minutes = state.tellAfter ?? LATE_AFTER_MINUTES
  if (task.phase !== 'waiting' || countSecondsUntil(task.now, task.enteredAt) < minutes * 60 || !(await markTaskLate(deps.db, task.id, task.state))) return
  countEvent('services.waits_too_long')
  deps.log.warn({ taskId: task.id, service: task.service, state: task.state, minutes }, 'a task is overdue')
}

function computeNextCheck(task: Task, state: StateSpec, wanted: number | undefined): number {
  const ends = [task.deadlineAt, task.phase === 'using' ? task.expiresAt : null].flatMap((at) => (at ? [Math.max(1, countSecondsUntil(at, task.now))] : []))
  const told =
    task.phase === 'waiting' && !task.lateToldAt
      ? [Math.max(1, (state.tellAfter ?? LATE_AFTER_MINUTES) * 60 - countSecondsUntil(task.now, task.enteredAt))]
      : []
  return Math.min(wanted ?? (state.work ? computeBackoff(task.checks) : 3600), 3600, ...ends, ...told)
}

const LONGEST_SECONDS = 300
/** Poll delays of 1 s, 2 s, 4 s ... up to five minutes. */
const computeBackoff = (checks: number): number => Math.min(2 ** Math.min(checks, 9), LONGEST_SECONDS)

/** Ends an expired draft as given up by its user. */
export async function giveUpDraft(deps: Deps, id: string, userId: string): Promise<void> {
  const task = await selectTask(deps.db, id, userId)
  if (task?.state === DRAFT) await lapseDraft(deps, task)
}
