import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { resizeHold } from '#features/wallet/server/door.ts'
import { scheduleWithdrawal, selectWithdrawalByNo } from '../../set-aside/data.ts'
import type { WithdrawalRow } from '../../set-aside/data.ts'
import { lockWithdrawal } from '../../set-aside/data-parts.ts'
import { WITHDRAWAL_HOLD_SECONDS } from '../../set-aside/parts.ts'
import { DECISION_DAYS } from '../start-withdrawal.ts'
import { liftHold, putOnHold } from './data.ts'
import { isOnHold } from './on-hold.ts'

/** Interval for renewing the ledger hold of a withdrawal on hold, so that it cannot expire during a review. */
const RENEW_SECONDS = 86_400

/** Puts a withdrawal on hold that has not left. Errors: WITHDRAWAL_NOT_FOUND, WITHDRAWAL_OWN, WITHDRAWAL_DECIDED. */
export async function holdWithdrawal(
  tx: Tx,
  by: Actor,
  { withdrawalNo, days, why }: { readonly withdrawalNo: string; readonly days: number | undefined; readonly why: string },
): Promise<WithdrawalRow> {
  await requireNotOwn(tx, by, withdrawalNo)
  const row = (await putOnHold(tx, withdrawalNo, { by: by.id, why, days })) ?? fail('WITHDRAWAL_DECIDED')
  await renewLedgerHold(tx, row)
  await tx.audit('withdrawal.held', `withdrawal:${withdrawalNo}`, { until: row.heldUntil?.toISOString() ?? null, reason: why })
  return row
}

/** Releases a withdrawal into the state before its hold. Errors: WITHDRAWAL_NOT_FOUND, WITHDRAWAL_OWN, WITHDRAWAL_NOT_HELD. */
export async function releaseHold(tx: Tx, by: Actor, { withdrawalNo, why }: { readonly withdrawalNo: string; readonly why: string }): Promise<WithdrawalRow> {
  await requireNotOwn(tx, by, withdrawalNo)
  const row = (await liftHold(tx, withdrawalNo, { patienceDays: DECISION_DAYS })) ?? fail('WITHDRAWAL_NOT_HELD')
  await tx.audit('withdrawal.released', `withdrawal:${withdrawalNo}`, { reason: why })
  return row
}

async function requireNotOwn(tx: Tx, by: Actor, withdrawalNo: string): Promise<void> {
  const row = (await selectWithdrawalByNo(tx, withdrawalNo)) ?? fail('WITHDRAWAL_NOT_FOUND')
  if (by.id === row.userId || by.kind !== 'operator') fail('WITHDRAWAL_OWN')
}

/** Job for a withdrawal on hold: renews its ledger hold, and releases it at the end of the hold. */
export async function maintainHold(deps: Deps, row: WithdrawalRow): Promise<void> {
  const no = row.withdrawalNo
  await transact(deps.db, SYSTEM, async (tx) => {
    if (await liftHold(tx, no, { patienceDays: DECISION_DAYS, onlyOver: true }))
      return tx.audit('withdrawal.released', `withdrawal:${no}`, { why: 'its end has come' })
    const locked = await lockWithdrawal(tx, row.id)
    if (!isOnHold(locked)) return
    await renewLedgerHold(tx, locked)
    const left = locked.heldUntil ? (locked.heldUntil.getTime() - locked.now.getTime()) / 1000 : RENEW_SECONDS
    await scheduleWithdrawal(tx, row.id, Math.min(left, RENEW_SECONDS))
  })
}

/** Renews the ledger hold. Only the balance has one; rewards are in `in_transit` from the request on. */
async function renewLedgerHold(tx: Tx, row: WithdrawalRow): Promise<void> {
  if (row.source === 'balance') await resizeHold(tx, row.withdrawalNo, { delta: 0n, options: { ttlSeconds: WITHDRAWAL_HOLD_SECONDS } })
}
