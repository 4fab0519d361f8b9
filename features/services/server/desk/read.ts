import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { deskContract, DeskRow } from '../../contract.console.ts'
import { callsOf } from '../kit/data-calls.ts'
import { stepsOf } from '../kit/data-steps.ts'
import { taskById } from '../kit/data.ts'
import type { Task } from '../kit/data.ts'
import { secondsTo, TELL_MINUTES } from '../kit/move.ts'
import { deskHours } from '../kit/open.ts'
import { specOf } from '../kit/registry.ts'
import { pausedServices } from '../kit/settings.ts'
import type { OnCard } from '../kit/spec.ts'
import { titleOf, wordOf } from '../records/view.ts'
import { serviceNames } from './commands.ts'
import { deskCounts, deskQueue as queueRows, evidenceOf, waitingTooLong } from './data.ts'
import { cardsOf } from './on-card.ts'
import { wordsOf } from '#platform/shared/texts.ts'

type C = typeof deskContract

const LATE_ROWS = 100

export const deskQueue: Handler<C['deskQueue']> = async (ctx, { service, mine, after, limit }) => {
  const names = serviceNames()
  const filter = {
    ...(service === undefined ? {} : { service }),
    ...(mine === 'true' ? { takenBy: ctx.actor.id } : {}),
    ...(after === undefined ? {} : { after }),
  }
  const rows = await queueRows(ctx.db, { ...filter, limit })
  const counts = new Map((await deskCounts(ctx.db)).map((row) => [row.service, row]))
  const paused = await ctx.settings.get(pausedServices)
  const { isOpen, opensAt } = await deskHours(ctx)
  const shown = (tasks: readonly Task[]) =>
    deskRows(
      ctx,
      tasks.filter((task) => names.includes(task.service)),
    )
  return {
    rows: await shown(rows),
    next: rows.length === limit ? rows.at(-1)!.id : null,
    counts: names.map((name) => {
      const { waiting = 0, taken = 0, late = 0 } = counts.get(name) ?? {}
      return { service: name, title: titleOf(name, ctx.lang), waiting, taken, late, paused: paused[name] ?? null }
    }),
    late: await shown(await waitingTooLong(ctx.db, LATE_ROWS)),
    hours: { isOpen, opensTime: opensAt.toISOString() },
  }
}

async function deskRows({ db, lang }: Ctx, tasks: readonly Task[]): Promise<DeskRow[]> {
  const cards = await cardsOf(db, tasks)
  return tasks.map((task) => deskRow(task, cards.get(task.id), lang))
}

function deskRow(task: Task, card: OnCard | undefined, lang: Lang): DeskRow {
  const { service, product, state } = task
  const isTaken = task.taken_until !== null && task.taken_until > task.now
  return {
    id: task.id,
    service,
    title: titleOf(service, lang),
    product,
    productName: wordOf(service, 'product', product, lang),
    state,
    stateName: wordOf(service, 'state', state, lang),
    phase: task.phase,
    userId: task.user_id,
    amount: usd(card?.amount ?? task.amount),
    card: card ? { last4: card.last4, taken: usd(card.taken) } : null,
    money: task.money,
    waited: Math.floor(secondsTo(task.now, task.entered_at) / 60),
    target: specOf(service).states[state]?.tellAfter ?? TELL_MINUTES,
    takenBy: isTaken ? task.taken_by : null,
    takenUntil: isTaken ? task.taken_until!.toISOString() : null,
    startedTime: task.started_at?.toISOString() ?? null,
    deadlineTime: task.deadline_at?.toISOString() ?? null,
  }
}

const plain = (facts: Task['facts']) =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))

export const deskTask: Handler<C['deskTask']> = async (ctx: Ctx, { id }) => {
  const task = (await taskById(ctx.db, id)) ?? fail('SERVICE_TASK_UNKNOWN')
  const spec = specOf(task.service)
  const desk = spec.states[task.state]?.desk
  const word = (kind: 'state' | 'cause', name: string) => wordOf(task.service, kind, name, ctx.lang)
  const [steps, evidence, calls] = [await stepsOf(ctx.db, id), await evidenceOf(ctx.db, id), await callsOf(ctx.db, id)]
  return {
    row: (await deskRows(ctx, [task]))[0]!,
    facts: { ...plain(task.facts), ...(await spec.seen?.(ctx, task)) },
    steps: steps.map((step) => ({
      at: step.at.toISOString(),
      state: step.to_state,
      name: word('state', step.to_state),
      cause: word('cause', step.cause),
      actor: step.actor,
      note: step.note,
    })),
    evidence: evidence.map((each) => ({ at: each.at.toISOString(), operatorId: each.operator_id, kind: each.kind, body: each.body })),
    calls: calls.map(({ verb, supplier, state, tries, refused }) => ({ verb, supplier, state, tries, refused: refused ?? '' })),
    todo: (desk?.steps ?? []).map((step) => wordsOf(spec.texts, 'desk_')(ctx.lang, step) ?? step),
    ends: (desk?.ends ?? []).map((state) => ({ state, name: word('state', state), isGood: spec.states[state]!.phase !== 'failed' })),
    needs: [...(desk?.facts ?? [])],
    causes: Object.entries(spec.causes).map(([cause, { money }]) => ({ cause, name: word('cause', cause), money })),
  }
}
