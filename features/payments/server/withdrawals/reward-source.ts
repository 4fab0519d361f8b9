import type { Tx } from '#platform/server/database/transact.ts'
import { refundTransaction, voidHold } from '#features/wallet/server/door.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import { payDebtFromHold } from '../set-aside/parts.ts'

/** Withdrawal data for the source of its money. Amount in nano-dollars. */
export interface FundedWithdrawal {
  readonly withdrawalNo: string
  readonly userId: string
  readonly amount: bigint
}

/** Source of the money of reward withdrawals, which is in `in_transit` from the request on. */
export interface RewardSource {
  /** Sets the money aside, once per number; returns the ledger transaction's id. Errors: INSUFFICIENT_FUNDS. */
  readonly take: (tx: Tx, withdrawal: FundedWithdrawal) => Promise<bigint>
  /** Returns the money of a failed withdrawal, once per number. */
  readonly giveBack: (tx: Tx, withdrawal: FundedWithdrawal) => Promise<void>
}

let registered: RewardSource | undefined

/** Registers the source. The feature that keeps rewards calls this once, before the server listens. */
export function registerRewardSource(source: RewardSource): void {
  if (registered && registered !== source) throw new Error('rewards have a source already')
  registered = source
}

export function requireRewardSource(): RewardSource {
  if (!registered) throw new Error('no feature keeps rewards')
  return registered
}

export const toFundedWithdrawal = (row: WithdrawalRow): FundedWithdrawal => ({ withdrawalNo: row.withdrawalNo, userId: row.userId, amount: row.amountNano })

/** Returns the money of a withdrawal that has not left to its user, less the user's debt. Returns the updated row. */
export async function releaseWithdrawal(tx: Tx, row: WithdrawalRow): Promise<WithdrawalRow> {
  if (row.source === 'reward') {
    await requireRewardSource().giveBack(tx, toFundedWithdrawal(row))
    return row
  }
  const left = await payDebtFromHold(tx, row)
  await voidHold(tx, row.withdrawalNo)
  return left.row
}

/** The transfer was refused or came back: its money, in `in_transit` again, is returned to the user. */
export async function returnTransfer(tx: Tx, row: WithdrawalRow): Promise<void> {
  if (row.source === 'reward') return requireRewardSource().giveBack(tx, toFundedWithdrawal(row))
  const kept = { userId: row.userId, amount: row.sentNano!, kind: 'withdraw.returned', ref: row.withdrawalNo } as const
  await refundTransaction(tx, { ...kept, of: row.sentTx!, from: 'in_transit' })
}
