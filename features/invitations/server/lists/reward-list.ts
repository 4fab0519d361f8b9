import type { Ctx, Handler } from '#platform/server/feature.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { loadMaskedContacts } from '#features/account/server/door.ts'
import type { invitationsContract } from '../../contract.ts'
import type { RewardRow as RewardView } from '../../contract-shapes.ts'
import type { RewardListFilter, RewardKind } from '../../words.ts'
import type { RewardRow } from '../rewards/data.ts'
import { countRewards, listRewards } from '../rewards/data-lists.ts'

interface RewardQuery {
  readonly filter?: RewardListFilter
  readonly kind?: RewardKind
  readonly tiered?: boolean
  readonly cursor?: string | undefined
  readonly pageSize: number
}

async function readRewardPage(ctx: Ctx, { filter = 'all', pageSize, ...wish }: RewardQuery) {
  const rows = await listRewards(ctx.db, ctx.userId, { ...wish, filter, limit: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  const names = await loadMaskedContacts(ctx.db, [...new Set(shown.map((row) => row.inviteeId))])
  return {
    rowList: shown.map((row) => toRewardRow(row, names.get(row.inviteeId) ?? '')),
    nextCursor: rows.length > pageSize ? String(shown.at(-1)!.id) : null,
    counts: await countRewards(ctx.db, ctx.userId, wish),
  }
}

function toRewardRow(row: RewardRow, invited: string): RewardView {
  return {
    id: String(row.id),
    createdTime: row.createdAt.toISOString(),
    invited,
    orderNo: row.orderNo,
    base: formatUsd(row.baseNano),
    amount: formatUsd(row.amountNano),
    rewardType: row.kind,
    status: row.state === 'available' || row.state === 'paid' ? 'deposited' : 'pending',
    state: row.state,
    reason: row.reason === 'signals' ? 'review' : row.reason,
    ruleVersion: row.ruleVersion,
    rate: row.rate,
    availableTime: row.availableAt.toISOString(),
    changedTime: row.changedAt.toISOString(),
  }
}

export const listInvitationRewards: Handler<typeof invitationsContract.list> = readRewardPage

/** The lists by kind: all of them paged, none filtered. */
interface Paging {
  readonly cursor?: string | undefined
  readonly pageSize: number
}
export const listDirect = (ctx: Ctx, { cursor, pageSize }: Paging) => readRewardPage(ctx, { cursor, pageSize, kind: 'direct' })
export const listSecond = (ctx: Ctx, { cursor, pageSize }: Paging) => readRewardPage(ctx, { cursor, pageSize, kind: 'second' })
export const listTiered = (ctx: Ctx, { cursor, pageSize }: Paging) => readRewardPage(ctx, { cursor, pageSize, tiered: true })
export const listCashback = (ctx: Ctx, { cursor, pageSize }: Paging) => readRewardPage(ctx, { cursor, pageSize, kind: 'cashback' })
