import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { pick } from '#platform/shared/pick.ts'
import type { workDeskContract, WorkRow } from '../../contract-desk.console.ts'
import { requirePerson } from '../access/require-person.ts'
import { countWorkItems, releaseItem, findWorkItem, forgetLeases, findLastDone, listWorkItems, takeWorkItem } from './data-work.ts'
import type { WorkItemRow } from './data-work.ts'

type Contract = typeof workDeskContract
const LEASE_MINUTES = 15

function buildWorkRow(row: WorkItemRow, operatorId: string): WorkRow {
  return {
    ...{ ...pick(row, 'id', 'kind', 'title', 'note', 'detail', 'userId') },
    ...(row.minor === null
      ? { amount: row.nano === null ? null : formatUsd(row.nano), currency: 'USD' }
      : { amount: formatMinor(row.minor), currency: row.currency }),
    ...{ since: row.since.toISOString(), dueAt: row.due.toISOString(), targetMinutes: row.target, risk: row.risk },
    taken: row.takenBy && row.takenUntil ? { operatorId: row.takenBy, name: row.takenName ?? row.takenBy, until: row.takenUntil.toISOString() } : null,
    waiting: row.waitingNo && row.waitingAskedBy ? { no: row.waitingNo, askedBy: row.waitingAskedBy, isOwn: row.waitingAskedBy === operatorId } : null,
  }
}

export async function readWork(ctx: Ctx, { kind, view, after, limit }: InputOf<Contract['work']>): Promise<ReplyOf<Contract['work']>> {
  const operatorId = ctx.operator!.id
  const rows = await listWorkItems(ctx.db, { now: ctx.clock.now(), operatorId, kind, view, after: formatWorkCursor(after), limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown.map((row) => buildWorkRow(row, operatorId)), next: rows.length > limit && last ? `${last.due.toISOString()} ${last.id}` : null }
}

function formatWorkCursor(after: string | undefined): { due: Date; id: string } | undefined {
  if (after === undefined) return undefined
  const at = after.indexOf(' ')
  const due = new Date(after.slice(0, at))
  return at < 0 || Number.isNaN(due.getTime()) ? fail('BAD_INPUT', { fields: ['after'] }) : { due, id: after.slice(at + 1) }
}

export async function readItem(ctx: Ctx, { id }: InputOf<Contract['workItem']>): Promise<WorkRow> {
  return buildWorkRow((await findWorkItem(ctx.db, ctx.clock.now(), id)) ?? fail('NOT_FOUND'), ctx.operator!.id)
}

export async function readWorkCounts(ctx: Ctx): Promise<ReplyOf<Contract['workCounts']>> {
  const rows = await countWorkItems(ctx.db, ctx.clock.now(), ctx.operator!.id)
  const sumOf = (name: 'total' | 'mine' | 'second' | 'late' | 'large') => rows.reduce((all, row) => all + row[name], 0)
  return {
    total: sumOf('total'),
    kinds: Object.fromEntries(rows.map((row) => [row.kind, row.total])),
    views: { mine: sumOf('mine'), second: sumOf('second'), late: sumOf('late'), large: sumOf('large') },
    lastDoneAt: (await findLastDone(ctx.db))?.toISOString() ?? null,
  }
}

/** Counts shown in the navigation. */
export async function readCounts(ctx: Ctx): Promise<ReplyOf<Contract['counts']>> {
  const rows = await countWorkItems(ctx.db, ctx.clock.now(), ctx.operator!.id)
  const of = (...kinds: readonly string[]) => rows.filter(({ kind }) => kinds.includes(kind)).reduce((all, { total }) => all + total, 0)
  return {
    counts: {
      work: rows.reduce((all, { total }) => all + total, 0),
      withdrawals: of('withdrawal'),
      approvals: rows.reduce((all, { second }) => all + second, 0),
      support: of('conversation', 'complaint'),
      invitations: of('review'),
      invoices: of('invoice'),
      payments: of('refund', 'suspense', 'dispute', 'fault'),
    },
  }
}

export async function takeWork(ctx: Ctx, { id }: InputOf<Contract['take']>): Promise<{ until: string }> {
  requirePerson(ctx)
  const now = ctx.clock.now()
  const until = await transact(ctx.db, ctx.actor, async (tx) => {
    const item = (await findWorkItem(tx, now, id)) ?? fail('NOT_FOUND')
    await forgetLeases(tx, now)
    const taken = await takeWorkItem(tx, id, { operatorId: ctx.operator!.id, now, until: new Date(now.getTime() + LEASE_MINUTES * 60_000) })
    if (!taken) fail('WORK_TAKEN', { name: item.takenName ?? '', until: item.takenUntil ? toShanghaiTime(item.takenUntil).slice(11, 16) : '' })
    await tx.audit('work.taken', id, {})
    return taken!
  })
  return { until: until.toISOString() }
}

export async function releaseWork(ctx: Ctx, { id }: InputOf<Contract['putBack']>): Promise<{}> {
  requirePerson(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    await releaseItem(tx, id, ctx.operator!.id)
    await tx.audit('work.put-back', id, {})
  })
  return {}
}
