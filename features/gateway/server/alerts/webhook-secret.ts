import type { SealedColumn } from '#platform/server/feature.ts'

export const SECRET_PURPOSE = 'gateway.webhook'

/** Sealed columns that `npm run secrets:reseal` re-encrypts. */
export const alertsSealed: readonly SealedColumn[] = [
  { table: 'gateway_alert_settings', column: 'webhook_secret', id: 'user_id', owner: 'user_id', purpose: SECRET_PURPOSE },
]
