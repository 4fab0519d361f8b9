import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { least, parseUsd, usd } from '#platform/shared/money.ts'
import { balanceOf } from '#features/wallet/server/door.ts'
import type { servicesContract, ServiceRow } from '../../contract.ts'
import { giveUpDraft } from '../kit/work.ts'
import { countTasks, stepsOf, taskById, tasksOf } from '../kit/data.ts'
import { measured } from '../kit/measured.ts'
import { deskHours, refuseClosed } from '../kit/open.ts'
import { priceOf } from '../kit/price.ts'
import { quotaNow } from '../kit/quota.ts'
import { allSpecs } from '../kit/registry.ts'
import type { ServiceSpec } from '../kit/spec.ts'
import { taskView, titleOf, wordOf } from './view.ts'

type C = typeof servicesContract

export const serviceHub: Handler<C['serviceHub']> = async (ctx) => ({
  rowList: await Promise.all(allSpecs().map((spec) => rowOf(ctx, spec))),
  flags: await flagsOf(ctx),
})

const MONTH_MS = 31 * 86_400_000

/** `chatgptBackup` is a ChatGPT subscription of one's own beside the shared ones: an upgrade of the last month. */
async function flagsOf({ db, userId }: Ctx) {
  const used = new Set((await tasksOf(db, { userId, phases: ['using'], limit: 200 })).map(({ service }) => service))
  const apiFlex = (await balanceOf(db, userId)).totalCredited > 0n
  const done = await tasksOf(db, { userId, phases: ['done'], limit: 200 })
  const chatgptBackup = done.some(
    ({ service, product, delivered_at: at, now }) =>
      service === 'upgrade' && product.startsWith('chatgpt-') && at !== null && now.getTime() - at.getTime() < MONTH_MS,
  )
  const [flex, browser, network] = [used.has('flex'), used.has('browser'), used.has('proxy')]
  return { hasSubscribedUser: flex || apiFlex || browser || chatgptBackup, wildcard: browser, flex, apiFlex, browser, network, chatgptBackup }
}

async function rowOf(ctx: Ctx, spec: ServiceSpec): Promise<ServiceRow> {
  const prices = await Promise.all(Object.keys(spec.prices).map((product) => priceOf(ctx, spec.name, product)))
  const paid = prices.filter((price) => price > 0n)
  const needsPerson = Object.values(spec.states).some(({ desk }) => desk)
  const hours = needsPerson ? await deskHours(ctx) : undefined
  return {
    name: spec.name,
    title: titleOf(spec.name, ctx.lang),
    path: spec.path,
    from: usd(paid.length ? least(paid[0]!, ...paid) : parseUsd('0')),
    paused: await pausedWhy(ctx, spec),
    desk: hours ? { isOpen: hours.isOpen, opensTime: hours.opensAt.toISOString() } : null,
    quota: await quotaNow(ctx, ctx.db, ctx.userId, spec.name),
    measured: await measured(ctx, spec.name),
  }
}

async function pausedWhy(ctx: Ctx, spec: ServiceSpec): Promise<string | null> {
  try {
    await refuseClosed(ctx, spec, { user_id: ctx.userId, product: '', facts: {} })
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return String(error.data?.['reason'] ?? '')
  }
}

export const serviceTasks: Handler<C['serviceTasks']> = async (ctx, { pageNum, pageSize, service, live }) => {
  const wanted = {
    userId: ctx.userId,
    ...(service === undefined ? {} : { service }),
    ...(live === 'true' ? { phases: ['waiting', 'using'] as const } : {}),
  }
  const totalRecord = await countTasks(ctx.db, wanted)
  const rows = await tasksOf(ctx.db, { ...wanted, limit: pageSize, offset: (pageNum - 1) * pageSize })
  const known = new Set(allSpecs().map(({ name }) => name))
  return {
    rowList: rows.filter((row) => known.has(row.service)).map((row) => taskView(row, ctx.lang)),
    pageNum,
    pageSize,
    totalPage: Math.ceil(totalRecord / pageSize),
    totalRecord,
  }
}

export const serviceTaskInfo: Handler<C['serviceTaskInfo']> = async (ctx, { id }) => {
  const task = (await taskById(ctx.db, id, ctx.userId)) ?? fail('SERVICE_TASK_UNKNOWN')
  const steps = await stepsOf(ctx.db, id)
  return {
    task: taskView(task, ctx.lang),
    steps: steps.map((step) => ({
      at: step.at.toISOString(),
      state: step.to_state,
      name: wordOf(task.service, 'state', step.to_state, ctx.lang),
      cause: wordOf(task.service, 'cause', step.cause, ctx.lang),
    })),
  }
}

export const serviceGiveUp: Handler<C['serviceGiveUp']> = async (ctx, { id }) => {
  await giveUpDraft(ctx, id, ctx.userId)
  return {}
}
