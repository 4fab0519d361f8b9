import type { SealedColumn } from '#platform/server/feature.ts'

export const WEBHOOK_SECRET_PURPOSE = 'gateway.webhook'

/** Sealed columns that `npm run secrets:reseal` re-encrypts. */
export const sealedAlertColumns: readonly SealedColumn[] = [
  { table: 'gateway_alert_settings', column: 'webhook_secret', id: 'user_id', owner: 'user_id', purpose: WEBHOOK_SECRET_PURPOSE },
]
