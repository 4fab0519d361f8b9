import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { settleDebts } from '#features/wallet/server/door.ts'
import { moveWithdrawal, markPayoutCall, scheduleWithdrawal } from '../../set-aside/data.ts'
import type { WithdrawalRow } from '../../set-aside/data.ts'
import { lockWithdrawal } from '../../set-aside/data-parts.ts'
import { mailWithdrawalEvent } from '../mails.ts'
import { returnTransfer } from '../reward-source.ts'

/** Above the deadline of every payout vendor's call: after that an earlier call has ended, and what the vendor does not know was not sent. */
const MAX_CALL_MS = 120_000
const RETRY_SECONDS = 30

/**
 * The last gate before a transfer is handed to its vendor: asked before every call, the first and each that repeats one the vendor does not
 * know. Where its user owes by now, the money that was set aside is the balance's again and pays the debt. False: nothing may be sent now.
 */
export async function claimPayoutCall(deps: Deps, { id }: WithdrawalRow): Promise<boolean> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const row = await lockWithdrawal(tx, id)
    if (row.state !== 'in_transit' || row.sent_tx === null) return false
    const owed = await settleDebts(tx, row.user_id)
    const isCalling = row.called_at !== null && row.now.getTime() - row.called_at.getTime() < MAX_CALL_MS
    if (owed === 0n) await markPayoutCall(tx, id)
    else if (isCalling) await scheduleWithdrawal(tx, id, RETRY_SECONDS)
    else await failForDebt(deps, tx, row)
    await tx.audit(owed === 0n ? 'withdrawal.calling' : 'withdrawal.stopped', `withdrawal:${row.withdrawal_no}`, { owed: formatUsd(owed) })
    crashPoint('payments.payout-call-commit')
    return owed === 0n
  })
}

async function failForDebt(deps: Deps, tx: Tx, row: WithdrawalRow): Promise<void> {
  const failed = await moveWithdrawal(tx, row.withdrawal_no, ['in_transit'], 'failed', { reason: 'debt' })
  if (!failed) return
  await returnTransfer(tx, row)
  await mailWithdrawalEvent(deps, tx, failed, 'failed')
  await tx.emit('withdrawal.failed', { withdrawalNo: row.withdrawal_no, userId: row.user_id })
}
