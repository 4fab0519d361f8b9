import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { beginTask, taskById, tasksOf, taskView } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { browserContract, OverseaAccount } from '../../contract.ts'
import { livePackage } from '../packages/live.ts'
import { accountsIncluded } from '../settings.ts'
import { ACCOUNTS } from './spec.ts'

type Verb<K extends keyof typeof browserContract> = Handler<(typeof browserContract)[K]>
const MOST = 100

function view(ctx: Ctx, task: Task): OverseaAccount {
  const { id, state, stateName, causeName, createdTime, finishedTime } = taskView(task, ctx.lang)
  return { id, orderNo: id, state, stateName, cause: causeName, address: String(task.facts['address'] ?? ''), createdTime, finishedTime }
}

const all = (ctx: Ctx) => tasksOf(ctx.db, { userId: ctx.userId, service: ACCOUNTS, limit: MOST })

/** Remaining accounts of the current package. Failed ones do not count; an account belongs to the package in use when it was ordered. */
async function left(ctx: Ctx): Promise<{ allowed: number; left: number; packageId: string | undefined }> {
  const live = await livePackage(ctx.db, ctx.userId)
  if (live?.product !== 'package') return { allowed: 0, left: 0, packageId: live?.id }
  const allowed = await ctx.settings.get(accountsIncluded)
  const taken = (await all(ctx)).filter(({ phase, facts }) => phase !== 'failed' && facts['package'] === live.id).length
  return { allowed, left: Math.max(0, allowed - taken), packageId: live.id }
}

export const listOverseaAccount: Verb<'listOverseaAccount'> = async (ctx) => ({ rowList: (await all(ctx)).map((task) => view(ctx, task)) })

export const latestOverseaAccount: Verb<'latestOverseaAccount'> = async (ctx) => {
  const [task] = await all(ctx)
  return { account: task ? view(ctx, task) : null }
}

async function own(ctx: Ctx, id: string): Promise<Task> {
  const task = await taskById(ctx.db, id, ctx.userId)
  return task?.service === ACCOUNTS ? task : fail('NOT_FOUND')
}

export const accountStatus: Verb<'accountStatus'> = async (ctx, { orderNo }) => view(ctx, await own(ctx, orderNo))

export const fastemailAvailable: Verb<'fastemailAvailable'> = async (ctx) => {
  const { allowed, left: rest, packageId } = await left(ctx)
  return { allowed, left: rest, isLive: packageId !== undefined }
}

async function ask(ctx: Ctx): Promise<OverseaAccount> {
  const { left: rest, packageId } = await left(ctx)
  if (packageId === undefined) return fail('BROWSER_NOT_LIVE')
  if (rest === 0) return fail('BROWSER_NO_ACCOUNT_LEFT')
  const wanted = { service: ACCOUNTS, userId: ctx.userId, product: 'fastemail', facts: { package: packageId }, price: 0n, atOnce: 1 }
  // audited by beginTask; `atOnce` is what two presses at the same moment meet
  const { task } = await transact(ctx.db, ctx.actor, (tx) => beginTask(ctx, tx, wanted))
  return view(ctx, task)
}

export const fastemailApply: Verb<'fastemailApply'> = (ctx) => ask(ctx)

export const reprocess: Verb<'reprocess'> = async (ctx, { id }) => {
  if ((await own(ctx, id)).phase !== 'failed') fail('BROWSER_ACCOUNT_GOES_ON')
  return ask(ctx)
}
