import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { withdrawContract } from '../../../contract-withdraw.ts'
import { moveWithdrawal, selectWithdrawalByNo } from '../../set-aside/data.ts'
import { releaseWithdrawal } from '../reward-source.ts'
import { CANCELLABLE, toWithdrawalView } from '../view.ts'

/** The first statement wins against a concurrent approval or start. */
export const cancelWithdrawal: Handler<typeof withdrawContract.cancelWithdrawal> = async (ctx, { withdrawalNo }) => {
  if (!(await selectWithdrawalByNo(ctx.db, withdrawalNo, ctx.userId))) fail('WITHDRAWAL_NOT_FOUND')
  return transact(ctx.db, ctx.actor, async (tx) => {
    const row = (await moveWithdrawal(tx, withdrawalNo, { from: CANCELLABLE, to: 'cancelled', more: { reason: 'cancelled' } })) ?? fail('WITHDRAWAL_DECIDED')
    const freed = await releaseWithdrawal(tx, row)
    await tx.audit('withdrawal.cancelled', `withdrawal:${withdrawalNo}`)
    return toWithdrawalView(freed)
  })
}
