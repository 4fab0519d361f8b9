import type { Deps, PersonalData } from '#platform/server/feature.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import { KEY_FIELDS } from '../contract.ts'
import { selectAlertSettings } from './alerts/data-alerts.ts'
import { selectKeyPage } from './keys/data.ts'
import { selectUsageDays } from './usage/data.ts'
import { toLimitsView } from './keys/stored-limits.ts'
import { maskKeySecret } from './keys/secret.ts'

const MAX_KEYS = 10_000

/**
 * Keys of a user, including deleted ones, without their secrets; use by day and model. Single calls can number millions and are not part of
 * the document: they come as a file that is streamed (`/user/usage.csv`).
 */
async function exportGatewayData({ db }: Deps, userId: string): Promise<unknown> {
  const { rows } = await selectKeyPage(db, userId, { includeDeleted: true, limit: MAX_KEYS, offset: 0 })
  const accountId = await openAccount(db, `user:${userId}`, { kind: 'customer' })
  const days = await selectUsageDays(
    db,
    { accountId, from: '2020-01-01', before: '9999-12-31', keyId: undefined, model: undefined },
    { group: 'model', atLeast: MAX_KEYS },
  )
  const alerts = await selectAlertSettings(db, userId)
  return {
    ...(alerts ? { alerts: { lowBalance: alerts.lowBalance === null ? null : formatUsd(alerts.lowBalance), webhookUrl: alerts.webhookUrl } } : {}),
    keys: rows.map((row) => ({
      ...pick(row, 'keyId', ...KEY_FIELDS),
      apiToken: maskKeySecret(row.last4),
      createdAt: row.createdAt,
      lastUseAt: row.lastUsedAt,
      deletedAt: row.deletedAt,
      limits: toLimitsView(row, row.onDisconnect),
    })),
    usage: days.rows.map((row) => ({
      day: row.day,
      model: row.name,
      calls: Number(row.calls),
      tokens: Number(row.tokens),
      amount: formatUsd(row.amount),
    })),
    ...(days.next ? { usageBefore: days.next } : {}),
    calls: '/user/usage.csv',
  }
}

export const gatewayPersonal: PersonalData = { exportOf: exportGatewayData }
