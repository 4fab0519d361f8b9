import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { withdrawContract } from '../../../contract-withdraw.ts'
import { selectWithdrawalSteps, selectWithdrawalByNo, selectUserWithdrawals } from '../../set-aside/data.ts'
import { selectWithdrawalParts } from '../../set-aside/data-parts.ts'
import { toWithdrawalView } from '../view.ts'
import { loadWithdrawalWithWays } from '../eligibility.ts'

export const withdrawalList: Handler<typeof withdrawContract.withdrawalList> = async (ctx, { cursor, pageSize }) => {
  const rows = await selectUserWithdrawals(ctx.db, ctx.userId, { before: cursor, limit: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  const parts = await selectWithdrawalParts(
    ctx.db,
    shown.map(({ id }) => id),
  )
  return { rowList: shown.map((row) => toWithdrawalView(row, parts)), nextCursor: rows.length > pageSize ? String(shown.at(-1)!.id) : null }
}

export const withdrawalDetail: Handler<typeof withdrawContract.withdrawalDetail> = async (ctx, { withdrawalNo }) => {
  const row = (await selectWithdrawalByNo(ctx.db, withdrawalNo, ctx.userId)) ?? fail('WITHDRAWAL_NOT_FOUND')
  const timeline = (await selectWithdrawalSteps(ctx.db, row.id)).map(({ at, state, reason, actor }) => ({
    at: at.toISOString(),
    state,
    reason,
    by: actor.startsWith('user:') ? ('user' as const) : actor.startsWith('operator:') ? ('operator' as const) : ('system' as const),
  }))
  return { ...(await loadWithdrawalWithWays(ctx, ctx.db, row)), timeline }
}
