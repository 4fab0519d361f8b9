import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { consolePortOf } from '#platform/server/config.ts'
import { Failure } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { sendAlarmSms, sendMail } from '#features/notices/server/door.ts'
import { ALARMS } from '../../alarms.ts'
import { alarmTexts, alarmWords, severityWords } from '../../alarm-texts.ts'
import { activeOwners } from '../access/data.ts'
import { insertWay, keptWays, openAlarms, overSince } from './data.ts'
import type { AlarmRow, KeptWay } from './data.ts'
import { insertDelivery, noteDelivery, toldOf } from './data-deliveries.ts'
import type { DeliveryRow } from './data-deliveries.ts'
import { isDue } from './due.ts'

const HOUR_MS = 3_600_000
/** Webhook retries cover a receiver that is down for one or two hours. */
const RETRY = { times: 8, firstSeconds: 10, longestSeconds: 1800 }
const LANG = 'zh' as const
const MAILS = {
  raised: { name: 'backoffice.alarm', texts: alarmTexts, subject: 'mail_alarm_subject', body: 'mail_alarm_body' },
  closed: { name: 'backoffice.alarm-closed', texts: alarmTexts, subject: 'mail_alarm_closed_subject', body: 'mail_alarm_closed_body' },
  test: { name: 'backoffice.alarm-test', texts: alarmTexts, subject: 'mail_alarm_test_subject', body: 'mail_alarm_test_body' },
} as const

/** Notifies each due route, and sends the all-clear to the notified routes except texts. Without any route the owners get a mail. */
export async function tellAlarms(deps: Deps, tx: Tx, now: Date, escalate: number): Promise<void> {
  const [open, over] = [await openAlarms(tx), await overSince(tx, new Date(now.getTime() - HOUR_MS))]
  if (!open.length && !over.length) return
  const ways = await waysOrOwners(tx, now)
  const told = await toldOf(
    tx,
    [...open, ...over].map(({ id }) => id),
  )
  for (const alarm of open)
    for (const way of ways) if (isDue(alarm, way, now, escalate) && !told.has(`${alarm.id} ${way.id} raised`)) await order(deps, tx, way, 'raised', alarm)
  for (const alarm of over)
    for (const way of ways)
      if (way.kind !== 'sms' && told.has(`${alarm.id} ${way.id} raised`) && !told.has(`${alarm.id} ${way.id} closed`))
        await order(deps, tx, way, 'closed', alarm)
}

async function waysOrOwners(tx: Tx, now: Date): Promise<readonly KeptWay[]> {
  const ways = await keptWays(tx)
  if (ways.length) return ways
  for (const { id } of await activeOwners(tx))
    await insertWay(tx, {
      ...{ id: newId('alw', now.getTime()), operator_id: id, kind: 'mail', address: '', severity: 'serious', wait_minutes: 0 },
      ...{ quiet_from: null, quiet_to: null, secret_sealed: null, made_by: 'system', made_at: now },
    })
  return keptWays(tx)
}

/** URL of the console page that shows alarms. */
const systemUrl = ({ config }: Pick<Deps, 'config'>) =>
  `${typeof config['CONSOLE_URL'] === 'string' ? config['CONSOLE_URL'].replace(/\/$/, '') : `http://localhost:${consolePortOf(config)}`}/system`

/** Queues one delivery in the transaction: it is sent only if that commits. */
export async function order(deps: Deps, tx: Tx, way: KeptWay, kind: DeliveryRow['kind'], alarm: AlarmRow | undefined): Promise<string | undefined> {
  const now = deps.clock.now()
  const id = newId('ald', now.getTime())
  const body = JSON.stringify({
    id,
    type: kind === 'test' ? 'test' : `alarm.${kind}`,
    created_at: now.toISOString(),
    ...(alarm ? { alarm: toldAs(deps, alarm) } : {}),
  })
  if (!(await insertDelivery(tx, { id, way_id: way.id, alarm_id: alarm?.id ?? null, kind, body, created_at: now }))) return undefined
  // a failing webhook is not notified of its own failure, which would raise the next alarm
  if (way.kind === 'webhook' && alarm?.name !== 'alarms.webhook_failed') {
    const retry = kind === 'test' ? { times: 0, firstSeconds: 1, longestSeconds: 1 } : RETRY
    await deps.jobs.send(tx, 'backoffice.alarm-hook', { id }, { group: way.id, retry })
    return id
  }
  // the mail and text queues deliver and retry; the alarm counts as sent once queued
  if (way.kind !== 'sms') {
    const problem = await refusalOf(tx, () => mail(deps, tx, { id, way, kind, alarm }))
    await noteDelivery(tx, id, problem === null ? 'sent' : 'failed', problem, now)
    return id
  }
  const problem = await refusalOf(tx, () => text(deps, tx, { id, way, alarm }))
  // the hourly limit of texts is reached, or the country is not served: send a mail instead
  if (problem !== null) await refusalOf(tx, () => mail(deps, tx, { id, way, kind, alarm }))
  await noteDelivery(tx, id, problem === null ? 'sent' : 'failed', problem, now)
  return id
}

interface Telling {
  readonly id: string
  readonly way: KeptWay
  readonly alarm: AlarmRow | undefined
}

/** Alarm as sent in a webhook payload. */
const toldAs = (deps: Deps, { id, name, severity, detail, times, raised_at, closed_at }: AlarmRow) => ({
  ...{ id, name, severity, detail, times: Number(times), raised_at: raised_at.toISOString(), closed_at: closed_at?.toISOString() ?? null },
  ...{ runbook: `docs/runbooks/${ALARMS[name]?.runbook}.md`, url: systemUrl(deps) },
})

/** Runs work in a savepoint; returns the name of the error that refused it, with its effects rolled back, or null. */
async function refusalOf(tx: Tx, work: () => Promise<unknown>): Promise<string | null> {
  try {
    await tx.savepoint(work)
    return null
  } catch (error) {
    if (error instanceof Failure) return error.errorName
    throw error
  }
}

const nameOf = (alarm: AlarmRow | undefined) => alarmWords(LANG, alarm?.name ?? 'test') ?? alarm?.name ?? ''

const text = (deps: Deps, tx: Tx, { id, way, alarm }: Telling) =>
  sendAlarmSms(deps, tx, {
    to: way.address,
    lang: LANG,
    name: nameOf(alarm),
    detail: alarm ? alarm.detail : alarmTexts[LANG].alarm_test_detail,
    dedupe: `alarm:${id}`,
  })

const mail = (deps: Deps, tx: Tx, { id, way, kind, alarm }: Telling & { readonly kind: DeliveryRow['kind'] }) =>
  sendMail(deps, tx, {
    ...{ to: way.operator_mail, template: MAILS[kind], lang: LANG, dedupe: `alarm:${id}` },
    values: {
      ...{ name: nameOf(alarm), severity: alarm ? (severityWords(LANG, alarm.severity) ?? '') : '', detail: alarm?.detail ?? '' },
      ...{ runbook: ALARMS[alarm?.name ?? '']?.runbook ?? 'README', url: systemUrl(deps) },
      ...{ at: alarm ? shanghaiTime(alarm.raised_at) : '', closed: alarm?.closed_at ? shanghaiTime(alarm.closed_at) : '' },
    },
  })
