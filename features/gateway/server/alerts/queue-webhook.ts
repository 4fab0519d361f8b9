import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/transact.ts'
import { insertWebhook } from './data-alerts.ts'
import type { WebhookRow } from './data-alerts.ts'

/** Orders one delivery in the caller's transaction; the same id orders nothing. The job sends it and tries again with growing pauses. */
export async function queueWebhook(
  deps: Pick<Deps, 'jobs' | 'clock'>,
  tx: Tx,
  userId: string,
  id: string,
  event: WebhookRow['event'],
  data: Readonly<Record<string, string | number>>,
): Promise<void> {
  const body = JSON.stringify({ id, type: event, created_at: deps.clock.now().toISOString(), data })
  if (await insertWebhook(tx, { id, user_id: userId, event, body })) await deps.jobs.send(tx, 'gateway.webhook', { id })
}
