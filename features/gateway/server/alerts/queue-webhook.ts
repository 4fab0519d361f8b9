import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/transact.ts'
import { insertWebhook } from './data-alerts.ts'
import type { WebhookRow } from './data-alerts.ts'

/** A receiver may be down for a night. With these pauses the twelve tries take about a day (`deliver-webhook.ts` says when it is enough). */
const RETRY = { times: 20, firstSeconds: 30, longestSeconds: 43_200 }

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
  if (await insertWebhook(tx, { id, user_id: userId, event, body })) await deps.jobs.send(tx, 'gateway.webhook', { id }, { retry: RETRY })
}
