import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { createPublicSend } from '#platform/server/http/public-call.ts'
import type { PublicSend } from '#platform/server/http/public-call.ts'
import { signWebhook } from '#platform/server/sealing/sign-webhook.ts'
import { unseal } from '#platform/server/sealing/seal.ts'
import { findAlarmRoute } from './data.ts'
import { recordAlarmDelivery, countDeliveryAttempt } from './data-deliveries.ts'

export const ALARM_HOOK_PURPOSE = 'backoffice.alarm-hook'
const DEADLINE_MS = 10_000
const MAX_ATTEMPTS = 9

/** Attempts a delivery once. Status 200 to 299 counts as delivered; anything else is retried. A test delivery is not retried. */
export async function deliverAlarmHook(deps: Deps, { id }: { readonly id: string }, send: PublicSend = createPublicSend()): Promise<void> {
  const row = await countDeliveryAttempt(deps.db, id)
  if (!row) return
  const end = (state: 'waiting' | 'sent' | 'failed', problem: string | null) => recordAlarmDelivery(deps.db, id, { state, problem, at: deps.clock.now() })
  const way = await findAlarmRoute(deps.db, row.wayId)
  if (!way?.secretSealed || way.endedAt) return end('failed', 'the way was removed')
  const secret = unseal(deps.secretKeys, ALARM_HOOK_PURPOSE, { owner: way.id, sealed: way.secretSealed })
  let problem: string
  try {
    const signature = signWebhook(secret, row.body, Math.floor(deps.clock.now().getTime() / 1000))
    const status = await send({
      url: way.address,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mingxi-Alarm/1',
        'x-mingxi-event': row.kind,
        'x-mingxi-delivery': id,
        'x-mingxi-signature': signature,
      },
      body: row.body,
      deadlineMs: DEADLINE_MS,
    })
    if (status >= 200 && status < 300) return await end('sent', null)
    problem = `the answer was HTTP ${status}`
  } catch (error) {
    problem = (error as Error).message.slice(0, 200)
  }
  const isLast = row.kind === 'test' || row.attempts >= MAX_ATTEMPTS
  await end(isLast ? 'failed' : 'waiting', problem)
  if (isLast && row.kind !== 'test') countEvent('alarms.webhook_failed')
  if (!isLast) throw new Error(`an alarm's webhook was not taken: ${problem}`)
}
