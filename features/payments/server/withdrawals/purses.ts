import type { Tx } from '#platform/server/database/transact.ts'
import { refund, voidHold } from '#features/wallet/server/door.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import { payDebt } from '../set-aside/parts.ts'

/** Withdrawal data for the source of its money. Amount in nano-dollars. */
export interface PursedWithdrawal {
  readonly withdrawalNo: string
  readonly userId: string
  readonly amount: bigint
}

/** Source of the money of reward withdrawals, which is in `in_transit` from the request on. */
export interface RewardPurse {
  /** Sets the money aside, once per number; returns the ledger transaction's id. Errors: INSUFFICIENT_FUNDS. */
  readonly take: (tx: Tx, withdrawal: PursedWithdrawal) => Promise<bigint>
  /** Returns the money of a failed withdrawal, once per number. */
  readonly giveBack: (tx: Tx, withdrawal: PursedWithdrawal) => Promise<void>
}

let rewards: RewardPurse | undefined

/** Registers the source. The feature that keeps rewards calls this once, before the server listens. */
export function registerRewardPurse(purse: RewardPurse): void {
  if (rewards && rewards !== purse) throw new Error('rewards have their purse already')
  rewards = purse
}

export function rewardPurse(): RewardPurse {
  if (!rewards) throw new Error('no feature keeps rewards')
  return rewards
}

export const pursed = (row: WithdrawalRow): PursedWithdrawal => ({ withdrawalNo: row.withdrawal_no, userId: row.user_id, amount: row.amount_nano })

/** Returns the money of a withdrawal that has not left to its user, less the user's debt. Returns the updated row. */
export async function releaseWithdrawal(tx: Tx, row: WithdrawalRow): Promise<WithdrawalRow> {
  if (row.source === 'reward') {
    await rewardPurse().giveBack(tx, pursed(row))
    return row
  }
  const left = await payDebt(tx, row)
  await voidHold(tx, row.withdrawal_no)
  return left.row
}

/** The transfer was refused or came back: its money, in `in_transit` again, is the user's. */
export async function returnTransfer(tx: Tx, row: WithdrawalRow): Promise<void> {
  if (row.source === 'reward') return rewardPurse().giveBack(tx, pursed(row))
  const kept = { userId: row.user_id, amount: row.sent_nano!, kind: 'withdraw.returned', ref: row.withdrawal_no } as const
  await refund(tx, { ...kept, of: row.sent_tx!, from: 'in_transit' })
}
