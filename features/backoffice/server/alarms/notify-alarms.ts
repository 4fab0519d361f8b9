import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { resolveConsolePort } from '#platform/server/config.ts'
import { Failure } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { sendAlarmSms, sendMail } from '#features/notices/server/door.ts'
import { ALARMS, isAtLeastSeverity, type AlarmSeverity } from '../../alarms.ts'
import { alarmTexts, alarmWords, severityWords } from '../../alarm-texts.ts'
import { listActiveOwners } from '../access/data.ts'
import { insertAlarmRoute, listActiveRoutes, listOpenAlarms, listAlarmsClosedSince, type AlarmRow, type ActiveAlarmRoute } from './data.ts'
import { insertAlarmDelivery, recordAlarmDelivery, listNotifiedAlarmRoutes, type DeliveryRow } from './data-deliveries.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
const SHANGHAI_MINUTES = 480

export interface DueAlarm {
  readonly severity: AlarmSeverity
  readonly raisedAt: Date
  readonly takenBy: string | null
}
export interface DueRoute {
  readonly severity: AlarmSeverity
  readonly waitMinutes: number
  readonly quietFrom: number | null
  readonly quietTo: number | null
}

/** Checks if `now` is in the route's quiet hours, which may span midnight. */
export function isQuietHours({ quietFrom: from, quietTo: to }: DueRoute, now: Date): boolean {
  if (from === null || to === null) return false
  const minute = (Math.floor(now.getTime() / MINUTE_MS) + SHANGHAI_MINUTES) % DAY_MINUTES
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

/**
 * Checks if a route is due to be notified of an alarm. Alarms that an operator took, or that are younger than the route's delay, are not sent.
 * In quiet hours critical alarms are sent, serious ones once they are open for `escalateMinutes`, minor ones only after the quiet hours.
 */
export function isAlarmDue(alarm: DueAlarm, way: DueRoute, { now, escalateMinutes }: { readonly now: Date; readonly escalateMinutes: number }): boolean {
  if (alarm.takenBy !== null || !isAtLeastSeverity(alarm.severity, way.severity)) return false
  const open = (now.getTime() - alarm.raisedAt.getTime()) / MINUTE_MS
  if (open < way.waitMinutes) return false
  if (!isQuietHours(way, now) || alarm.severity === 'critical') return true
  return alarm.severity === 'serious' && open >= Math.max(escalateMinutes, way.waitMinutes)
}

const HOUR_MS = 3_600_000
/** Webhook retries cover a receiver that is down for one or two hours. */
const RETRY = { times: 8, firstSeconds: 10, longestSeconds: 1800 }
const LANG = DEFAULT_LANG
const MAILS = {
  raised: { name: 'backoffice.alarm', texts: alarmTexts, subject: 'mail_alarm_subject', body: 'mail_alarm_body' },
  closed: { name: 'backoffice.alarm-closed', texts: alarmTexts, subject: 'mail_alarm_closed_subject', body: 'mail_alarm_closed_body' },
  test: { name: 'backoffice.alarm-test', texts: alarmTexts, subject: 'mail_alarm_test_subject', body: 'mail_alarm_test_body' },
} as const

/** Notifies each due route, and sends the all-clear to the notified routes except texts. Without any route the owners get a mail. */
export async function notifyAlarms(deps: Deps, tx: Tx, { now, escalate }: { readonly now: Date; readonly escalate: number }): Promise<void> {
  const [open, over] = [await listOpenAlarms(tx), await listAlarmsClosedSince(tx, new Date(now.getTime() - HOUR_MS))]
  if (!open.length && !over.length) return
  const ways = await listRoutesOrOwners(tx, now)
  const told = await listNotifiedAlarmRoutes(
    tx,
    [...open, ...over].map(({ id }) => id),
  )
  for (const alarm of open)
    for (const way of ways)
      if (isAlarmDue(alarm, way, { now, escalateMinutes: escalate }) && !told.has(`${alarm.id} ${way.id} raised`))
        await queueAlarmDelivery(deps, tx, { way, kind: 'raised', alarm })
  for (const alarm of over)
    for (const way of ways)
      if (way.kind !== 'sms' && told.has(`${alarm.id} ${way.id} raised`) && !told.has(`${alarm.id} ${way.id} closed`))
        await queueAlarmDelivery(deps, tx, { way, kind: 'closed', alarm })
}

async function listRoutesOrOwners(tx: Tx, now: Date): Promise<readonly ActiveAlarmRoute[]> {
  const ways = await listActiveRoutes(tx)
  if (ways.length) return ways
  for (const { id } of await listActiveOwners(tx))
    await insertAlarmRoute(tx, {
      ...{ id: createId('alw', now.getTime()), operatorId: id, kind: 'mail', address: '', severity: 'serious', waitMinutes: 0 },
      ...{ quietFrom: null, quietTo: null, secretSealed: null, madeBy: 'system', madeAt: now },
    })
  return listActiveRoutes(tx)
}

/** URL of the console page that shows alarms. */
const buildSystemUrl = ({ config }: Pick<Deps, 'config'>) =>
  `${typeof config['CONSOLE_URL'] === 'string' ? config['CONSOLE_URL'].replace(/\/$/, '') : `http://localhost:${resolveConsolePort(config)}`}/system`

/** Queues one delivery in the transaction: it is sent only if that commits. */
export async function queueAlarmDelivery(
  deps: Deps,
  tx: Tx,
  { way, kind, alarm }: { readonly way: ActiveAlarmRoute; readonly kind: DeliveryRow['kind']; readonly alarm: AlarmRow | undefined },
): Promise<string | undefined> {
  const now = deps.clock.now()
  const id = createId('ald', now.getTime())
  const body = JSON.stringify({
    id,
    type: kind === 'test' ? 'test' : `alarm.${kind}`,
    created_at: now.toISOString(),
    ...(alarm ? { alarm: buildWebhookAlarm(deps, alarm) } : {}),
  })
  if (!(await insertAlarmDelivery(tx, { id, wayId: way.id, alarmId: alarm?.id ?? null, kind, body, createdAt: now }))) return undefined
  // A failing webhook is not notified of its own failure, which would raise the next alarm
  if (way.kind === 'webhook' && alarm?.name !== 'alarms.webhook_failed') {
    const retry = kind === 'test' ? { times: 0, firstSeconds: 1, longestSeconds: 1 } : RETRY
    await deps.jobs.send(tx, { name: 'backoffice.alarm-hook', group: way.id, retry }, { id })
    return id
  }
  // The mail and text queues deliver and retry; the alarm counts as sent once queued
  if (way.kind !== 'sms') {
    const problem = await describeRefusal(tx, () => sendAlarmMail(deps, tx, { id, way, kind, alarm }))
    await recordAlarmDelivery(tx, id, { state: problem === null ? 'sent' : 'failed', problem, at: now })
    return id
  }
  const problem = await describeRefusal(tx, () => sendAlarmText(deps, tx, { id, way, alarm }))
  // The hourly limit of texts is reached, or the country is not served: send a mail instead
  if (problem !== null) await describeRefusal(tx, () => sendAlarmMail(deps, tx, { id, way, kind, alarm }))
  await recordAlarmDelivery(tx, id, { state: problem === null ? 'sent' : 'failed', problem, at: now })
  return id
}

interface AlarmNotification {
  readonly id: string
  readonly way: ActiveAlarmRoute
  readonly alarm: AlarmRow | undefined
}

/** Alarm as sent in a webhook payload. */
const buildWebhookAlarm = (deps: Deps, { id, name, severity, detail, times, raisedAt, closedAt }: AlarmRow) => ({
  ...{ id, name, severity, detail, times: Number(times), raised_at: raisedAt.toISOString(), closed_at: closedAt?.toISOString() ?? null },
  ...{ runbook: `docs/runbooks/${ALARMS[name]?.runbook}.md`, url: buildSystemUrl(deps) },
})

/** Runs work in a savepoint; returns the name of the error that refused it, with its effects rolled back, or null. */
async function describeRefusal(tx: Tx, work: () => Promise<unknown>): Promise<string | null> {
  try {
    await tx.savepoint(work)
    return null
  } catch (error) {
    if (error instanceof Failure) return error.errorName
    throw error
  }
}

const formatAlarmName = (alarm: AlarmRow | undefined) => alarmWords(LANG, alarm?.name ?? 'test') ?? alarm?.name ?? ''

const sendAlarmText = (deps: Deps, tx: Tx, { id, way, alarm }: AlarmNotification) =>
  sendAlarmSms(deps, tx, {
    to: way.address,
    lang: LANG,
    name: formatAlarmName(alarm),
    detail: alarm ? alarm.detail : alarmTexts[LANG].alarm_test_detail,
    dedupe: `alarm:${id}`,
  })

const sendAlarmMail = (deps: Deps, tx: Tx, { id, way, kind, alarm }: AlarmNotification & { readonly kind: DeliveryRow['kind'] }) =>
  sendMail(deps, tx, {
    ...{ to: way.operatorMail, template: MAILS[kind], lang: LANG, dedupe: `alarm:${id}` },
    values: {
      ...{ name: formatAlarmName(alarm), severity: alarm ? (severityWords(LANG, alarm.severity) ?? '') : '', detail: alarm?.detail ?? '' },
      ...{ runbook: ALARMS[alarm?.name ?? '']?.runbook ?? 'README', url: buildSystemUrl(deps) },
      ...{ at: alarm ? toShanghaiTime(alarm.raisedAt) : '', closed: alarm?.closedAt ? toShanghaiTime(alarm.closedAt) : '' },
    },
  })
