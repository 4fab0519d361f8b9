import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { clearWait, noteWait } from '#platform/server/suppliers/waits.ts'
import { outcomeOf, unknown } from '#platform/shared/supplier-error.ts'
import { DRAFT } from '../../words.ts'
import { freeSupplier, scheduleTask, takeDueTasks, taskById, tellLate } from './data.ts'
import type { Task } from './data.ts'
import { lapseTask, moveTask, secondsTo, TELL_MINUTES } from './move.ts'
import { specOf } from './registry.ts'
import type { Learned, StateSpec } from './spec.ts'

const BATCH = 20
/** A supplier that takes its time holds up few others. */
const AT_ONCE = 5

/** Job: everything that is due. What a process died over comes again half a minute later. */
export async function workTasks(deps: Deps): Promise<void> {
  const due = await takeDueTasks(deps.db, BATCH)
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

/** Moves one on by what is known now, as far as it goes. Safe at any time, in any number of processes. */
export async function workTask(deps: Deps, id: string): Promise<void> {
  for (let step = 0; step < 20; step++) {
    const task = await taskById(deps.db, id)
    if (!task || !(await workOnce(deps, task))) return
  }
}

/** True: it went on, look again. */
async function workOnce(deps: Deps, task: Task): Promise<boolean> {
  if (task.phase === 'draft') return lapse(deps, task)
  if (task.phase === 'done' || task.phase === 'failed') return clearUp(deps, task)
  const state = specOf(task.service).states[task.state]
  if (!state) throw new Error(`${task.service} has no state ${task.state}`)
  if (task.phase === 'using' && task.expires_at !== null && task.expires_at <= task.now) return move(deps, task, state.expires!)
  const learned = await ask(deps, task, state)
  if (learned && 'to' in learned && (await moved(deps, task, learned))) return true
  // The supplier was just asked a last time: the timeout applies only after its response.
  if (task.deadline_at !== null && task.deadline_at <= task.now && state.late) return move(deps, task, state.late)
  await tellWaiting(deps, task, state)
  await scheduleTask(deps.db, task.id, task.state, nextLook(task, state, learned && 'seconds' in learned ? learned.seconds : undefined))
  return false
}

async function ask(deps: Deps, task: Task, state: StateSpec) {
  try {
    const learned = await state.work?.(deps, task)
    // A wait may come from a check that no job counted
    if (state.work && (task.checks > 0 || (learned && 'to' in learned))) await clearWait(deps.db, subjectOf(task))
    return learned
  } catch (error) {
    countEvent('services.unknown')
    deps.log.warn({ taskId: task.id, why: (error as Error).message }, 'a supplier gave no clear answer about a task')
    // Its own limit ends a state; the plan says when to ask again, and when operators have to look
    const outcome = outcomeOf(error)
    const waiting = outcome.kind === 'rejected' ? unknown(outcome.reason, outcome.detail) : outcome
    const call = callOf(task, task.state)
    const { seconds, isOver } = await noteWait(deps.db, call, waiting)
    // Nothing ends a state without a limit but its supplier or a person
    if (isOver && !state.late) await noteWait(deps.db, call, unknown(waiting.reason, waiting.detail))
    return { seconds: Math.min(seconds, LONGEST_SECONDS) }
  }
}

const subjectOf = ({ id }: Task): string => `service:${id}`
const callOf = (task: Task, operation: string) => ({ subject: subjectOf(task), port: task.service, supplier: task.supplier, operation })

async function move(deps: Deps, task: Task, to: Learned): Promise<boolean> {
  await transact(deps.db, SYSTEM, (tx) => moveTask(deps, tx, task.id, [task.state], to)) // audited by moveTask
  return true
}

/** False: what was learned does not fit what we keep. It is asked for again, and told and ended by its time like any silence. */
async function moved(deps: Deps, task: Task, to: Learned): Promise<boolean> {
  try {
    return await move(deps, task, to)
  } catch (error) {
    countEvent('services.task_failed')
    deps.log.error({ err: error, taskId: task.id }, 'a service could not be moved on')
    return false
  }
}

async function lapse(deps: Deps, task: Task): Promise<boolean> {
  await transact(deps.db, SYSTEM, (tx) => lapseTask(deps, tx, task.id)) // audited by moveTask
  return false
}

/** Gives back what an ended task left at its supplier. */
async function clearUp(deps: Deps, task: Task): Promise<boolean> {
  const { giveBack } = specOf(task.service)
  const isGone = async () => !task.at_supplier || !giveBack || (await giveBack(deps, task))
  try {
    if (await isGone()) {
      await freeSupplier(deps.db, task.id)
      await clearWait(deps.db, subjectOf(task))
    } else await scheduleTask(deps.db, task.id, task.state, pause(task.checks))
  } catch (error) {
    deps.log.warn({ taskId: task.id, why: (error as Error).message }, 'an ended task could not be ended at its supplier yet')
    // Something may still cost money there: retry with backoff, and show it to operators after the final attempt
    const { reason, detail } = outcomeOf(error)
    const { seconds } = await noteWait(deps.db, callOf(task, 'give_back'), unknown(reason, detail))
    await scheduleTask(deps.db, task.id, task.state, seconds)
  }
  return false
}

/** T7: reports a task that waits too long once per state, in a counter and the log; the desk lists it first. */
async function tellWaiting(deps: Deps, task: Task, state: StateSpec): Promise<void> {
  const minutes = state.tellAfter ?? TELL_MINUTES
  if (task.phase !== 'waiting' || secondsTo(task.now, task.entered_at) < minutes * 60 || !(await tellLate(deps.db, task.id, task.state))) return
  countEvent('services.waits_too_long')
  deps.log.warn({ taskId: task.id, service: task.service, state: task.state, minutes }, 'a task is overdue')
}

function nextLook(task: Task, state: StateSpec, wanted: number | undefined): number {
  const ends = [task.deadline_at, task.phase === 'using' ? task.expires_at : null].flatMap((at) => (at ? [Math.max(1, secondsTo(at, task.now))] : []))
  const told =
    task.phase === 'waiting' && !task.late_told_at ? [Math.max(1, (state.tellAfter ?? TELL_MINUTES) * 60 - secondsTo(task.now, task.entered_at))] : []
  return Math.min(wanted ?? (state.work ? pause(task.checks) : 3600), 3600, ...ends, ...told)
}

const LONGEST_SECONDS = 300
/** 1 s, 2 s, 4 s ... at most five minutes between questions. */
const pause = (checks: number): number => Math.min(2 ** Math.min(checks, 9), LONGEST_SECONDS)

/** A draft is given up by its user. */
export async function giveUpDraft(deps: Deps, id: string, userId: string): Promise<void> {
  const task = await taskById(deps.db, id, userId)
  if (task?.state === DRAFT) await lapse(deps, task)
}
