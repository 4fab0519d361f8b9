import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { beginTask, selectTask, selectTasks, buildTaskView } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { browserContract, OverseaAccount } from '../../contract.ts'
import { findLivePackage } from '../packages/live.ts'
import { accountsIncluded } from '../settings.ts'
import { ACCOUNT_SERVICE } from './spec.ts'

type Verb<K extends keyof typeof browserContract> = Handler<(typeof browserContract)[K]>
const MAX_ACCOUNTS = 100

function toOverseaAccount(ctx: Ctx, task: Task): OverseaAccount {
  const { id, state, stateName, causeName, createdTime, finishedTime } = buildTaskView(task, ctx.lang)
  return { id, orderNo: id, state, stateName, cause: causeName, address: String(task.facts['address'] ?? ''), createdTime, finishedTime }
}

const selectAccounts = (ctx: Ctx) => selectTasks(ctx.db, { userId: ctx.userId, service: ACCOUNT_SERVICE, limit: MAX_ACCOUNTS })

/** Remaining accounts of the current package. Failed ones do not count; an account belongs to the package in use when it was ordered. */
async function countAccountsLeft(ctx: Ctx): Promise<{ allowed: number; left: number; packageId: string | undefined }> {
  const live = await findLivePackage(ctx.db, ctx.userId)
  if (live?.product !== 'package') return { allowed: 0, left: 0, packageId: live?.id }
  const allowed = await ctx.settings.get(accountsIncluded)
  const taken = (await selectAccounts(ctx)).filter(({ phase, facts }) => phase !== 'failed' && facts['package'] === live.id).length
  return { allowed, left: Math.max(0, allowed - taken), packageId: live.id }
}

export const listOverseaAccount: Verb<'listOverseaAccount'> = async (ctx) => ({
  rowList: (await selectAccounts(ctx)).map((task) => toOverseaAccount(ctx, task)),
})

export const latestOverseaAccount: Verb<'latestOverseaAccount'> = async (ctx) => {
  const [task] = await selectAccounts(ctx)
  return { account: task ? toOverseaAccount(ctx, task) : null }
}

async function requireOwnAccount(ctx: Ctx, id: string): Promise<Task> {
  const task = await selectTask(ctx.db, id, ctx.userId)
  return task?.service === ACCOUNT_SERVICE ? task : fail('NOT_FOUND')
}

export const accountStatus: Verb<'accountStatus'> = async (ctx, { orderNo }) => toOverseaAccount(ctx, await requireOwnAccount(ctx, orderNo))

export const fastemailAvailable: Verb<'fastemailAvailable'> = async (ctx) => {
  const { allowed, left: rest, packageId } = await countAccountsLeft(ctx)
  return { allowed, left: rest, isLive: packageId !== undefined }
}

async function requestAccount(ctx: Ctx): Promise<OverseaAccount> {
  const { left: rest, packageId } = await countAccountsLeft(ctx)
  if (packageId === undefined) return fail('BROWSER_NOT_LIVE')
  if (rest === 0) return fail('BROWSER_NO_ACCOUNT_LEFT')
  const wanted = { service: ACCOUNT_SERVICE, userId: ctx.userId, product: 'fastemail', facts: { package: packageId }, price: 0n, atOnce: 1 }
  // audited by beginTask; `atOnce` is what two presses at the same moment meet
  const { task } = await transact(ctx.db, ctx.actor, (tx) => beginTask(ctx, tx, wanted))
  return toOverseaAccount(ctx, task)
}

export const fastemailApply: Verb<'fastemailApply'> = (ctx) => requestAccount(ctx)

export const reprocess: Verb<'reprocess'> = async (ctx, { id }) => {
  if ((await requireOwnAccount(ctx, id)).phase !== 'failed') fail('BROWSER_ACCOUNT_GOES_ON')
  return requestAccount(ctx)
}
