import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { Failure } from '#platform/shared/errors.ts'
import { toMinorUnitsDown, formatUsd, floorToCents } from '#platform/shared/money.ts'
import { captureHold, readRewardBalance, settleDebts, systemAccount, voidHold } from '#features/wallet/server/door.ts'
import { LIVE_REFUNDS } from '../../../words.ts'
import { startParts } from '../channel-first.ts'
import { moveWithdrawal, markTransferSent } from '../../set-aside/data.ts'
import type { WithdrawalRow } from '../../set-aside/data.ts'
import { lockWithdrawal, selectWithdrawalParts } from '../../set-aside/data-parts.ts'
import { isOnHold } from '../hold/on-hold.ts'
import { mailWithdrawalEvent } from '../mails.ts'
import { isAwaitingRefunds, payDebtFromHold } from '../../set-aside/parts.ts'
import { toFundedWithdrawal, releaseWithdrawal, requireRewardSource } from '../reward-source.ts'
import type { Payout } from '../vendors/port.ts'

const FIRST_SECONDS = 5

/** Starts a withdrawal, once: creates the refunds of its source orders, in the order of their payments. */
export async function startChannelRefunds(deps: Deps, row: WithdrawalRow, payout: Payout): Promise<WithdrawalRow | undefined> {
  const no = row.withdrawal_no
  crashPoint('payments.payout-before-leave')
  return handleExpiredHold(deps, row, () =>
    transact(deps.db, SYSTEM, async (tx) => {
      const moved = await moveWithdrawal(tx, no, [row.state], 'in_transit', { vendor: payout.name, seconds: FIRST_SECONDS })
      if (!moved) return undefined
      if (moved.source === 'balance') await startParts(deps, tx, moved)
      const left = await lockWithdrawal(tx, moved.id)
      await tx.audit('withdrawal.left', `withdrawal:${no}`, { overChannels: formatUsd(left.channel_nano), payout: payout.name })
      crashPoint('payments.payout-parts-commit')
      return left
    }),
  )
}

/**
 * Moves the rest that no channel refunds to `in_transit` for the transfer, and commits a mark before the call may leave. `waiting`:
 * refunds are in progress. Undefined: there is no transfer to send.
 */
export async function prepareTransfer(deps: Deps, row: WithdrawalRow, payout: Payout): Promise<WithdrawalRow | 'waiting' | undefined> {
  const no = row.withdrawal_no
  return handleExpiredHold(deps, row, () =>
    transact(deps.db, SYSTEM, async (tx) => {
      const locked = await lockWithdrawal(tx, row.id)
      if (!isAwaitingRefunds(locked)) return undefined
      if (isOnHold(locked)) return 'waiting'
      if ((await selectWithdrawalParts(tx, [row.id])).some(({ state }) => state !== 'succeeded' && LIVE_REFUNDS.includes(state))) return 'waiting'
      await tx.audit('withdrawal.transfer', `withdrawal:${no}`, { overChannels: formatUsd(locked.channel_nano) })
      if (locked.source === 'reward') return prepareRewardTransfer(deps, tx, locked)
      const { row: left, held } = await payDebtFromHold(tx, locked)
      const amount = floorToCents(held)
      const minor = amount === row.amount_nano ? row.pay_minor : toMinorUnitsDown(amount, row.rate)
      // A rest below the vendor's minimum stays in the balance, if the other part was refunded or paid a debt.
      if (minor <= 0n || (minor < payout.minMinor && (left.channel_nano > 0n || left.taken_nano > 0n)))
        return left.channel_nano > 0n ? finishWithoutTransfer(tx, no) : failUnsent(deps, tx, no, 'debt')
      if (locked.sealed === null) return failUnsent(deps, tx, no, 'payee')
      const { transactionId } = await captureHold(tx, { holdId: no, amount, kind: 'withdraw.sent', ref: no, to: systemAccount('in_transit') })
      crashPoint('payments.payout-leave-commit')
      return markTransferSent(tx, row.id, { transactionId, amount, minor })
    }),
  )
}

/** Finishes a withdrawal whose refunds are all that leaves; each refund has sent its own mail. */
async function finishWithoutTransfer(tx: Tx, no: string): Promise<undefined> {
  const paid = await moveWithdrawal(tx, no, ['in_transit'], 'paid')
  if (!paid) return
  await voidHold(tx, no)
  await tx.emit('withdrawal.paid', { withdrawalNo: no, userId: paid.user_id })
}

/** Sends rewards, which pay no debt, only while the user has none. A debt that arises a moment later does not stop them. */
async function prepareRewardTransfer(deps: Deps, tx: Tx, row: WithdrawalRow): Promise<WithdrawalRow | undefined> {
  const transactionId = await requireRewardSource().take(tx, toFundedWithdrawal(row))
  if ((await settleDebts(tx, row.user_id)) > 0n || (await readRewardBalance(tx, row.user_id)) < 0n) return failUnsent(deps, tx, row.withdrawal_no, 'debt')
  return markTransferSent(tx, row.id, { transactionId, amount: row.amount_nano, minor: row.pay_minor })
}

/**
 * Fails a withdrawal without a transfer and returns the rest to the user, with the reason. `payee`: the channels were to refund all
 * of it and took less than planned. `debt`: the user's debt took it.
 */
async function failUnsent(deps: Deps, tx: Tx, no: string, reason: 'payee' | 'debt'): Promise<undefined> {
  const failed = await moveWithdrawal(tx, no, ['in_transit'], 'failed', { reason })
  if (!failed) return
  await mailWithdrawalEvent(deps, tx, await releaseWithdrawal(tx, failed), 'failed')
  await tx.emit('withdrawal.failed', { withdrawalNo: no, userId: failed.user_id })
}

/** Handles a hold that expired while waiting: the unrefunded rest is already back in the balance. */
async function handleExpiredHold<T>(deps: Deps, row: WithdrawalRow, work: () => Promise<T>): Promise<T | undefined> {
  const no = row.withdrawal_no
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || (error.errorName !== 'HOLD_CLOSED' && error.errorName !== 'HOLD_UNKNOWN')) throw error
    await transact(deps.db, SYSTEM, async (tx) => {
      const failed = await moveWithdrawal(tx, no, [row.state], 'failed', { reason: 'refused' })
      if (failed) await mailWithdrawalEvent(deps, tx, failed, 'failed')
      await tx.audit('withdrawal.failed', `withdrawal:${no}`, { why: error.errorName })
    })
    return undefined
  }
}
