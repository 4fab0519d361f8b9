import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { pick } from '#platform/shared/pick.ts'
import { KEY_FIELDS } from '../../contract.ts'
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
  const { rows, total } = await selectKeys(ctx.db, ctx.userId, {
    includeDeleted: input.includeDeleted === 'true',
    limit: pageSize,
    offset: (pageNum - 1) * pageSize,
  })
  const counted = rows.filter((row) => toKeyLimits(row)?.counted === true && row.deletedAt === null).map((row) => row.keyId)
  const uses = counted.length ? await selectBudgetUse(ctx.db, counted, toShanghaiDay(ctx.clock.now())) : []
  const useOf = new Map(uses.map((use) => [use.keyId, use]))
  const old = rows.length
    ? await selectOldSecrets(
        ctx.db,
        rows.map((row) => row.keyId),
      )
    : []
  const oldOf = new Map(old.map((secret) => [secret.keyId, secret]))
  return {
    rowList: rows.map((row) => ({
      ...pick(row, 'keyId', ...KEY_FIELDS, 'lastFrom', 'lastModel', 'lastVendor'),
      apiToken: maskKeySecret(row.last4),
      createdAt: row.createdAt.toISOString(),
      lastUseAt: row.lastUsedAt?.toISOString() ?? null,
      status: getKeyStatus(row),
      pausedAt: row.deletedAt ? null : (row.pausedAt?.toISOString() ?? null),
      rotation: row.deletedAt ? null : toRotationView(oldOf.get(row.keyId)),
      limits: toKeyLimits(row) || row.onDisconnect === 'drain' ? toLimitsView(row, row.onDisconnect) : null,
      use: toUseView(useOf.get(row.keyId)),
    })),
    pageNum,
    pageSize,
    totalPage: Math.ceil(total / pageSize),
    totalRecord: total,
  }
}

function getKeyStatus(row: StoredKey) {
  if (row.deletedAt) return 'deleted' as const
  if (row.pausedAt) return 'paused' as const
  return row.disabledAt ? ('disabled' as const) : ('active' as const)
}

function toRotationView(old: OldSecret | undefined) {
  if (!old) return null
  return { apiToken: maskKeySecret(old.last4), endsAt: old.endsAt.toISOString(), calls: Number(old.calls), lastUseAt: old.lastUsedAt?.toISOString() ?? null }
}

function toUseView(use: KeyBudgetUse | undefined) {
  if (!use) return null
  return { dayAmount: formatUsd(use.daySpent), monthAmount: formatUsd(use.monthSpent), heldAmount: formatUsd(use.held), openCalls: Number(use.openCalls) }
}
