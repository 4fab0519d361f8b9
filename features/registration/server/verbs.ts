import type { Ctx, SealedColumn, TxCtx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd } from '#platform/shared/money.ts'
import {
  countTasksAhead,
  beginTask,
  countTasks,
  readDeskHours,
  measureService,
  readServicePrice,
  requireServiceOpen,
  selectTask,
  selectTasks,
} from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { registrationDeskContract } from '../contract.console.ts'
import type { registrationContract, RegistrationRow } from '../contract.ts'
import { REGISTRATION_PASSWORD_PURPOSE } from './by-supplier.ts'
import { insertSecret, findRegistrationSecret, consumeRegistrationSecret } from './data.ts'
import { REGISTRATION_SERVICE, registrationSpec } from './service.ts'
import { retryHours } from './settings.ts'
import { findChosenSupplier } from './vendors/index.ts'

type C = typeof registrationContract
type Desk = typeof registrationDeskContract
const MIN_PASSWORD_LENGTH = 12
const MAX_OPEN_REGISTRATIONS = 3
const HOUR_MS = 3_600_000

export const registrationSealed: readonly SealedColumn[] = [
  { table: 'registration_secrets', column: 'sealed', id: 'task_id', owner: 'task_id', purpose: REGISTRATION_PASSWORD_PURPOSE },
]

const STATES: Readonly<Record<string, RegistrationRow['state']>> = { draft: 'draft', registering: 'registering', sent: 'registering', success: 'success' }

function buildRegistrationRow(task: Task, keptHours: number): RegistrationRow {
  const passwordUntil = task.phase === 'failed' && task.finishedAt ? new Date(task.finishedAt.getTime() + keptHours * HOUR_MS) : undefined
  return {
    id: task.id,
    account: accountOf(task),
    state: STATES[task.state] ?? 'failed',
    cause: task.phase === 'failed' ? (task.cause as RegistrationRow['cause']) : '',
    attempt: attemptOf(task),
    createdTime: task.createdAt.toISOString(),
    startedTime: task.startedAt?.toISOString() ?? null,
    finishedTime: task.finishedAt?.toISOString() ?? null,
    amount: formatUsd(task.amount),
    charged: formatUsd(task.charged),
    passwordUntil: passwordUntil && passwordUntil > task.now ? passwordUntil.toISOString() : null,
  }
}

const accountOf = ({ facts }: Task): string => String(facts['account'] ?? '')
const attemptOf = ({ facts }: Task): number => Number(facts['attempt'] ?? 1)
const viewOf = async (ctx: Ctx, task: Task): Promise<RegistrationRow> => buildRegistrationRow(task, await ctx.settings.get(retryHours))

export async function openaiCount(ctx: Ctx): Promise<ReplyOf<C['openaiCount']>> {
  const [price, hours, times] = await Promise.all([
    readServicePrice(ctx, REGISTRATION_SERVICE, 'account'),
    readDeskHours(ctx),
    measureService(ctx, REGISTRATION_SERVICE),
  ])
  const isOpen = hours.isOpen || (await findChosenSupplier(ctx)) !== undefined
  return {
    price: formatUsd(price),
    isOpen,
    opensTime: hours.opensAt.toISOString(),
    paused: await readPauseReason(ctx),
    half: times.half,
    most: times.most,
    retryHours: await ctx.settings.get(retryHours),
  }
}

async function readPauseReason(ctx: Ctx): Promise<string | null> {
  try {
    await requireServiceOpen(ctx, registrationSpec, { task: { userId: ctx.userId, product: 'account', facts: {} } })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

export async function openaiApply(ctx: Ctx, { email, password, confirm }: InputOf<C['openaiApply']>): Promise<ReplyOf<C['openaiApply']>> {
  if (password !== confirm) fail('BAD_INPUT', { fields: ['confirm', 'password'] })
  return startRegistration(ctx, { account: email.toLowerCase(), attempt: 1 }, password)
}

export async function openaiReapply(ctx: TxCtx, { id, password, confirm }: InputOf<C['openaiReapply']>): Promise<ReplyOf<C['openaiReapply']>> {
  const before = await selectTask(ctx.tx, id, ctx.userId)
  if (before?.service !== REGISTRATION_SERVICE) return fail('REGISTRATION_UNKNOWN')
  if (before.phase !== 'failed') fail('REGISTRATION_NOT_FAILED')
  if (password !== undefined && password !== confirm) fail('BAD_INPUT', { fields: ['confirm', 'password'] })
  // The secret is taken in either case: a failed attempt can be retried once with it
  const sealed = await consumeRegistrationSecret(ctx.tx, id)
  const kept = sealed && unseal(ctx.secretKeys, REGISTRATION_PASSWORD_PURPOSE, { owner: id, sealed })
  return startRegistration(ctx, { account: accountOf(before), attempt: attemptOf(before) + 1 }, password ?? kept ?? fail('REGISTRATION_PASSWORD_GONE'))
}

async function startRegistration(
  ctx: Ctx,
  facts: { readonly account: string; readonly attempt: number },
  password: string,
): Promise<ReplyOf<C['openaiApply']>> {
  const tx = ctx.tx ?? fail('INTERNAL')
  if (password.length < MIN_PASSWORD_LENGTH || /^\d+$/.test(password) || password.toLowerCase().includes(facts.account.split('@')[0]!))
    fail('REGISTRATION_PASSWORD_WEAK')
  const { isOpen, opensAt } = await readDeskHours(ctx)
  if (!isOpen && !(await findChosenSupplier(ctx))) fail('REGISTRATION_CLOSED', { opens: opensAt.toISOString() })
  const { task, pay } = await beginTask(ctx, tx, {
    service: REGISTRATION_SERVICE,
    userId: ctx.userId,
    product: 'account',
    facts,
    atOnce: MAX_OPEN_REGISTRATIONS,
  })
  await insertSecret(tx, task.id, { userId: ctx.userId, sealed: seal(ctx.secretKey, REGISTRATION_PASSWORD_PURPOSE, { owner: task.id, text: password }) })
  return { row: await viewOf(ctx, task), pay }
}

export async function openaiAvailable(ctx: Ctx): Promise<ReplyOf<C['openaiAvailable']>> {
  const all = await selectTasks(ctx.db, { userId: ctx.userId, service: REGISTRATION_SERVICE, limit: 20 })
  const current = all.find(({ phase }) => phase === 'waiting') ?? all[0]
  return {
    current: current ? await viewOf(ctx, current) : null,
    ahead:
      current?.phase === 'waiting' && current.startedAt
        ? await countTasksAhead(ctx.db, REGISTRATION_SERVICE, { states: ['registering', 'sent'], startedAt: current.startedAt, id: current.id })
        : 0,
  }
}

export async function openaiList(ctx: Ctx, { pageNum, pageSize }: InputOf<C['openaiList']>): Promise<ReplyOf<C['openaiList']>> {
  const filter = { userId: ctx.userId, service: REGISTRATION_SERVICE }
  const totalRecord = await countTasks(ctx.db, filter)
  const tasks = await selectTasks(ctx.db, { ...filter, limit: pageSize, offset: (pageNum - 1) * pageSize })
  return { rowList: await Promise.all(tasks.map((task) => viewOf(ctx, task))), pageNum, pageSize, totalPage: Math.ceil(totalRecord / pageSize), totalRecord }
}

/** Reveals the member's input only to the operator who holds the lease, and only while the order is in progress. */
export async function registrationReveal(ctx: Ctx, { id }: InputOf<Desk['registrationReveal']>): Promise<ReplyOf<Desk['registrationReveal']>> {
  const task = await selectTask(ctx.db, id)
  if (task?.service !== REGISTRATION_SERVICE) return fail('SERVICE_TASK_UNKNOWN')
  if (task.state !== 'registering') fail('SERVICE_MOVED_ON')
  if (task.takenBy !== ctx.actor.id || !task.takenUntil || task.takenUntil <= task.now) fail('SERVICE_TAKEN', { until: task.takenUntil?.toISOString() ?? '' })
  const sealed = (await findRegistrationSecret(ctx.db, id)) ?? fail('SERVICE_MOVED_ON')
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('registration.revealed', `service:${id}`))
  return { account: accountOf(task), password: unseal(ctx.secretKeys, REGISTRATION_PASSWORD_PURPOSE, { owner: id, sealed }) }
}
