import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { usdAmount } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { minNano, subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { lockOrderByNo } from '#features/payments/server/door.ts'
import { taskId } from '../../contract.ts'
import { lockTask, selectTask } from '../kit/data.ts'
import type { Task } from '../kit/data.ts'
import { applyMove, moveTask } from '../kit/move.ts'
import { listServiceSpecs, requireServiceSpec } from '../kit/registry.ts'
import { leaseMinutes, pausedServices } from '../kit/settings.ts'
import { selectTaskEvidence, insertEvidence, leaseTask, releaseTaskLease } from './data.ts'
import { selectTaskCards } from './on-card.ts'

const one = { id: taskId }
interface TaskInput {
  readonly id: string
}
const requireTask = async (sql: Sql, { id }: TaskInput): Promise<Task> => (await selectTask(sql, id)) ?? fail('SERVICE_TASK_UNKNOWN')
const subject = async ({ db }: Deps, named: TaskInput) => `service:${(await requireTask(db, named)).id}`
const weigh = async ({ db }: Deps, named: TaskInput) => ({ userId: (await requireTask(db, named)).userId })

/** Amount at stake: a failed end refunds the charge. */
const weighEnd = async ({ db }: Deps, { id, state }: TaskInput & { readonly state: string }) => {
  const task = await requireTask(db, { id })
  const isBad = requireServiceSpec(task.service).states[state]?.phase === 'failed'
  return { userId: task.userId, amount: isBad ? subtractNano(task.charged, task.returned) : 0n }
}

async function look({ tx }: CommandExecution, named: TaskInput) {
  const task = await requireTask(tx, named)
  const evidence = (await selectTaskEvidence(tx, task.id)).length
  const by = task.takenUntil && task.takenUntil > task.now ? task.takenBy : null
  const card = (await selectTaskCards(tx, [task])).get(task.id)
  const money: Readonly<Record<string, string>> = card
    ? { onCard: `…${card.last4}`, cardTaken: formatUsd(card.taken) }
    : { money: task.money, charged: formatUsd(task.charged), returned: formatUsd(task.returned) }
  return { state: task.state, ...money, takenBy: by, evidence }
}
const common = { permission: 'services.work', subject, weigh, look } as const

/** Requires the operator's lease on a task before it is finished by hand. */
async function requireLease(by: Actor, task: Task): Promise<void> {
  if (!task.waitsForPerson) fail('SERVICE_MOVED_ON')
  if (task.takenBy !== by.id || !task.takenUntil || task.takenUntil <= task.now) fail('SERVICE_TAKEN', { until: task.takenUntil?.toISOString() ?? '' })
}

const evidenceInput = z.object({ ...one, kind: z.enum(['note', 'reference', 'picture']), body: z.string().trim().min(1).max(2000) })
const finishInput = z.object({
  ...one,
  state: z.string().max(40),
  cause: z.string().max(40).default(''),
  facts: z.record(z.string().max(40), z.string().trim().min(1).max(500)).default({}),
})

export const serviceCommands = [
  defineCommand({
    ...common,
    name: 'service.take',
    summary: 'Takes an order from the services’ queue, or keeps it longer: no other operator can end it meanwhile',
    input: z.object(one),
    loose: ['takenBy'],
    run: async ({ deps, tx, by }, { id }) => {
      const taken = await leaseTask(tx, id, { operatorId: by.id, minutes: await deps.settings.get(leaseMinutes) })
      if (!taken) fail('SERVICE_TAKEN', { until: (await requireTask(tx, { id })).takenUntil?.toISOString() ?? '' })
      await tx.audit('service.taken', `service:${id}`)
      return { takenUntil: taken.takenUntil!.toISOString() }
    },
  }),
  defineCommand({
    ...common,
    name: 'service.putBack',
    summary: 'Puts a taken order back into the queue',
    input: z.object(one),
    run: async ({ tx, by }, { id }) => {
      await requireLease(by, await requireTask(tx, { id }))
      await releaseTaskLease(tx, id)
      await tx.audit('service.put_back', `service:${id}`)
      return {}
    },
  }),
  defineCommand({
    ...common,
    name: 'service.note',
    summary: 'Adds evidence to an order: a note, a reference at the third party, where a picture is kept',
    input: evidenceInput,
    run: async ({ tx, by }, { id, kind, body }) => {
      await insertEvidence(tx, { taskId: (await requireTask(tx, { id })).id, operatorId: by.id, kind, body })
      await tx.audit('service.evidence', `service:${id}`, { kind })
      return {}
    },
  }),
  defineCommand({
    ...common,
    money: 'counted',
    weigh: weighEnd,
    name: 'service.finish',
    summary: 'Ends the work of a person on an order: in one of the states that follow, with the cause where it failed',
    input: finishInput,
    run: async ({ deps, tx, by, reason }, { id, state, cause, facts }) => {
      const task = await requireTask(tx, { id })
      await requireLease(by, task)
      const desk = requireServiceSpec(task.service).states[task.state]?.desk
      const target = requireServiceSpec(task.service).states[state]
      if (!desk?.ends.includes(state) || !target) return fail('BAD_INPUT', { fields: ['state'] })
      const isBad = target.phase === 'failed'
      if (isBad !== (cause !== '') || (isBad && !requireServiceSpec(task.service).causes[cause])) return fail('BAD_INPUT', { fields: ['cause'] })
      const wanted = isBad ? [] : (desk.facts ?? [])
      if (wanted.some((name) => !facts[name]) || Object.keys(facts).some((name) => !wanted.includes(name))) return fail('BAD_INPUT', { fields: ['facts'] })
      const moved = await moveTask(deps, tx, { id, from: [task.state], to: { to: state, facts, supplier: 'desk', note: reason, ...(isBad ? { cause } : {}) } })
      return moved ? { state: moved.state, cause: moved.cause } : fail('SERVICE_MOVED_ON')
    },
  }),
  defineCommand({
    permission: 'payments.refund',
    subject,
    look,
    money: 'counted',
    name: 'service.return',
    summary: 'Gives back what a service charged, all of it or a part: into the balance, to the credit that it came from',
    input: z.object({ ...one, amount: usdAmount.optional() }),
    weigh: async ({ db }, input) => {
      const task = await requireTask(db, input)
      const left = subtractNano(task.charged, task.returned)
      return { userId: task.userId, amount: input.amount === undefined ? left : minNano(parseUsd(input.amount), left) }
    },
    run: async ({ deps, tx, reason }, { id, amount }) => {
      const known = await requireTask(tx, { id })
      if (known.orderNo !== null) await lockOrderByNo(tx, known.orderNo)
      const task = (await lockTask(tx, id))!
      const left = subtractNano(task.charged, task.returned)
      const back = amount === undefined ? left : parseUsd(amount)
      if (back <= 0n || back > left) return fail('ORDER_REFUND_TOO_LARGE', { max: formatUsd(left) })
      await returnCharge(deps, tx, { task, amount: back, reason })
      return { returned: formatUsd(back) }
    },
  }),
  ...buildPauseCommands(),
] as const

/** Refunds a charge without changing the task's state: a delivered task stays delivered. */
async function returnCharge(
  deps: Deps,
  tx: CommandExecution['tx'],
  { task, amount, reason }: { readonly task: Task; readonly amount: bigint; readonly reason: string },
): Promise<void> {
  await applyMove(deps, tx, {
    task,
    to: {
      to: task.state,
      cause: task.cause,
      giveBack: amount,
      note: reason,
      ...(task.expiresAt ? { expiresAt: task.expiresAt } : {}),
    },
  })
}

function buildPauseCommands() {
  const input = z.object({ service: z.string().max(40) })
  const subjectOf = async (_deps: Deps, { service }: { service: string }) => `services:${requireServiceSpec(service).name}`
  const lookAt = async ({ deps }: CommandExecution, { service }: { service: string }) => ({
    paused: (await deps.settings.get(pausedServices))[service] ?? null,
  })
  const shared = { permission: 'services.pause', subject: subjectOf, look: lookAt } as const
  return [
    defineCommand({
      ...shared,
      name: 'service.pause',
      summary: 'Stops a service from beginning anything new; `why` stands on its page',
      input: input.extend({ why: z.string().trim().min(1).max(200) }),
      run: async ({ deps, tx }, { service, why }) => {
        await deps.settings.set(tx, pausedServices, { ...(await deps.settings.get(pausedServices)), [service]: why })
        return { paused: why }
      },
      undo: ({ service }, before) => (before['paused'] === null ? { name: 'service.resume', input: { service } } : undefined),
    }),
    defineCommand({
      ...shared,
      name: 'service.resume',
      summary: 'Lets a paused service begin again',
      input,
      run: async ({ deps, tx }, { service }) => {
        const { [service]: _gone, ...others } = await deps.settings.get(pausedServices)
        await deps.settings.set(tx, pausedServices, others)
        return { paused: null }
      },
    }),
  ] as const
}

/** Names of all registered services, for the desk's filter. */
export const listServiceNames = (): string[] => listServiceSpecs().map(({ name }) => name)
