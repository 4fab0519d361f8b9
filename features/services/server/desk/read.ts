import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { servicesDeskContract, DeskRow } from '../../contract.console.ts'
import { selectSupplierCalls } from '../kit/data-calls.ts'
import { selectSteps } from '../kit/data-steps.ts'
import { selectTask } from '../kit/data.ts'
import type { Task } from '../kit/data.ts'
import { countSecondsUntil, LATE_AFTER_MINUTES, resolveRefundRule } from '../kit/move.ts'
import { readDeskHours } from '../kit/open.ts'
import { requireServiceSpec } from '../kit/registry.ts'
import { pausedServices } from '../kit/settings.ts'
import type { TaskCardFacts } from '../kit/spec.ts'
import { translateServiceTitle, translateServiceWord } from '../records/view.ts'
import { listServiceNames } from './commands.ts'
import { countDeskQueues, selectDeskQueue as queueRows, selectTaskEvidence, selectLateTasks } from './data.ts'
import { selectTaskCards } from './on-card.ts'
import { createTextLookup } from '#platform/shared/texts.ts'

type C = typeof servicesDeskContract

const LATE_ROWS = 100

export const deskQueue: Handler<C['deskQueue']> = async (ctx, { service, mine, after, limit }) => {
  const names = listServiceNames()
  const filter = {
    ...(service === undefined ? {} : { service }),
    ...(mine === 'true' ? { takenBy: ctx.actor.id } : {}),
    ...(after === undefined ? {} : { after }),
  }
  const rows = await queueRows(ctx.db, { ...filter, limit })
  const counts = new Map((await countDeskQueues(ctx.db)).map((row) => [row.service, row]))
  const paused = await ctx.settings.get(pausedServices)
  const { isOpen, opensAt } = await readDeskHours(ctx)
  const shown = (tasks: readonly Task[]) =>
    buildDeskRows(
      ctx,
      tasks.filter((task) => names.includes(task.service)),
    )
  return {
    rows: await shown(rows),
    next: rows.length === limit ? rows.at(-1)!.id : null,
    counts: names.map((name) => {
      const { waiting = 0, taken = 0, late = 0 } = counts.get(name) ?? {}
      return { service: name, title: translateServiceTitle(name, ctx.lang), waiting, taken, late, paused: paused[name] ?? null }
    }),
    late: await shown(await selectLateTasks(ctx.db, LATE_ROWS)),
    hours: { isOpen, opensTime: opensAt.toISOString() },
  }
}

async function buildDeskRows({ db, lang }: Ctx, tasks: readonly Task[]): Promise<DeskRow[]> {
  const cards = await selectTaskCards(db, tasks)
  return tasks.map((task) => buildDeskRow(task, cards.get(task.id), lang))
}

function buildDeskRow(task: Task, card: TaskCardFacts | undefined, lang: Lang): DeskRow {
  const { service, product, state } = task
  const isTaken = task.takenUntil !== null && task.takenUntil > task.now
  return {
    id: task.id,
    service,
    title: translateServiceTitle(service, lang),
    product,
    productName: translateServiceWord(service, 'product', { name: product, lang }),
    state,
    stateName: translateServiceWord(service, 'state', { name: state, lang }),
    phase: task.phase,
    userId: task.userId,
    amount: formatUsd(card?.amount ?? task.amount),
    card: card ? { last4: card.last4, taken: formatUsd(card.taken) } : null,
    money: task.money,
    waited: Math.floor(countSecondsUntil(task.now, task.enteredAt) / 60),
    target: requireServiceSpec(service).states[state]?.tellAfter ?? LATE_AFTER_MINUTES,
    takenBy: isTaken ? task.takenBy : null,
    takenUntil: isTaken ? task.takenUntil!.toISOString() : null,
    startedTime: task.startedAt?.toISOString() ?? null,
    deadlineTime: task.deadlineAt?.toISOString() ?? null,
  }
}

const toPlainFacts = (facts: Task['facts']) =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))

export const deskTask: Handler<C['deskTask']> = async (ctx: Ctx, { id }) => {
  const task = (await selectTask(ctx.db, id)) ?? fail('SERVICE_TASK_UNKNOWN')
  const spec = requireServiceSpec(task.service)
  const desk = spec.states[task.state]?.desk
  const word = (kind: 'state' | 'cause', name: string) => translateServiceWord(task.service, kind, { name, lang: ctx.lang })
  const [steps, evidence, calls] = [await selectSteps(ctx.db, id), await selectTaskEvidence(ctx.db, id), await selectSupplierCalls(ctx.db, id)]
  return {
    row: (await buildDeskRows(ctx, [task]))[0]!,
    facts: { ...toPlainFacts(task.facts), ...(await spec.seen?.(ctx, task)) },
    steps: steps.map((step) => ({
      at: step.at.toISOString(),
      state: step.toState,
      name: word('state', step.toState),
      cause: word('cause', step.cause),
      actor: step.actor,
      note: step.note,
    })),
    evidence: evidence.map((each) => ({ at: each.at.toISOString(), operatorId: each.operatorId, kind: each.kind, body: each.body })),
    calls: calls.map(({ verb, supplier, state, tries, refused }) => ({ verb, supplier, state, tries, refused: refused ?? '' })),
    todo: (desk?.steps ?? []).map((step) => createTextLookup(spec.texts, 'desk_')(ctx.lang, step) ?? step),
    ends: (desk?.ends ?? []).map((state) => ({ state, name: word('state', state), isGood: spec.states[state]!.phase !== 'failed' })),
    needs: [...(desk?.facts ?? [])],
    causes: Object.entries(spec.causes).map(([cause, rule]) => ({ cause, name: word('cause', cause), money: resolveRefundRule(rule, task) })),
  }
}
