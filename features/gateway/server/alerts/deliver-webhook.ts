import type { Deps, SealedColumn } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { createPublicSend, type PublicSend } from '#platform/server/http/public-call.ts'
import { signWebhook } from '#platform/server/sealing/sign-webhook.ts'
import { unseal } from '#platform/server/sealing/seal.ts'
import { selectInactiveUsers } from '#features/account/server/door.ts'
import { selectAlertSettings, recordWebhookResult, beginWebhookAttempt } from './data-alerts.ts'

export const WEBHOOK_SECRET_PURPOSE = 'gateway.webhook'

/** Sealed columns that `npm run secrets:reseal` re-encrypts. */
export const sealedAlertColumns: readonly SealedColumn[] = [
  { table: 'gateway_alert_settings', column: 'webhook_secret', id: 'user_id', owner: 'user_id', purpose: WEBHOOK_SECRET_PURPOSE },
]

const DEADLINE_MS = 10_000
/** With the pauses of `queue-webhook.ts`, these attempts span about a day. */
const MAX_ATTEMPTS = 12

/**
 * Makes one delivery attempt. Any status from 200 to 299 completes it; everything else is retried until a day has passed or the webhook is
 * removed. A test is tried once.
 */
export async function deliverWebhook(deps: Deps, id: string, send: PublicSend = createPublicSend()): Promise<void> {
  const row = await beginWebhookAttempt(deps.db, id)
  if (!row) return
  if ((await selectInactiveUsers(deps.db, [row.userId])).size)
    return void (await recordWebhookResult(deps.db, id, { state: 'failed', problem: 'the account is frozen' }))
  const settings = await selectAlertSettings(deps.db, row.userId)
  if (!settings?.webhookUrl || !settings.webhookSecret)
    return void (await recordWebhookResult(deps.db, id, { state: 'failed', problem: 'the webhook was removed' }))
  const secret = unseal(deps.secretKeys, WEBHOOK_SECRET_PURPOSE, { owner: row.userId, sealed: settings.webhookSecret })
  let problem: string
  try {
    const status = await send({
      url: settings.webhookUrl,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mingxi-Webhook/1',
        'x-mingxi-event': row.event,
        'x-mingxi-delivery': id,
        'x-mingxi-signature': signWebhook(secret, row.body, Math.floor(deps.clock.now().getTime() / 1000)),
      },
      body: row.body,
      deadlineMs: DEADLINE_MS,
    })
    if (status >= 200 && status < 300) return void (await recordWebhookResult(deps.db, id, { state: 'sent', problem: null }))
    problem = `the answer was HTTP ${status}`
  } catch (error) {
    problem = (error as Error).message.slice(0, 200)
  }
  const isLast = row.event === 'test' || row.attempts >= MAX_ATTEMPTS
  await recordWebhookResult(deps.db, id, { state: isLast ? 'failed' : 'waiting', problem })
  countEvent('gateway.webhook_failed')
  if (!isLast) throw new Error(`a webhook was not taken: ${problem}`)
}
