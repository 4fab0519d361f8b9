import { defineErrors } from '#platform/shared/errors.ts'

/** What the ledger refuses. The names are also the messages of the SQL functions' MX001 errors (migration 0002). */
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
})
