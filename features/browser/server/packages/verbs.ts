import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { computePersonDigests } from '#features/account/server/door.ts'
import { admitTrial, beginTask, isOfferedNow, readServicePrice, buildTaskView, workTask } from '#features/services/server/door.ts'
import type { browserContract } from '../../contract.ts'
import { hadTrial, selectBrowserToken, countBrowserTrialsSince } from '../data.ts'
import { browserFiles, packageDays, singleHours, trialDays, trialsPerDay } from '../settings.ts'
import { findLivePackage, PACKAGE_SERVICE, readPackageState } from './live.ts'
import { packageService } from './spec.ts'

type Verb<K extends keyof typeof browserContract> = Handler<(typeof browserContract)[K]>

const isOffered = (ctx: Ctx): Promise<boolean> => isOfferedNow(ctx, packageService)

const hasTried = async (ctx: Ctx): Promise<boolean> => hadTrial(ctx.db, ctx.userId, await computePersonDigests(ctx, ctx.db, ctx.userId))

export const packageUseInfo: Verb<'packageUseInfo'> = async (ctx) => {
  const { settings } = ctx
  const [{ live, last }, had, token] = await Promise.all([readPackageState(ctx.db, ctx.userId), hasTried(ctx), selectBrowserToken(ctx.db, ctx.userId)])
  return {
    isOffered: await isOffered(ctx),
    files: await settings.get(browserFiles),
    kind: (live?.product as 'trial' | 'package' | 'single' | undefined) ?? 'none',
    startedTime: live?.deliveredAt?.toISOString() ?? null,
    expiryDate: live?.expiresAt?.toISOString() ?? null,
    remainingTime: live ? Math.ceil((live.expiresAt!.getTime() - live.now.getTime()) / 1000) : 0,
    last,
    trial: { days: await settings.get(trialDays), isLeft: !had && live === undefined },
    package: { days: await settings.get(packageDays), price: formatUsd(await readServicePrice(ctx, PACKAGE_SERVICE, 'package')) },
    tokenTime: token?.createdAt.toISOString() ?? null,
    usedTime: token?.usedAt?.toISOString() ?? null,
  }
}

/** Maximum of waiting or live packages, so that repeated clicks place no third order. */
const AT_ONCE = 3

async function beginPackage(ctx: Ctx, tx: Tx, { product, seen }: { readonly product: 'trial' | 'package' | 'single'; readonly seen?: string }) {
  if (!(await isOffered(ctx))) fail('BROWSER_NOT_OFFERED')
  if (seen !== undefined && parseUsd(seen) !== (await readServicePrice(ctx, PACKAGE_SERVICE, product))) fail('BROWSER_PRICE_CHANGED')
  const { task, pay } = await beginTask(ctx, tx, { service: PACKAGE_SERVICE, userId: ctx.userId, product, ...(product === 'trial' ? {} : { atOnce: AT_ONCE }) })
  if (pay === null) tx.afterCommit(() => void workTask(ctx, task.id).catch((error: unknown) => ctx.log.warn({ err: error }, 'a package is delayed')))
  return { task: buildTaskView(task, ctx.lang), pay }
}

/** Starts a trial: once per person, enforced by the database, and with a daily limit for all. */
export const activateTrial: Verb<'activateTrial'> = async (ctx) => {
  if ((await findLivePackage(ctx.db, ctx.userId)) || (await hasTried(ctx))) fail('BROWSER_TRIAL_USED')
  const most = await ctx.settings.get(trialsPerDay)
  const today = new Date(`${toShanghaiDay(ctx.clock.now())}T00:00:00+08:00`)
  return transact(ctx.db, ctx.actor, async (tx) => {
    if ((await countBrowserTrialsSince(tx, today)) >= most) fail('BROWSER_TRIALS_OVER')
    await admitTrial(ctx, tx, { service: PACKAGE_SERVICE, product: 'trial' })
    return beginPackage(ctx, tx, { product: 'trial' }) // audited by beginTask
  })
}
export const packageApply: Verb<'packageApply'> = (ctx, { amount }) => beginPackage(ctx, ctx.tx, { product: 'package', seen: amount }) // audited by beginTask
export const singleUseApply: Verb<'singleUseApply'> = (ctx, { amount }) => beginPackage(ctx, ctx.tx, { product: 'single', seen: amount }) // audited by beginTask

export const singleUseInfo: Verb<'singleUseInfo'> = async (ctx) => ({
  isOffered: await isOffered(ctx),
  price: formatUsd(await readServicePrice(ctx, PACKAGE_SERVICE, 'single')),
  hours: await ctx.settings.get(singleHours),
})
