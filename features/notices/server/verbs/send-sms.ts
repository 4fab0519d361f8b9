import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { createSettings } from '#platform/server/settings.ts'
import type { Settings } from '#platform/server/settings.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { findSmsRegion, listSmsRegions } from '../carriers.ts'
import { insertNotice, countSmsInHour } from '../data.ts'
import { renderAlarmSms, renderCodeSms } from '../render.ts'
import type { RenderedSms } from '../render.ts'
import { sealNotice } from '../seal.ts'
import { smsPerHour } from '../settings.ts'

export interface SmsOrder {
  /** E.164, of a region in `listSmsRegions`. */
  readonly to: string
  readonly template: 'code'
  readonly lang: Lang
  readonly code: string
  /** Purpose of the code; selects the text `sms_for_<purpose>`. */
  readonly purpose: string
  /** Idempotency key of the event: a second order with the same key sends nothing. Without one, every order sends. */
  readonly dedupe?: string
  /** Lifetime of the code in seconds, after which the message is no longer sent; defaults to 600. */
  readonly goodForSeconds?: number
}

type SmsDeps = Pick<Deps, 'jobs' | 'config' | 'secretKey' | 'clock' | 'log'>

/**
 * Queues a text message in the caller's transaction: it is sent if and only if that commits, and arrives at
 * most once. Errors: UNAVAILABLE if no carrier serves the region, TOO_MANY with `retryAfterSeconds` if the
 * installation's hourly budget is used up (money.md A5). Call it last: all orders share the row of the hour.
 */
export async function sendSms(deps: SmsDeps, tx: Tx, order: SmsOrder): Promise<void> {
  const seconds = order.goodForSeconds ?? 600
  const rendered = renderCodeSms({ ...order, minutes: Math.max(1, Math.round(seconds / 60)) }, deps.config)
  await orderSms(deps, tx, { to: order.to, template: order.template, dedupe: order.dedupe, seconds, rendered })
}

export interface AlarmSms {
  /** E.164, in a region of `listSmsRegions`. */
  readonly to: string
  readonly lang: Lang
  /** Name and text of the alarm, cut to the size of one message. */
  readonly name: string
  readonly detail: string
  readonly dedupe: string
}

const ALARM_SECONDS = 3600

/** Queues an alarm to an operator, like `sendSms` a code. */
export async function sendAlarmSms(deps: SmsDeps, tx: Tx, order: AlarmSms): Promise<void> {
  const rendered = renderAlarmSms(order, deps.config)
  await orderSms(deps, tx, { to: order.to, template: 'alarm', dedupe: order.dedupe, seconds: ALARM_SECONDS, rendered })
}

interface RenderedOrder {
  readonly to: string
  readonly template: string
  readonly dedupe: string | undefined
  readonly seconds: number
  readonly rendered: RenderedSms
}

async function orderSms(deps: SmsDeps, tx: Tx, order: RenderedOrder): Promise<void> {
  // Read on the same connection: waiting for a second one while holding the first can deadlock a full pool.
  const settings = createSettings(tx)
  const region = findSmsRegion(order.to)
  if (!region || !(await listSmsRegions({ config: deps.config, settings })).includes(region)) fail('UNAVAILABLE')
  const now = deps.clock.now()
  const id = createId('sms', now.getTime())
  const fresh = await insertNotice(tx, 'sms', {
    id,
    dedupe: order.dedupe ?? id,
    template: order.template,
    to: order.to,
    content: sealNotice(deps.secretKey, id, JSON.stringify(order.rendered)),
    goodUntil: new Date(now.getTime() + order.seconds * 1000),
    now,
  })
  if (!fresh) return
  await deps.jobs.send(tx, 'notices.deliver-sms', { smsId: id })
  await countAgainstBudget(deps, settings, { tx, now })
}

async function countAgainstBudget({ log }: SmsDeps, settings: Settings, { tx, now }: { readonly tx: Tx; readonly now: Date }): Promise<void> {
  const limit = await settings.get(smsPerHour)
  const count = limit > 0 ? await countSmsInHour(tx, now, limit) : undefined
  if (count === undefined) {
    countEvent('sms_budget_used_up')
    log.error({ limit }, 'the text messages of this hour are used up: an attack, or notices.smsPerHour is too small')
    fail('TOO_MANY', { retryAfterSeconds: 3600 - Math.floor((now.getTime() / 1000) % 3600) })
  }
  if (count === Math.ceil(limit * 0.8)) {
    countEvent('sms_budget_nearly_used_up')
    log.warn({ count, limit }, 'four fifths of the text messages of this hour are used')
  }
}
