import type { Ctx, Handler } from '#platform/server/feature.ts'
import { Failure, fail } from '#platform/shared/errors.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { computePersonDigests } from '#features/account/server/door.ts'
import { actionIsOn, readServicePrice, buildTaskView, selectTasks } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import type { flexContract, FlexPrice, FlexUse } from '../contract.ts'
import { flexPackages, PLATFORM, PLATFORMS, listPackagePlatforms, USE_STATUS } from '../packages.ts'
import type { FlexPackage, PlatformId } from '../packages.ts'
import { computeCodeDiscount, countFlexTasks, listActiveFlexTasks } from './apply.ts'
import { hasVoiceRooms } from './config.ts'
import { listFlexTrials } from './data.ts'
import { listSeatAvailability } from './seats/data.ts'
import type { SeatAvailability } from './seats/data.ts'
import { hasFreePaidSeat, countFreeSeats } from './seats/seats-left.ts'
import { FLEX_SERVICE, requireFlexPackage } from './service.ts'
import { comparedPrice } from './settings.ts'
import { flexPackageWords } from './texts.ts'
import { findSeatSupplier } from './vendors/index.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

type C = typeof flexContract

const DAY_MS = 86_400_000
const LOW_SEAT_COUNT = 10
const LABELS = { 1: 'ChatGPT', 2: 'Claude', 3: 'Claude + ChatGPT', 6: 'Sora' } as const
const TABS = { 1: 'chatgpt', 2: 'claude', 3: 'combined', 6: 'sora' } as const
const PATHS = { 1: '/chatgpt', 2: '/claude', 3: '/chatgpt', 6: '/sora' } as const
const ACTIONS = { 1: 'enableChatGPT', 2: 'enableClaude', 3: 'enableClaude', 6: 'enableChatGPT' } as const

export const shareUseInfo: Handler<C['shareUseInfo']> = async (ctx) => {
  const all = await selectTasks(ctx.db, { userId: ctx.userId, service: FLEX_SERVICE, phases: ['waiting', 'using', 'done', 'failed'], limit: 500 })
  const trials = await listFlexTrials(ctx.db, ctx.userId, await computePersonDigests(ctx, ctx.db, ctx.userId))
  const rowList = await Promise.all(PLATFORMS.map((platform) => buildUse(ctx, platform, { all, trials })))
  const flex = rowList.some(({ useStatus }) => useStatus === USE_STATUS.IN_USE)
  const apiFlex = (await readBalance(ctx.db, ctx.userId)).totalCredited > 0n
  const hasApplied = flex || apiFlex || rowList.some(({ useStatus }) => useStatus !== USE_STATUS.NOT_APPLIED)
  return { rowList, flags: { hasSubscribedUser: hasApplied && hasFreePaidSeat(await listSeatAvailability(ctx.db)), flex, apiFlex } }
}

async function buildUse(
  ctx: Ctx,
  platform: PlatformId,
  { all, trials }: { readonly all: readonly Task[]; readonly trials: readonly number[] },
): Promise<FlexUse> {
  const here = all.filter((task) => !task.facts['extends'] && listPackagePlatforms(requireFlexPackage(task)).includes(platform))
  const task = here.find(({ phase }) => phase === 'using') ?? here.find(({ phase }) => phase === 'waiting') ?? here.find(({ deliveredAt: at }) => at !== null)
  const isUsed = task?.phase === 'using'
  const wasUsed = task !== undefined && task.deliveredAt !== null
  const used = task && requireFlexPackage(task)
  const isOn = await actionIsOn(ctx, ACTIONS[platform], ctx.userId)
  return {
    platformId: platform,
    useStatus: isUsed ? USE_STATUS.IN_USE : wasUsed ? USE_STATUS.EXPIRED : USE_STATUS.NOT_APPLIED,
    isExpired: wasUsed && !isUsed,
    isPending: task?.phase === 'waiting' || all.some(({ phase, facts }) => phase === 'waiting' && task !== undefined && facts['extends'] === task.id),
    expirationTime: task?.expiresAt?.toISOString() ?? null,
    expireDate: task?.expiresAt ? toShanghaiDay(task.expiresAt).replaceAll('-', '.') : '-',
    remainDay: isUsed && task.expiresAt ? Math.max(0, Math.ceil((task.expiresAt.getTime() - task.now.getTime()) / DAY_MS)) : 0,
    shareType: used?.id ?? null,
    taskId: task?.id ?? null,
    name: used ? flexPackageWords(ctx.lang, used.id)! : LABELS[platform],
    cnName: used ? flexPackageWords(DEFAULT_LANG, used.id)! : LABELS[platform],
    label: LABELS[platform],
    services: [...(used?.services ?? [])],
    path: PATHS[platform],
    tabKey: TABS[platform],
    isPlatformNewUser: !here.some(({ phase, deliveredAt: at }) => phase === 'waiting' || at !== null) && !trials.includes(platform),
    isOn,
    // The conditions under which livekitToken issues a token, from the same reading of the task and the flag
    hasVoiceRoom: isUsed && isOn && used!.services.includes('chatgptVoice') && platform !== PLATFORM.CLAUDE && hasVoiceRooms(ctx.config),
  }
}

export const getPrice: Handler<C['getPrice']> = async (ctx, { inviteCode }) => {
  const room = await listSeatAvailability(ctx.db)
  const code = await readCodeState(ctx, inviteCode)
  const rowList = await Promise.all(flexPackages.map((one) => buildPriceRow(ctx, one, { room, code: code === 'taken' ? inviteCode : '' })))
  return { rowList, isFullBuying: hasFreePaidSeat(room), code, compared: await ctx.settings.get(comparedPrice) }
}

const MONTH = flexPackages.find(({ period, trial }) => period === 1 && !trial)!

async function readCodeState(ctx: Ctx, code: string): Promise<'' | 'taken' | 'unknown' | 'used'> {
  if (code === '') return ''
  try {
    await computeCodeDiscount(ctx, ctx.db, { userId: ctx.userId, code, wanted: MONTH, price: await readServicePrice(ctx, FLEX_SERVICE, String(MONTH.id)) })
    return 'taken'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.errorName === 'FLEX_CODE_USED' ? 'used' : 'unknown'
  }
}

async function buildPriceRow(
  ctx: Ctx,
  one: FlexPackage,
  { room, code }: { readonly room: readonly SeatAvailability[]; readonly code: string },
): Promise<FlexPrice> {
  const price = await readServicePrice(ctx, FLEX_SERVICE, String(one.id))
  const off = code === '' ? 0n : await computeCodeDiscount(ctx, ctx.db, { userId: ctx.userId, code, wanted: one, price })
  const free = countFreeSeats(one, room)
  return {
    id: one.id,
    name: flexPackageWords(ctx.lang, one.id)!,
    tabKey: one.tabKey,
    trial: one.trial,
    period: one.period,
    days: one.days,
    services: [...one.services],
    platformIds: [...listPackagePlatforms(one)],
    messages: one.seats.map(({ platform, messages: [least, most] }) => ({ platformId: platform, least, most })),
    price: formatUsd(price),
    discount: formatUsd(off),
    total: formatUsd(subtractNano(price, off)),
    extends: [...(one.extends ?? [])],
    seats: free <= 0 ? 'none' : free < LOW_SEAT_COUNT ? 'few' : 'enough',
  }
}

export const flexRecords: Handler<C['flexRecords']> = async (ctx, { pageNum, pageSize }) => {
  const totalRecord = await countFlexTasks(ctx.db, ctx.userId)
  const rows = await selectTasks(ctx.db, { userId: ctx.userId, service: FLEX_SERVICE, limit: pageSize, offset: (pageNum - 1) * pageSize })
  const rowList = rows.map((task) => ({ ...buildTaskView(task, ctx.lang), packageId: requireFlexPackage(task).id }))
  return { rowList, pageNum, pageSize, totalPage: Math.ceil(totalRecord / pageSize), totalRecord }
}

/** The user's subscription on a platform, newest first. Error: FLEX_NOT_IN_USE. */
export async function requireTaskOnPlatform(ctx: Ctx, platform: PlatformId): Promise<Task> {
  return (
    (await listActiveFlexTasks(ctx.db, ctx.userId)).find((task) => listPackagePlatforms(requireFlexPackage(task)).includes(platform)) ?? fail('FLEX_NOT_IN_USE')
  )
}

export const shareWindows: Handler<C['shareWindows']> = async (ctx, { platform }) => {
  const task = await requireTaskOnPlatform(ctx, platform)
  const used = requireFlexPackage(task)
  const seats = used.seats.filter((seat) => platform === 3 || seat.platform === platform)
  const rows = await Promise.all(seats.map((seat) => readUsageWindows(ctx, task, seat.platform)))
  return { rowList: rows.every((row) => row === undefined) ? null : rows.flatMap((row) => row ?? []) }
}

async function readUsageWindows(ctx: Ctx, task: Task, platform: 1 | 2 | 6) {
  const ref = (task.facts['members'] as Record<string, string> | undefined)?.[platform]
  const supplier = ref === undefined ? undefined : findSeatSupplier(ctx, task.supplier)
  const service = platform === 1 ? ('chatgpt' as const) : platform === 2 ? ('claude' as const) : ('sora' as const)
  try {
    const windows = await supplier?.windows(ref!)
    return windows?.map(({ used, allowed, resetsAt }) => ({ service, used, allowed, resetTime: resetsAt?.toISOString() ?? null }))
  } catch (error) {
    ctx.log.warn({ taskId: task.id, why: (error as Error).message }, "a supplier's usage windows could not be read")
    return undefined
  }
}
