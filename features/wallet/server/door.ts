/** The wallet's verbs for other features. Every verb that moves money takes the caller's transaction. */
export { cardAccount, systemAccount, userAccount } from './accounts.ts'
export type { AccountKind, AccountName, Leg, LotKind, AccountOwner, PostingResult, Posting } from './accounts.ts'
export {
  readBalance,
  readCardBalances,
  openAccount,
  readPostedBalances,
  readPostedBalance,
  readRewardBalance,
  listBalanceEntries,
  readUnspentCredit,
} from './verbs/balance.ts'
export type { Balance, CardBalance } from './verbs/balance.ts'
export { captureHold, captureHolds } from './verbs/capture.ts'
export type { Capture, CaptureResult, LeaseCharge } from './verbs/capture.ts'
export { creditUser } from './verbs/credit.ts'
export type { Credit } from './verbs/credit.ts'
export { readDebt, refuseDebt, requireNoDebt, settleDebts, listUnpaidDebts, roundDebtUp } from './verbs/debts.ts'
export { extendHold, placeHold, resizeHold, voidHold } from './verbs/hold.ts'
export type { Hold } from './verbs/hold.ts'
export { sumCaptured, sumRefunded, sumMovements } from './verbs/movements.ts'
export type { MovementSum } from './verbs/movements.ts'
export { registerMovementFacts, registerUsageSource } from './funds/sources.ts'
export type { MovementFactsSource, MovementFacts, UsageDay, UsageSource } from './funds/sources.ts'
export { postTransaction } from './verbs/post.ts'
export { refundTransaction, sumTakenFromLots, requireTransactionId } from './verbs/refund.ts'
export type { RefundInput, TransactionKey } from './verbs/refund.ts'
export { verifyLedger } from './verify.ts'
export { replayJournal } from './replay.ts'
