import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { minNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import type { CatalogueRow, servicesContract } from '../../contract.ts'
import { giveUpDraft } from '../kit/work.ts'
import { selectSteps } from '../kit/data-steps.ts'
import { countTasks, selectTask, selectTasks } from '../kit/data.ts'
import type { Task } from '../kit/data.ts'
import { selectDeliveredServices } from '../kit/data-measured.ts'
import { measureServiceCached } from '../kit/measured.ts'
import { readDeskHours, isOfferedNow, requireSwitchedOn } from '../kit/open.ts'
import { readServicePrice } from '../kit/price.ts'
import { readQuotaStatus } from '../kit/quota.ts'
import { listServiceSpecs, requireServiceSpec } from '../kit/registry.ts'
import type { ServiceSpec } from '../kit/spec.ts'
import { buildTaskView, translateServiceTitle, translateServiceWord } from './view.ts'

type C = typeof servicesContract

const RUNNING = 50

export const serviceCatalogue: Handler<C['serviceCatalogue']> = async (ctx) => ({
  rowList: await Promise.all(listServiceSpecs().map((spec) => buildCatalogueRow(ctx, spec))),
})

export const serviceHub: Handler<C['serviceHub']> = async (ctx) => {
  const { db, userId, lang } = ctx
  const [rowList, live, flags] = await Promise.all([
    Promise.all(
      listServiceSpecs().map(async (spec) => ({
        ...(await buildCatalogueRow(ctx, spec)),
        quota: await readQuotaStatus(ctx, db, { userId, service: spec.name }),
      })),
    ),
    selectTasks(db, { userId, phases: ['waiting', 'using'], limit: RUNNING }),
    computeFlags(ctx),
  ])
  const running = live.filter(isSold).map((task) => ({ ...buildTaskView(task, lang), glance: requireServiceSpec(task.service).glance?.(task) ?? '' }))
  return { rowList, running, flags }
}

const isSold = ({ service }: Task): boolean => listServiceSpecs().some(({ name }) => name === service)

const MONTH_MS = 31 * 86_400_000

/** Flags of the user's services. `chatgptBackup`: a ChatGPT subscription on the user's own account, from an upgrade of the last 31 days. */
async function computeFlags({ db, userId }: Ctx) {
  const [had, balance] = await Promise.all([selectDeliveredServices(db, userId), readBalance(db, userId)])
  const now = (name: string) => had.some(({ service, used }) => service === name && used)
  const apiFlex = balance.totalCredited > 0n
  const browser = now('browser')
  const done = await selectTasks(db, { userId, service: 'upgrade', phases: ['done'], limit: 20 })
  const chatgptBackup = done.some(
    ({ product, deliveredAt: at, now: time }) => product.startsWith('chatgpt-') && at !== null && time.getTime() - at.getTime() < MONTH_MS,
  )
  // A past subscription counts too, as in `shareUseInfo` of flex
  const hasSubscribedUser = apiFlex || browser || chatgptBackup || had.some(({ service }) => service === 'flex')
  return { hasSubscribedUser, wildcard: browser, flex: now('flex'), apiFlex, browser, network: now('proxy'), chatgptBackup }
}

async function buildCatalogueRow(ctx: Ctx, spec: ServiceSpec): Promise<CatalogueRow> {
  const prices = await Promise.all(Object.keys(spec.prices).map((product) => readServicePrice(ctx, spec.name, product)))
  const paid = prices.filter((price) => price > 0n)
  const needsPerson = spec.byPeople ?? spec.states[spec.first]?.desk !== undefined
  const hours = needsPerson ? await readDeskHours(ctx) : undefined
  return {
    name: spec.name,
    title: translateServiceTitle(spec.name, ctx.lang),
    path: spec.path,
    from: formatUsd(paid.length ? minNano(paid[0]!, ...paid) : parseUsd('0')),
    paused: await findPauseReason(ctx, spec),
    isOffered: await isOfferedNow(ctx, spec),
    desk: hours ? { isOpen: hours.isOpen, opensTime: hours.opensAt.toISOString() } : null,
    measured: await measureServiceCached(ctx, spec.name),
  }
}

async function findPauseReason(ctx: Ctx, spec: ServiceSpec): Promise<string | null> {
  try {
    await requireSwitchedOn(ctx, spec, { userId: ctx.userId, product: '', facts: {} })
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
  const rows = await selectTasks(ctx.db, { ...wanted, limit: pageSize, offset: (pageNum - 1) * pageSize })
  return {
    rowList: rows.filter(isSold).map((row) => buildTaskView(row, ctx.lang)),
    pageNum,
    pageSize,
    totalPage: Math.ceil(totalRecord / pageSize),
    totalRecord,
  }
}

export const serviceTaskInfo: Handler<C['serviceTaskInfo']> = async (ctx, { id }) => {
  const task = (await selectTask(ctx.db, id, ctx.userId)) ?? fail('SERVICE_TASK_UNKNOWN')
  const steps = await selectSteps(ctx.db, id)
  return {
    task: buildTaskView(task, ctx.lang),
    steps: steps.map((step) => ({
      at: step.at.toISOString(),
      state: step.toState,
      name: translateServiceWord(task.service, 'state', { name: step.toState, lang: ctx.lang }),
      cause: translateServiceWord(task.service, 'cause', { name: step.cause, lang: ctx.lang }),
    })),
  }
}

export const serviceGiveUp: Handler<C['serviceGiveUp']> = async (ctx, { id }) => {
  await giveUpDraft(ctx, id, ctx.userId)
  return {}
}
