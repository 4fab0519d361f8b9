import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { insertWebhook, lockAlertSettings } from './data-alerts.ts'
import type { WebhookRow } from './data-alerts.ts'

/** A receiver may be down for a night. With these pauses the twelve attempts span about a day (`deliver-webhook.ts` sets the limit). */
const RETRY_POLICY = { times: 20, firstSeconds: 30, longestSeconds: 43_200 }

/** A test is sent once: its result is for the user who is looking at the page. */
const NO_RETRY = { times: 0, firstSeconds: 1, longestSeconds: 1 }
/** Waiting deliveries per user. Beyond it a delivery is recorded as failed and not sent. */
const MAX_WAITING = 50

/**
 * Queues one webhook delivery in the caller's transaction; idempotent by id. The job retries with growing backoff; test messages are
 * sent once. Deliveries are serialized per user and do not block other users.
 */
export async function queueWebhook(
  deps: Pick<Deps, 'jobs' | 'clock'>,
  tx: Tx,
  {
    userId,
    id,
    event,
    data,
  }: { readonly userId: string; readonly id: string; readonly event: WebhookRow['event']; readonly data: Readonly<Record<string, string | number>> },
): Promise<void> {
  const body = JSON.stringify({ id, type: event, created_at: deps.clock.now().toISOString(), data })
  await lockAlertSettings(tx, userId)
  const state = await insertWebhook(tx, { id, userId, event, body }, MAX_WAITING)
  if (state === 'waiting') await deps.jobs.send(tx, { name: 'gateway.webhook', group: userId, retry: event === 'test' ? NO_RETRY : RETRY_POLICY }, { id })
}
