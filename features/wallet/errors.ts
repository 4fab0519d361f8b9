import { defineErrors } from '#platform/shared/errors.ts'

/** For features whose calls let money leave: spread it into their own errors. */
export const debtErrors = defineErrors({
  /** The user owes `data.owed` on the balance or a card: nothing leaves before it is paid. A top-up pays it. */
  DEBT_FIRST: { code: 1039, status: 200 },
})

/** Errors of the ledger. The names are also the messages of the SQL functions' MX001 errors (migration 0002). */
export const walletErrors = defineErrors({
  INSUFFICIENT_FUNDS: { code: 3001, status: 200 },
  LEDGER_REF_REUSED: { code: 3002, status: 200 },
  HOLD_CLOSED: { code: 3003, status: 200 },
  HOLD_UNKNOWN: { code: 3004, status: 200 },
  HOLD_EXCEEDED: { code: 3005, status: 200 },
  REFUND_TOO_LARGE: { code: 3006, status: 200 },
  BAD_AMOUNT: { code: 3007, status: 400 },
  ACCOUNT_UNKNOWN: { code: 3008, status: 200 },
  TRANSACTION_UNKNOWN: { code: 3009, status: 200 },
  ...debtErrors,
})
