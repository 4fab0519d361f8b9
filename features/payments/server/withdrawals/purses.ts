import type { Tx } from '#platform/server/database/transact.ts'
import { refund, voidHold } from '#features/wallet/server/door.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import { payDebt } from '../set-aside/parts.ts'

/** A withdrawal as the purse that it empties sees it. Amount in nano-dollars. */
export interface PursedWithdrawal {
  readonly withdrawalNo: string
  readonly userId: string
  readonly amount: bigint
}

/** Where the money of withdrawals that are not the balance's comes from: it is in `in_transit` from the request on. */
export interface RewardPurse {
  /** Sets the money aside, once a number, and names the ledger's transaction. Errors: INSUFFICIENT_FUNDS. */
  readonly take: (tx: Tx, withdrawal: PursedWithdrawal) => Promise<bigint>
  /** It will not arrive: puts the money back, once a number. */
  readonly giveBack: (tx: Tx, withdrawal: PursedWithdrawal) => Promise<void>
}

let rewards: RewardPurse | undefined

/** The feature that keeps rewards calls it once, before the server listens. */
export function registerRewardPurse(purse: RewardPurse): void {
  if (rewards && rewards !== purse) throw new Error('rewards have their purse already')
  rewards = purse
}

export function rewardPurse(): RewardPurse {
  if (!rewards) throw new Error('no feature keeps rewards')
  return rewards
}

export const pursed = (row: WithdrawalRow): PursedWithdrawal => ({ withdrawalNo: row.withdrawal_no, userId: row.user_id, amount: row.amount_nano })

/** What was set aside for a withdrawal that has not left is the user's again, less what he owes. Returns the row as it is then. */
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
