import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { gatewayContract } from '../../contract.ts'
import { selectKeyPage as selectKeys } from './data.ts'
import type { StoredKey } from './data.ts'
import { toKeyLimits, selectBudgetUse } from './data-limits.ts'
import type { KeyBudgetUse } from './data-limits.ts'
import { selectOldSecrets } from './data-secrets.ts'
import type { OldSecret } from './data-secrets.ts'
import { toLimitsView } from './stored-limits.ts'
import { maskKeySecret } from './secret.ts'

type Endpoint = (typeof gatewayContract)['listKeys']

export async function listKeys(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const { pageNum, pageSize } = input
  const { rows, total } = await selectKeys(ctx.db, ctx.userId, input.includeDeleted === 'true', pageSize, (pageNum - 1) * pageSize)
  const counted = rows.filter((row) => toKeyLimits(row)?.counted === true && row.deleted_at === null).map((row) => row.key_id)
  const uses = counted.length ? await selectBudgetUse(ctx.db, counted, toShanghaiDay(ctx.clock.now())) : []
  const useOf = new Map(uses.map((use) => [use.key_id, use]))
  const old = rows.length
    ? await selectOldSecrets(
        ctx.db,
        rows.map((row) => row.key_id),
      )
    : []
  const oldOf = new Map(old.map((secret) => [secret.key_id, secret]))
  return {
    rowList: rows.map((row) => ({
      keyId: row.key_id,
      keyName: row.name,
      apiToken: maskKeySecret(row.last4),
      createdAt: row.created_at.toISOString(),
      lastUseAt: row.last_used_at?.toISOString() ?? null,
      lastFrom: row.last_from,
      lastModel: row.last_model,
      lastVendor: row.last_vendor,
      status: getKeyStatus(row),
      pausedAt: row.deleted_at ? null : (row.paused_at?.toISOString() ?? null),
      rotation: row.deleted_at ? null : toRotationView(oldOf.get(row.key_id)),
      limits: toKeyLimits(row) || row.on_disconnect === 'drain' ? toLimitsView(row, row.on_disconnect) : null,
      use: toUseView(useOf.get(row.key_id)),
    })),
    pageNum,
    pageSize,
    totalPage: Math.ceil(total / pageSize),
    totalRecord: total,
  }
}

function getKeyStatus(row: StoredKey) {
  if (row.deleted_at) return 'deleted' as const
  if (row.paused_at) return 'paused' as const
  return row.disabled_at ? ('disabled' as const) : ('active' as const)
}

function toRotationView(old: OldSecret | undefined) {
  if (!old) return null
  return { apiToken: maskKeySecret(old.last4), endsAt: old.ends_at.toISOString(), calls: Number(old.calls), lastUseAt: old.last_used_at?.toISOString() ?? null }
}

function toUseView(use: KeyBudgetUse | undefined) {
  if (!use) return null
  return { dayAmount: formatUsd(use.day_spent), monthAmount: formatUsd(use.month_spent), heldAmount: formatUsd(use.held), openCalls: Number(use.open_calls) }
}
