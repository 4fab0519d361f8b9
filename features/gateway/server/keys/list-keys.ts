import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd, sumNano } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { pick } from '#platform/shared/pick.ts'
import { KEY_FIELDS, type gatewayContract } from '../../contract.ts'
import { selectKeyPage as selectKeys, type StoredKey } from './data.ts'
import { toKeyLimits, selectBudgetUse, type KeyBudgetUse } from './data-limits.ts'
import { selectOldSecrets, type OldSecret, selectKeyDays, type KeyDay } from './data-secrets.ts'
import { toLimitsView } from './stored-limits.ts'
import { maskKeySecret } from './secret.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { keysContract } from '../../contract-keys.ts'

const DAYS = 30
const DAY_MS = 86_400_000

/** Spending per key and day over the last 30 days, from the sums. Omits keys without use. */
export async function keySpend(ctx: Ctx): Promise<ReplyOf<(typeof keysContract)['keySpend']>> {
  const now = ctx.clock.now().getTime()
  const days = Array.from({ length: DAYS }, (_, at) => toShanghaiDay(now - (DAYS - 1 - at) * DAY_MS))
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const byKey = new Map<string, KeyDay[]>()
  for (const row of await selectKeyDays(ctx.db, accountId, days[0]!)) byKey.set(row.keyId, [...(byKey.get(row.keyId) ?? []), row])
  return {
    from: days[0]!,
    to: days.at(-1)!,
    keys: [...byKey].map(([keyId, rows]) => {
      const amounts = new Map(rows.map((row) => [row.day, row.amount]))
      return {
        keyId,
        days: days.map((day) => formatUsd(amounts.get(day) ?? 0n)),
        callNum: rows.reduce((calls, row) => calls + Number(row.calls), 0),
        consumeAmount: formatUsd(sumNano(rows.map((row) => row.amount))),
      }
    }),
  }
}

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
