import type { Ctx, SealedColumn, TxCtx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { usd } from '#platform/shared/money.ts'
import { aheadOf, beginTask, countTasks, deskHours, measured, priceOf, refuseClosed, taskById, tasksOf } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { registrationDeskContract } from '../contract.console.ts'
import type { registrationContract, RegistrationRow } from '../contract.ts'
import { PURPOSE } from './by-supplier.ts'
import { insertSecret, secretOf, takeSecret } from './data.ts'
import { REGISTRATION, registrationSpec } from './service.ts'
import { retryHours } from './settings.ts'
import { supplierNow } from './vendors/index.ts'

type C = typeof registrationContract
type Desk = typeof registrationDeskContract
const LEAST = 12
const AT_ONCE = 3
const HOUR_MS = 3_600_000

export const registrationSealed: readonly SealedColumn[] = [
  { table: 'registration_secrets', column: 'sealed', id: 'task_id', owner: 'task_id', purpose: PURPOSE },
]

const STATES: Readonly<Record<string, RegistrationRow['state']>> = { draft: 'draft', registering: 'registering', sent: 'registering', success: 'success' }

function view(task: Task, keptHours: number): RegistrationRow {
  const passwordUntil = task.phase === 'failed' && task.finished_at ? new Date(task.finished_at.getTime() + keptHours * HOUR_MS) : undefined
  return {
    id: task.id,
    account: accountOf(task),
    state: STATES[task.state] ?? 'failed',
    cause: task.phase === 'failed' ? (task.cause as RegistrationRow['cause']) : '',
    attempt: attemptOf(task),
    createdTime: task.created_at.toISOString(),
    startedTime: task.started_at?.toISOString() ?? null,
    finishedTime: task.finished_at?.toISOString() ?? null,
    amount: usd(task.amount),
    charged: usd(task.charged),
    passwordUntil: passwordUntil && passwordUntil > task.now ? passwordUntil.toISOString() : null,
  }
}

const accountOf = ({ facts }: Task): string => String(facts['account'] ?? '')
const attemptOf = ({ facts }: Task): number => Number(facts['attempt'] ?? 1)
const viewOf = async (ctx: Ctx, task: Task): Promise<RegistrationRow> => view(task, await ctx.settings.get(retryHours))

export async function openaiCount(ctx: Ctx): Promise<ReplyOf<C['openaiCount']>> {
  const [price, hours, times] = await Promise.all([priceOf(ctx, REGISTRATION, 'account'), deskHours(ctx), measured(ctx, REGISTRATION)])
  const isOpen = hours.isOpen || (await supplierNow(ctx)) !== undefined
  return {
    price: usd(price),
    isOpen,
    opensTime: hours.opensAt.toISOString(),
    paused: await pausedWhy(ctx),
    half: times.half,
    most: times.most,
    retryHours: await ctx.settings.get(retryHours),
  }
}

async function pausedWhy(ctx: Ctx): Promise<string | null> {
  try {
    await refuseClosed(ctx, registrationSpec, { user_id: ctx.userId, product: 'account', facts: {} })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

export async function openaiApply(ctx: Ctx, { email, password, confirm }: InputOf<C['openaiApply']>): Promise<ReplyOf<C['openaiApply']>> {
  if (password !== confirm) fail('BAD_INPUT', { fields: ['confirm', 'password'] })
  return begin(ctx, { account: email.toLowerCase(), attempt: 1 }, password)
}

export async function openaiReapply(ctx: TxCtx, { id, password, confirm }: InputOf<C['openaiReapply']>): Promise<ReplyOf<C['openaiReapply']>> {
  const before = await taskById(ctx.tx, id, ctx.userId)
  if (before?.service !== REGISTRATION) return fail('REGISTRATION_UNKNOWN')
  if (before.phase !== 'failed') fail('REGISTRATION_NOT_FAILED')
  if (password !== undefined && password !== confirm) fail('BAD_INPUT', { fields: ['confirm', 'password'] })
  // taken in either case: one failed try is tried again once with what was kept of it
  const sealed = await takeSecret(ctx.tx, id)
  const kept = sealed && unseal(ctx.secretKeys, PURPOSE, id, sealed)
  return begin(ctx, { account: accountOf(before), attempt: attemptOf(before) + 1 }, password ?? kept ?? fail('REGISTRATION_PASSWORD_GONE'))
}

async function begin(ctx: Ctx, facts: { readonly account: string; readonly attempt: number }, password: string): Promise<ReplyOf<C['openaiApply']>> {
  const tx = ctx.tx ?? fail('INTERNAL')
  if (password.length < LEAST || /^\d+$/.test(password) || password.toLowerCase().includes(facts.account.split('@')[0]!)) fail('REGISTRATION_PASSWORD_WEAK')
  const { isOpen, opensAt } = await deskHours(ctx)
  if (!isOpen && !(await supplierNow(ctx))) fail('REGISTRATION_CLOSED', { opens: opensAt.toISOString() })
  const { task, pay } = await beginTask(ctx, tx, { service: REGISTRATION, userId: ctx.userId, product: 'account', facts, atOnce: AT_ONCE })
  await insertSecret(tx, task.id, ctx.userId, seal(ctx.secretKey, PURPOSE, task.id, password))
  return { row: await viewOf(ctx, task), pay }
}

export async function openaiAvailable(ctx: Ctx): Promise<ReplyOf<C['openaiAvailable']>> {
  const all = await tasksOf(ctx.db, { userId: ctx.userId, service: REGISTRATION, limit: 20 })
  const current = all.find(({ phase }) => phase === 'waiting') ?? all[0]
  return {
    current: current ? await viewOf(ctx, current) : null,
    ahead:
      current?.phase === 'waiting' && current.started_at ? await aheadOf(ctx.db, REGISTRATION, ['registering', 'sent'], current.started_at, current.id) : 0,
  }
}

export async function openaiList(ctx: Ctx, { pageNum, pageSize }: InputOf<C['openaiList']>): Promise<ReplyOf<C['openaiList']>> {
  const filter = { userId: ctx.userId, service: REGISTRATION }
  const totalRecord = await countTasks(ctx.db, filter)
  const tasks = await tasksOf(ctx.db, { ...filter, limit: pageSize, offset: (pageNum - 1) * pageSize })
  return { rowList: await Promise.all(tasks.map((task) => viewOf(ctx, task))), pageNum, pageSize, totalPage: Math.ceil(totalRecord / pageSize), totalRecord }
}

/** Reveals the member's input only to the operator who holds the lease, and only while the order is in progress. */
export async function registrationReveal(ctx: Ctx, { id }: InputOf<Desk['registrationReveal']>): Promise<ReplyOf<Desk['registrationReveal']>> {
  const task = await taskById(ctx.db, id)
  if (task?.service !== REGISTRATION) return fail('SERVICE_TASK_UNKNOWN')
  if (task.state !== 'registering') fail('SERVICE_MOVED_ON')
  if (task.taken_by !== ctx.actor.id || !task.taken_until || task.taken_until <= task.now)
    fail('SERVICE_TAKEN', { until: task.taken_until?.toISOString() ?? '' })
  const sealed = (await secretOf(ctx.db, id)) ?? fail('SERVICE_MOVED_ON')
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('registration.revealed', `service:${id}`))
  return { account: accountOf(task), password: unseal(ctx.secretKeys, PURPOSE, id, sealed) }
}
