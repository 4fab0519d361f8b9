import type { Ctx, Handler } from '#platform/server/feature.ts'
import { usd } from '#platform/shared/money.ts'
import { maskedContactsOf } from '#features/account/server/door.ts'
import type { invitationsContract } from '../../contract.ts'
import type { RewardRow as RewardView } from '../../contract-shapes.ts'
import type { ListFilter, RewardKind } from '../../words.ts'
import type { RewardRow } from '../rewards/data.ts'
import { countRewards, listRewards } from '../rewards/data-lists.ts'

interface Wish {
  readonly filter?: ListFilter
  readonly kind?: RewardKind
  readonly tiered?: boolean
  readonly cursor?: string | undefined
  readonly pageSize: number
}

async function page(ctx: Ctx, { filter = 'all', pageSize, ...wish }: Wish) {
  const rows = await listRewards(ctx.db, ctx.userId, { ...wish, filter, limit: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  const names = await maskedContactsOf(ctx.db, [...new Set(shown.map((row) => row.invitee_id))])
  return {
    rowList: shown.map((row) => rowView(row, names.get(row.invitee_id) ?? '')),
    nextCursor: rows.length > pageSize ? String(shown.at(-1)!.id) : null,
    counts: await countRewards(ctx.db, ctx.userId, wish),
  }
}

function rowView(row: RewardRow, invited: string): RewardView {
  return {
    id: String(row.id),
    createdTime: row.created_at.toISOString(),
    invited,
    orderNo: row.order_no,
    base: usd(row.base_nano),
    amount: usd(row.amount_nano),
    rewardType: row.kind,
    status: row.state === 'available' || row.state === 'paid' ? 'deposited' : 'pending',
    state: row.state,
    reason: row.reason === 'signals' ? 'review' : row.reason,
    ruleVersion: row.rule_version,
    rate: row.rate,
    availableTime: row.available_at.toISOString(),
    changedTime: row.changed_at.toISOString(),
  }
}

export const list: Handler<typeof invitationsContract.list> = page

/** The lists by kind: all of them paged, none filtered. */
interface Paging {
  readonly cursor?: string | undefined
  readonly pageSize: number
}
export const listDirect = (ctx: Ctx, { cursor, pageSize }: Paging) => page(ctx, { cursor, pageSize, kind: 'direct' })
export const listSecond = (ctx: Ctx, { cursor, pageSize }: Paging) => page(ctx, { cursor, pageSize, kind: 'second' })
export const listTiered = (ctx: Ctx, { cursor, pageSize }: Paging) => page(ctx, { cursor, pageSize, tiered: true })
export const listCashback = (ctx: Ctx, { cursor, pageSize }: Paging) => page(ctx, { cursor, pageSize, kind: 'cashback' })
