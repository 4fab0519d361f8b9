import type { Ctx, Handler, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { subtractNano, parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { computePersonDigests } from '#features/account/server/door.ts'
import { findCodeOwner } from '#features/invitations/server/door.ts'
import { admitTrial, beginTask, countTasks, readServicePrice, selectTasks } from '#features/services/server/door.ts'
import type { BegunTask, Task } from '#features/services/server/door.ts'
import type { flexContract } from '../contract.ts'
import { findPackageExtension, findFlexPackage, listPackagePlatforms } from '../packages.ts'
import type { FlexPackage } from '../packages.ts'
import { hasBought, findBlockingTask, listPlatformTasks } from './platform-conflicts.ts'
import { insertFlexTrial, countFlexTrialsSince } from './data.ts'
import { listSeatAvailability } from './seats/data.ts'
import { FLEX_SERVICE, requireFlexPackage } from './service.ts'
import { codeDiscount, trialsPerDay } from './settings.ts'
import { flexPackageWords } from './texts.ts'

type C = typeof flexContract

/** Maximum number of open orders of a user; more would be abuse. */
const MAX_OPEN_ORDERS = 8
const DAY_MS = 86_400_000
const SHANGHAI_MS = 8 * 3_600_000

export const applySharePlus: Handler<C['applySharePlus']> = async (ctx, { packageId, inviteCode }) => {
  const wanted = findFlexPackage(packageId) ?? fail('SERVICE_UNKNOWN')
  return toReply(await orderPackage(ctx, ctx.tx, { wanted, code: inviteCode })) // audited by beginTask
}

export const applyExtension: Handler<C['applyExtension']> = async (ctx, { platform }) => {
  const tx = ctx.tx // audited by beginTask
  const used =
    (await listActiveFlexTasks(tx, ctx.userId)).find((task) => listPackagePlatforms(requireFlexPackage(task)).includes(platform)) ?? fail('FLEX_NOT_IN_USE')
  return toReply(await orderPackage(ctx, tx, { wanted: findPackageExtension(requireFlexPackage(used).id) ?? fail('FLEX_NO_EXTENSION'), code: '' }))
}

const toReply = ({ task, pay }: BegunTask) => ({ taskId: task.id, pay })

async function orderPackage(ctx: Ctx, tx: Tx, { wanted, code }: { readonly wanted: FlexPackage; readonly code: string }): Promise<BegunTask> {
  const main = await requirePlatformFree(ctx, tx, wanted)
  if (!main) await requireFreeSeats(tx, wanted)
  if (wanted.trial && main) fail('FLEX_TRIAL_USED')
  const base = await readServicePrice(ctx, FLEX_SERVICE, String(wanted.id))
  const off = code === '' ? 0n : await computeCodeDiscount(ctx, tx, { userId: ctx.userId, code, wanted, price: base })
  const facts = { packageId: wanted.id, ...(main ? { extends: main.id } : {}), ...(off > 0n ? { inviteCode: code } : {}) }
  const begun = await beginTask(ctx, tx, {
    service: FLEX_SERVICE,
    userId: ctx.userId,
    product: String(wanted.id),
    facts,
    price: subtractNano(base, off),
    atOnce: MAX_OPEN_ORDERS,
  })
  if (wanted.trial) await claimTrial(ctx, tx, { wanted, taskId: begun.task.id })
  return begun
}

/** Subscriptions of the user that are in use. */
export const listActiveFlexTasks = (sql: Sql, userId: string): Promise<Task[]> =>
  selectTasks(sql, { userId, service: FLEX_SERVICE, phases: ['using'], limit: 100 })

/** Allows one package per platform: the one in use can be renewed or extended, any other is refused. Returns the one in use. */
async function requirePlatformFree(ctx: Ctx, tx: Tx, wanted: FlexPackage): Promise<Task | undefined> {
  const there = await listPlatformTasks(tx, { userId: ctx.userId }, wanted)
  const other = findBlockingTask(there, wanted)
  if (other) {
    fail('FLEX_OTHER_PACKAGE', { product: flexPackageWords(ctx.lang, other.product) ?? other.product })
  }
  if (wanted.extends && !there[0]) fail('FLEX_NOT_IN_USE')
  return there[0]
}

/** Refuses an order without a free seat before its payment; the seat itself is taken in the transaction that begins the order. */
async function requireFreeSeats(sql: Sql, wanted: FlexPackage): Promise<void> {
  const room = await listSeatAvailability(sql)
  for (const { platform, tier } of wanted.seats)
    if (!room.some((each) => each.platform === platform && each.tier === tier && each.free > 0)) fail('FLEX_SOLD_OUT', { platform })
}

async function claimTrial(ctx: Ctx, tx: Tx, { wanted, taskId }: { readonly wanted: FlexPackage; readonly taskId: string }): Promise<void> {
  const now = ctx.clock.now().getTime() + SHANGHAI_MS
  const today = new Date(now - (now % DAY_MS) - SHANGHAI_MS)
  if ((await countFlexTrialsSince(tx, today)) >= (await ctx.settings.get(trialsPerDay))) fail('FLEX_TRIALS_OVER')
  const person = await computePersonDigests(ctx, tx, ctx.userId)
  for (const { platform } of wanted.seats) if (!(await insertFlexTrial(tx, { userId: ctx.userId, platform, taskId, person }))) fail('FLEX_TRIAL_USED')
  await admitTrial(ctx, tx, { service: FLEX_SERVICE, product: String(wanted.id) })
}

export interface FlexDiscountRequest {
  readonly userId: string
  readonly code: string
  readonly wanted: FlexPackage
  readonly price: Nano
}

/** Discount of another user's code on a first subscription of a month or more. Errors: FLEX_CODE_UNKNOWN, FLEX_CODE_USED. */
export async function computeCodeDiscount(deps: Pick<Deps, 'settings'>, sql: Sql, { userId, code, wanted, price }: FlexDiscountRequest): Promise<Nano> {
  const owner = await findCodeOwner(sql, code)
  if (owner === undefined || owner === userId) fail('FLEX_CODE_UNKNOWN')
  if (userId !== '' && (await hasBought(sql, { userId }))) fail('FLEX_CODE_USED')
  const off = parseUsd(await deps.settings.get(codeDiscount))
  return wanted.period === 0 || off >= price ? 0n : off
}

export const countFlexTasks = (sql: Sql, userId: string): Promise<number> => countTasks(sql, { userId, service: FLEX_SERVICE })
