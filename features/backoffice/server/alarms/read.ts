import { bind } from '#platform/server/feature.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { unseal } from '#platform/server/sealing/seal.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { pick } from '#platform/shared/pick.ts'
import { ALARMS } from '../../alarms.ts'
import { requireAllowed } from '#features/risk/server/door.ts'
import { alarmsContract } from '../../contract-alarms.console.ts'
import { requirePerson, requireSteppedUpPerson } from '../access/require-person.ts'
import { alarmEscalateMinutes } from '../settings.ts'
import { findAlarm, findAlarmRoute, listActiveRoutes, listOpenAlarms, listPastAlarms } from './data.ts'
import type { AlarmRow, ActiveAlarmRoute } from './data.ts'
import { listAlarmDeliveries, listLastAlarmDeliveries } from './data-deliveries.ts'
import type { DeliveryRow } from './data-deliveries.ts'
import { ALARM_HOOK_PURPOSE } from './deliver-hook.ts'
import { maskAddress } from './masked-address.ts'
import { queueAlarmDelivery } from './notify-alarms.ts'

type C = typeof alarmsContract
const TESTS = { most: 5, minutes: 10 }

export const buildAlarmView = (row: AlarmRow): ReplyOf<C['alarms']>['rows'][number] => ({
  ...{ ...pick(row, 'id', 'name', 'key', 'severity', 'detail'), times: Number(row.times) },
  ...{ runbook: ALARMS[row.name]?.runbook ?? 'README', raisedAt: row.raisedAt.toISOString(), lastAt: row.lastAt.toISOString() },
  ...{ takenBy: row.takenBy, takenAt: row.takenAt?.toISOString() ?? null, closedAt: row.closedAt?.toISOString() ?? null },
})

async function alarms({ db }: Ctx, { view, after, limit }: InputOf<C['alarms']>): Promise<ReplyOf<C['alarms']>> {
  if (view === 'open') return { rows: (await listOpenAlarms(db)).map(buildAlarmView), next: null }
  const found = await listPastAlarms(db, after, limit + 1)
  return { rows: found.slice(0, limit).map(buildAlarmView), next: found.length > limit ? found[limit - 1]!.id : null }
}

const formatClockTime = (minutes: number | null) =>
  minutes === null ? null : `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const buildDeliveryView = (row: DeliveryRow) => ({
  ...{ ...pick(row, 'id', 'wayId', 'kind', 'state', 'attempts', 'problem') },
  ...{ at: row.createdAt.toISOString(), endedAt: row.endedAt?.toISOString() ?? null },
})

async function alarm({ db }: Ctx, { id }: InputOf<C['alarm']>): Promise<ReplyOf<C['alarm']>> {
  const row = (await findAlarm(db, id)) ?? fail('NOT_FOUND')
  return { alarm: buildAlarmView(row), deliveries: (await listAlarmDeliveries(db, id)).map(buildDeliveryView) }
}

async function alarmWays({ db, settings }: Ctx): Promise<ReplyOf<C['alarmWays']>> {
  const ways = await listActiveRoutes(db)
  const last = new Map(
    (
      await listLastAlarmDeliveries(
        db,
        ways.map(({ id }) => id),
      )
    ).map((row) => [row.wayId, buildDeliveryView(row)]),
  )
  return {
    escalateMinutes: await settings.get(alarmEscalateMinutes),
    ways: ways.map((way) => ({
      ...{ ...pick(way, 'id', 'operatorId', 'operatorName', 'kind', 'severity') },
      address: way.kind === 'mail' ? way.operatorMail : maskAddress(way),
      ...{ waitMinutes: way.waitMinutes, quietFrom: formatClockTime(way.quietFrom), quietTo: formatClockTime(way.quietTo), last: last.get(way.id) ?? null },
    })),
  }
}

/** The operator's own route, or any route if they manage them. */
async function requireRoute(ctx: Ctx, id: string): Promise<ActiveAlarmRoute> {
  const way = (await findAlarmRoute(ctx.db, id)) ?? fail('NOT_FOUND')
  if (way.endedAt || (way.operatorId !== ctx.operator!.id && !ctx.operator!.permissions.has('alarms.manage'))) fail('NOT_FOUND')
  return way
}

async function testAlarm(ctx: Ctx, { wayId }: InputOf<C['testAlarm']>): Promise<ReplyOf<C['testAlarm']>> {
  requirePerson(ctx)
  const way = await requireRoute(ctx, wayId)
  return transact(ctx.db, ctx.actor, async (tx) => {
    await requireAllowed(tx, 'backoffice.alarm-test', { subject: wayId, limit: TESTS.most, windowSeconds: TESTS.minutes * 60, now: ctx.clock.now() })
    const id = await queueAlarmDelivery(ctx, tx, { way, kind: 'test', alarm: undefined })
    await tx.audit('alarm.tested', `way:${wayId}`, { kind: way.kind })
    return { id: id! }
  })
}

/** Reveals the signing secret of a webhook; the access is audited. */
async function hookSecret(ctx: Ctx, { wayId }: InputOf<C['hookSecret']>): Promise<ReplyOf<C['hookSecret']>> {
  requireSteppedUpPerson(ctx)
  const way = await requireRoute(ctx, wayId)
  if (!way.secretSealed) fail('NOT_FOUND')
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('alarm.secret-shown', `way:${wayId}`, {}))
  return { secret: unseal(ctx.secretKeys, ALARM_HOOK_PURPOSE, { owner: wayId, sealed: way.secretSealed! }), url: way.address }
}

export const alarmRoutes = bind(alarmsContract, { alarms, alarm, alarmWays, testAlarm, hookSecret })
