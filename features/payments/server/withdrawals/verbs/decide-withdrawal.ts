import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { arePayoutsFrozen } from '#features/account/server/door.ts'
import { moveWithdrawal, selectWithdrawalByNo } from '../../set-aside/data.ts'
import type { WithdrawalRow } from '../../set-aside/data.ts'
import { isOnHold } from '../hold/on-hold.ts'
import { mailWithdrawalEvent } from '../mails.ts'
import { releaseWithdrawal } from '../reward-source.ts'

/**
 * Approves or rejects a waiting withdrawal and stores `why`; the first decision wins. Errors: WITHDRAWAL_NOT_FOUND, WITHDRAWAL_OWN
 * (requesters cannot decide their own), WITHDRAWAL_DECIDED, WITHDRAWAL_HELD (only a rejection is possible), MONEY_OUT_FROZEN.
 * Source: money.md X1.
 */
export async function decideWithdrawal(
  deps: Deps,
  by: Actor,
  { withdrawalNo, decision, why }: { readonly withdrawalNo: string; readonly decision: 'approve' | 'reject'; readonly why: string },
): Promise<WithdrawalRow> {
  const asked = (await selectWithdrawalByNo(deps.db, withdrawalNo)) ?? fail('WITHDRAWAL_NOT_FOUND')
  if (by.id === asked.userId || by.kind !== 'operator') fail('WITHDRAWAL_OWN')
  return transact(deps.db, by, async (tx) => {
    if (decision === 'approve' && (await arePayoutsFrozen(tx, asked.userId))) fail('MONEY_OUT_FROZEN')
    const row =
      decision === 'approve'
        ? await moveWithdrawal(tx, withdrawalNo, { from: ['approving'], to: 'approved', more: { decidedBy: by.id, seconds: 0 } })
        : await moveWithdrawal(tx, withdrawalNo, { from: ['approving'], to: 'rejected', more: { decidedBy: by.id, reason: 'rejected' } })
    if (!row) fail(isOnHold((await selectWithdrawalByNo(tx, withdrawalNo)) ?? asked) ? 'WITHDRAWAL_HELD' : 'WITHDRAWAL_DECIDED')
    if (decision === 'reject') await mailWithdrawalEvent(deps, tx, { row: await releaseWithdrawal(tx, row), event: 'failed' })
    await tx.audit(`withdrawal.${row.state}`, `withdrawal:${withdrawalNo}`, { why })
    return row
  })
}
