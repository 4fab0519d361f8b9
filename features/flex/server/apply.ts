import type { Ctx, Handler } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { minus, parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Deps } from '#platform/server/feature.ts'
import { personDigests } from '#features/account/server/door.ts'
import { ownerOfCode } from '#features/invitations/server/door.ts'
import { admitTrial, beginTask, countTasks, priceOf, tasksOf } from '#features/services/server/door.ts'
import type { Begun, Task } from '#features/services/server/door.ts'
import type { flexContract } from '../contract.ts'
import { extensionOf, packageOf, platformsOf } from '../packages.ts'
import type { Package } from '../packages.ts'
import { hasBought, inTheWay, onPlatforms } from './alone.ts'
import { takeTrial, trialsSince } from './data.ts'
import { roomNow } from './seats/data.ts'
import { FLEX, packageIn } from './service.ts'
import { codeDiscount, trialsPerDay } from './settings.ts'
import { packageWords } from './texts.ts'

type C = typeof flexContract

/** Maximum number of open orders of a user; more would be abuse. */
const AT_ONCE = 8
const DAY_MS = 86_400_000
const SHANGHAI_MS = 8 * 3_600_000

export const applySharePlus: Handler<C['applySharePlus']> = async (ctx, { packageId, inviteCode }) => {
  const wanted = packageOf(packageId) ?? fail('SERVICE_UNKNOWN')
  return shown(await order(ctx, ctx.tx, wanted, inviteCode)) // audited by beginTask
}

export const applyExtension: Handler<C['applyExtension']> = async (ctx, { platform }) => {
  const tx = ctx.tx // audited by beginTask
  const used = (await inUse(tx, ctx.userId)).find((task) => platformsOf(packageIn(task)).includes(platform)) ?? fail('FLEX_NOT_IN_USE')
  return shown(await order(ctx, tx, extensionOf(packageIn(used).id) ?? fail('FLEX_NO_EXTENSION'), ''))
}

const shown = ({ task, pay }: Begun) => ({ taskId: task.id, pay })

async function order(ctx: Ctx, tx: Tx, wanted: Package, code: string): Promise<Begun> {
  const main = await refuseOther(ctx, tx, wanted)
  if (!main) await refuseFull(tx, wanted)
  if (wanted.trial && main) fail('FLEX_TRIAL_USED')
  const base = await priceOf(ctx, FLEX, String(wanted.id))
  const off = code === '' ? 0n : await discountOf(ctx, tx, { userId: ctx.userId, code, wanted, price: base })
  const facts = { packageId: wanted.id, ...(main ? { extends: main.id } : {}), ...(off > 0n ? { inviteCode: code } : {}) }
  const begun = await beginTask(ctx, tx, { service: FLEX, userId: ctx.userId, product: String(wanted.id), facts, price: minus(base, off), atOnce: AT_ONCE })
  if (wanted.trial) await claimTrial(ctx, tx, wanted, begun.task.id)
  return begun
}

/** Subscriptions of the user that are in use. */
export const inUse = (sql: Sql, userId: string): Promise<Task[]> => tasksOf(sql, { userId, service: FLEX, phases: ['using'], limit: 100 })

/** Allows one package per platform: the one in use can be renewed or extended, any other is refused. Returns the one in use. */
async function refuseOther(ctx: Ctx, tx: Tx, wanted: Package): Promise<Task | undefined> {
  const there = await onPlatforms(tx, { userId: ctx.userId }, wanted)
  const other = inTheWay(there, wanted)
  if (other) {
    fail('FLEX_OTHER_PACKAGE', { product: packageWords(ctx.lang, other.product) ?? other.product })
  }
  if (wanted.extends && !there[0]) fail('FLEX_NOT_IN_USE')
  return there[0]
}

/** Refuses an order without a free seat before its payment; the seat itself is taken in the transaction that begins the order. */
async function refuseFull(sql: Sql, wanted: Package): Promise<void> {
  const room = await roomNow(sql)
  for (const { platform, tier } of wanted.seats)
    if (!room.some((each) => each.platform === platform && each.tier === tier && each.free > 0)) fail('FLEX_SOLD_OUT', { platform })
}

async function claimTrial(ctx: Ctx, tx: Tx, wanted: Package, taskId: string): Promise<void> {
  const now = ctx.clock.now().getTime() + SHANGHAI_MS
  const today = new Date(now - (now % DAY_MS) - SHANGHAI_MS)
  if ((await trialsSince(tx, today)) >= (await ctx.settings.get(trialsPerDay))) fail('FLEX_TRIALS_OVER')
  const person = await personDigests(ctx, tx, ctx.userId)
  for (const { platform } of wanted.seats) if (!(await takeTrial(tx, { userId: ctx.userId, platform, taskId, person }))) fail('FLEX_TRIAL_USED')
  await admitTrial(ctx, tx, { service: FLEX, product: String(wanted.id) })
}

export interface CodeAsk {
  readonly userId: string
  readonly code: string
  readonly wanted: Package
  readonly price: Nano
}

/** Discount of another user's code on a first subscription of a month or more. Errors: FLEX_CODE_UNKNOWN, FLEX_CODE_USED. */
export async function discountOf(deps: Pick<Deps, 'settings'>, sql: Sql, { userId, code, wanted, price }: CodeAsk): Promise<Nano> {
  const owner = await ownerOfCode(sql, code)
  if (owner === undefined || owner === userId) fail('FLEX_CODE_UNKNOWN')
  if (userId !== '' && (await hasBought(sql, { userId }))) fail('FLEX_CODE_USED')
  const off = parseUsd(await deps.settings.get(codeDiscount))
  return wanted.period === 0 || off >= price ? 0n : off
}

export const flexCount = (sql: Sql, userId: string): Promise<number> => countTasks(sql, { userId, service: FLEX })
