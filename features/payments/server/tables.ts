/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */
import type { Lang } from '#platform/shared/languages.ts'

export interface PaymentsAgreementEdgesRow {
  readonly fromState: string
  readonly toState: string
}

export interface PaymentsAgreementNoticesRow {
  readonly channelType: number
  readonly noticeId: string
  readonly agreementNo: string
  readonly receivedAt: Date
}

export interface PaymentsAgreementsRow {
  readonly agreementNo: string
  readonly userId: string
  readonly channelType: number
  readonly transactionType: number
  readonly state: 'signing' | 'active' | 'lapsed' | 'ending' | 'ended'
  readonly sealed: Buffer | null
  readonly label: string | null
  readonly everyDays: number
  readonly endedBy: 'user' | 'channel' | 'house' | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly signedAt: Date | null
  readonly endedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly checks: number
}

export interface PaymentsAttemptsRow {
  readonly id: bigint
  readonly orderId: bigint
  readonly channelType: number
  readonly transactionType: number
  readonly tradeFrom: string
  readonly tradeNo: string
  readonly state: 'prepared' | 'dispatched' | 'succeeded' | 'failed' | 'unknown'
  readonly form: 'qr' | 'redirect' | 'form' | null
  readonly opened: unknown
  readonly expiresAt: Date | null
  readonly reason: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export interface PaymentsAutoChargeEdgesRow {
  readonly fromState: string
  readonly toState: string
}

export interface PaymentsAutoChargesRow {
  readonly orderId: bigint
  readonly userId: string
  readonly agreementNo: string
  readonly state: 'announced' | 'charging' | 'paid' | 'refused' | 'lapsed' | 'skipped' | 'mismatch'
  readonly chargeAt: Date
  readonly day: Date
  readonly month: Date
  readonly refusal: 'declined' | 'authentication' | 'ended' | null
  readonly tries: number
  readonly nextTryAt: Date | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

export interface PaymentsAutoConsentsRow {
  readonly id: bigint
  readonly userId: string
  readonly agreementNo: string
  readonly at: Date
  readonly version: string
  readonly lang: Lang
  readonly channelType: number
  readonly transactionType: number
  readonly thresholdNano: bigint
  readonly amountNano: bigint
  readonly dayMostNano: bigint
  readonly monthMostNano: bigint
}

export interface PaymentsAutoPlansRow {
  readonly userId: string
  readonly state: 'off' | 'signing' | 'active' | 'attention' | 'stopped'
  readonly attention: 'declined' | 'authentication' | 'ended' | 'mismatch' | 'disputed' | null
  readonly agreementNo: string | null
  readonly thresholdNano: bigint | null
  readonly amountNano: bigint | null
  readonly dayMostNano: bigint | null
  readonly monthMostNano: bigint | null
  readonly refusals: number
  readonly coolUntil: Date
  readonly undoUntil: Date | null
  readonly updatedAt: Date
}

export interface PaymentsAutoSumsRow {
  readonly userId: string
  readonly period: 'day' | 'month'
  readonly starts: Date
  readonly charges: number
  readonly mostCharges: number
  readonly totalNano: bigint
  readonly mostNano: bigint
  readonly lateNano: bigint
}

export interface PaymentsChannelCostsRow {
  readonly id: bigint
  readonly channelType: number
  readonly kind: 'payment' | 'refund' | 'dispute' | 'dispute_won'
  readonly channelTxn: string
  readonly refundNo: string
  readonly day: Date
  readonly feeMinor: bigint
  readonly currency: string
  readonly createdAt: Date
}

export interface PaymentsDisputesRow {
  readonly id: bigint
  readonly channelType: number
  readonly disputeId: string
  readonly orderId: bigint
  readonly receiptId: bigint
  readonly minor: bigint
  readonly currency: string
  readonly state: 'open' | 'won' | 'lost'
  readonly clawedNano: bigint
  readonly postings: number
  readonly createdAt: Date
  readonly closedAt: Date | null
  readonly feeNano: bigint
  readonly feeOwedNano: bigint
  readonly dueAt: Date | null
}

export interface PaymentsEvidenceRow {
  readonly evidenceNo: string
  readonly disputePk: bigint
  readonly words: string
  readonly facts: unknown
  readonly state: 'waiting' | 'taken' | 'refused'
  readonly refusal: string
  readonly askedBy: string
  readonly askedAt: Date
  readonly nextCheckAt: Date | null
  readonly checks: number
  readonly endedAt: Date | null
}

export interface PaymentsFaultsRow {
  readonly id: bigint
  readonly channelType: number
  readonly day: Date
  readonly class: 'missing' | 'extra' | 'amount' | 'currency' | 'fee' | 'duplicate' | 'cross_day' | 'timezone'
  readonly kind: 'payment' | 'refund' | 'dispute' | 'dispute_won'
  readonly subject: string
  readonly tradeNo: string
  readonly ours: unknown
  readonly theirs: unknown
  readonly state: 'open' | 'approved' | 'dismissed'
  readonly actor: string | null
  readonly reason: string | null
  readonly decidedAt: Date | null
}

export interface PaymentsInvoiceFeesRow {
  readonly orderId: bigint
  readonly paperId: bigint
  readonly feeNano: bigint
  readonly chargedAt: Date
}

export interface PaymentsInvoiceOrdersRow {
  readonly paperId: bigint
  readonly orderId: bigint
  readonly amountNano: bigint
  readonly holds: boolean
}

export interface PaymentsInvoiceRequestsRow {
  readonly id: bigint
  readonly requestNo: string
  readonly userId: string
  readonly month: string
  readonly lang: Lang
  readonly details: unknown
  readonly note: string
  readonly agreedFee: string
  readonly state: 'open' | 'issued' | 'refused' | 'withdrawn'
  readonly askedAt: Date
  readonly endedAt: Date | null
  readonly paperNo: string | null
  readonly cause: string
  readonly answer: string
}

export interface PaymentsNoticeReadsRow {
  readonly orderId: bigint
  readonly readAt: Date
}

export interface PaymentsNoticesRow {
  readonly channelType: number
  readonly noticeId: string
  readonly orderId: bigint
  readonly tradeNo: string
  readonly event: string
  readonly receivedAt: Date
}

export interface PaymentsOrderEdgesRow {
  readonly fromState: string
  readonly toState: string
}

export interface PaymentsOrderStepsRow {
  readonly id: bigint
  readonly orderId: bigint
  readonly at: Date
  readonly fromState: string | null
  readonly toState: string
  readonly actor: string
  readonly reason: string
  readonly event: string | null
  readonly facts: unknown
}

export interface PaymentsOrdersRow {
  readonly id: bigint
  readonly orderNo: string
  readonly userId: string
  readonly orderType: number
  readonly state: string
  readonly amountNano: bigint
  readonly feePercent: string
  readonly feeNano: bigint
  readonly totalNano: bigint
  readonly rate: string
  readonly currency: 'CNY' | 'USD'
  readonly payMinor: bigint
  readonly channelType: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly transactionType: number
  readonly tradeFrom: 'QRCODE' | 'H5'
  readonly paidAt: Date | null
  readonly scanned: boolean
  readonly declined: boolean
  readonly nextCheckAt: Date | null
  readonly checks: number
  readonly askedAt: Date | null
  readonly seenAt: Date | null
  readonly baseState: 'paid' | 'fulfilled' | 'paid_late' | 'integrity_failure' | null
  readonly wishes: unknown
  readonly source: 'user' | 'auto'
  readonly fixedNano: bigint
  readonly discountNano: bigint
  readonly discountGiven: boolean
}

export interface PaymentsPaperCountersRow {
  readonly kind: 'receipt' | 'invoice'
  readonly year: number
  readonly last: number
}

export interface PaymentsPapersRow {
  readonly id: bigint
  readonly kind: 'receipt' | 'invoice'
  readonly year: number
  readonly number: number
  readonly paperNo: string
  readonly userId: string
  readonly month: string
  readonly orderNo: string
  readonly lang: Lang
  readonly amountNano: bigint
  readonly facts: unknown
  readonly issuedAt: Date
  readonly voidAt: Date | null
  readonly voidReason: string
  readonly replacedBy: string | null
}

export interface PaymentsPayoutAccountsRow {
  readonly userId: string
  readonly sealed: Buffer
  readonly digest: Buffer
  readonly shown: unknown
  readonly createdAt: Date
  readonly changedAt: Date | null
}

export interface PaymentsReceiptsRow {
  readonly id: bigint
  readonly channelType: number
  readonly channelTxn: string
  readonly orderId: bigint
  readonly tradeNo: string
  readonly paidMinor: bigint
  readonly currency: string
  readonly paidAt: Date
  readonly outcome: 'credited' | 'late' | 'again' | 'returning' | 'suspense'
  readonly worthNano: bigint
  readonly ledgerRef: string
  readonly createdAt: Date
}

export interface PaymentsRefundEdgesRow {
  readonly fromState: string
  readonly toState: string
}

export interface PaymentsRefundsRow {
  readonly id: bigint
  readonly refundNo: string
  readonly orderId: bigint
  readonly receiptId: bigint | null
  readonly source: 'balance' | 'revenue' | 'suspense' | 'held'
  readonly goesTo: 'channel' | 'balance'
  readonly amountNano: bigint
  readonly feeNano: bigint
  readonly minor: bigint
  readonly currency: string
  readonly state: 'requested' | 'approved' | 'dispatched' | 'unknown' | 'succeeded' | 'failed' | 'rejected' | 'reversed'
  readonly reason: string
  readonly askedBy: string
  readonly decidedBy: string | null
  readonly channelRefund: string | null
  readonly failure: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly checks: number
  readonly dispatchedAt: Date | null
}

export interface PaymentsResolutionsRow {
  readonly receiptId: bigint
  readonly amountNano: bigint
  readonly ledgerRef: string
  readonly actor: string
  readonly reason: string
  readonly createdAt: Date
}

export interface PaymentsSandboxAgreementNoticesRow {
  readonly id: bigint
  readonly noticeId: string
  readonly token: string
  readonly body: string
  readonly dueAt: Date
  readonly tries: number
  readonly doneAt: Date | null
}

export interface PaymentsSandboxAgreementsRow {
  readonly token: string
  readonly agreementNo: string
  readonly method: number
  readonly lang: Lang
  readonly notifyUrl: string
  readonly returnUrl: string
  readonly state: 'open' | 'active' | 'refused' | 'ended'
  readonly lostTrade: string | null
  readonly label: string | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

export interface PaymentsSandboxDisputesRow {
  readonly disputeId: string
  readonly txn: string
  readonly token: string
  readonly minor: bigint
  readonly state: 'open' | 'won' | 'lost'
  readonly createdAt: Date
  readonly turnsTo: 'won' | 'lost' | null
  readonly turnsAt: Date | null
  readonly evidenceNo: string | null
  readonly evidence: unknown
}

export interface PaymentsSandboxNoticesRow {
  readonly id: bigint
  readonly noticeId: string
  readonly token: string
  readonly body: string
  readonly badSignature: boolean
  readonly dueAt: Date
  readonly tries: number
  readonly doneAt: Date | null
}

export interface PaymentsSandboxPaymentsRow {
  readonly txn: string
  readonly token: string
  readonly minor: bigint
  readonly currency: string
  readonly paidAt: Date
  readonly payer: string | null
}

export interface PaymentsSandboxPayoutsRow {
  readonly payoutNo: string
  readonly account: string
  readonly minor: bigint
  readonly state: 'paid' | 'pending' | 'refused' | 'returned'
  readonly txn: string
  readonly createdAt: Date
}

export interface PaymentsSandboxRefundsRow {
  readonly refundNo: string
  readonly txn: string
  readonly token: string
  readonly minor: bigint
  readonly state: 'pending' | 'succeeded' | 'stuck' | 'failed'
  readonly notifyUrl: string
  readonly createdAt: Date
  readonly turnsTo: 'succeeded' | 'failed' | null
  readonly turnsAt: Date | null
}

export interface PaymentsSandboxTradesRow {
  readonly token: string
  readonly tradeNo: string
  readonly minor: bigint
  readonly currency: string
  readonly subject: string
  readonly magic: string
  readonly method: number
  readonly form: string
  readonly lang: Lang
  readonly notifyUrl: string
  readonly returnUrl: string
  readonly state: 'open' | 'paid' | 'declined' | 'closed'
  readonly scanned: boolean
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly payDueAt: Date | null
  readonly hideQueries: number
  readonly refusal: string | null
}

export interface PaymentsStatementsRow {
  readonly channelType: number
  readonly day: Date
  readonly state: 'waiting' | 'compared'
  readonly lines: number | null
  readonly nextCheckAt: Date | null
  readonly checks: number
  readonly comparedAt: Date | null
}

export interface PaymentsStraysRow {
  readonly channelType: number
  readonly channelTxn: string
  readonly tradeNo: string
  readonly minor: bigint
  readonly currency: string
  readonly at: Date
  readonly faultId: bigint
  readonly ledgerRef: string
}

export interface PaymentsWithdrawalEdgesRow {
  readonly fromState: string
  readonly toState: string
}

export interface PaymentsWithdrawalPartsRow {
  readonly refundId: bigint
  readonly withdrawalId: bigint
  readonly amountNano: bigint
  readonly lost: boolean
}

export interface PaymentsWithdrawalStepsRow {
  readonly id: bigint
  readonly withdrawalId: bigint
  readonly at: Date
  readonly state: string
  readonly actor: string
  readonly reason: string
}

export interface PaymentsWithdrawalsRow {
  readonly id: bigint
  readonly withdrawalNo: string
  readonly userId: string
  readonly amountNano: bigint
  readonly rate: string
  readonly payMinor: bigint
  readonly state: 'requested' | 'approving' | 'approved' | 'in_transit' | 'paid' | 'failed' | 'returned' | 'rejected' | 'cancelled'
  readonly sealed: Buffer | null
  readonly shown: unknown
  readonly payoutVendor: string | null
  readonly payoutTxn: string | null
  readonly sentTx: bigint | null
  readonly reason: string
  readonly decidedBy: string | null
  readonly createdAt: Date
  readonly payAfter: Date | null
  readonly dispatchedAt: Date | null
  readonly finishedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly checks: number
  readonly channelNano: bigint
  readonly sentNano: bigint | null
  readonly sentMinor: bigint | null
  readonly source: 'balance' | 'reward'
  readonly heldAt: Date | null
  readonly heldBy: string | null
  readonly heldUntil: Date | null
  readonly heldWhy: string
  readonly takenNano: bigint
  readonly calledAt: Date | null
}
