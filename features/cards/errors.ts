import { defineErrors } from '#platform/shared/errors.ts'
import { payoutErrors, payPasswordErrors } from '#features/account/errors.ts'
import { debtErrors } from '#features/wallet/errors.ts'

/** Numbers below 3000 are known to clients and never change. */
export const cardErrors = defineErrors({
  ...payPasswordErrors,
  ...payoutErrors,
  ...debtErrors,
  /** The card cannot be recharged now. */
  CARD_RECHARGE_NOT_NOW: { code: 1017, status: 200 },
  /** The issuer refused the recharge. */
  CARD_RECHARGE_REFUSED: { code: 2211, status: 200 },
  /** Above a limit; `data.max` says which. */
  CARD_RECHARGE_LIMIT: { code: 2213, status: 200 },
  /** Below the minimum of one recharge; `data.min`. */
  CARD_RECHARGE_TOO_SMALL: { code: 3627, status: 200 },
  MEMBER_EXPIRED: { code: 2137, status: 200 },
  CARD_EXPIRED: { code: 2140, status: 200 },
  CARD_MUST_CHANGE: { code: 2141, status: 200 },
  NO_CARD: { code: 2302, status: 200 },
  CARD_NOT_FOUND: { code: 3601, status: 200 },
  CARD_NOT_READY: { code: 3602, status: 200 },
  CARD_CLOSED: { code: 3603, status: 200 },
  CARD_FROZEN_BY_RISK: { code: 3604, status: 200 },
  CARD_BUSY: { code: 3605, status: 200 },
  CARD_BALANCE_LOW: { code: 3606, status: 200 },
  CARD_WITHDRAW_TOO_LARGE: { code: 3607, status: 200 },
  CARD_NOTHING_OWED: { code: 3608, status: 200 },
  CARD_HAS_OPEN_CHARGES: { code: 3609, status: 200 },
  CARD_LIMIT_OF_CARDS: { code: 3610, status: 200 },
  CARD_OPENING_PAUSED: { code: 3611, status: 200 },
  CARD_STEP_MISSING: { code: 3612, status: 200 },
  CARD_ISSUER_AWAY: { code: 3613, status: 200 },
  BILL_NOT_FOUND: { code: 3620, status: 200 },
  BILL_NOT_DISPUTABLE: { code: 3621, status: 200 },
  CARD_PAPER_NONE: { code: 3622, status: 200 },
  /** Operators have closed it for maintenance. */
  CARD_MAINTENANCE: { code: 3614, status: 200 },
  CARD_CODE_GONE: { code: 3623, status: 200 },
  /** A card of the member's owes `data.owed`; `data.last4` says which. */
  /** No connected issuer accepts this holder; `data.reason` is an `OpenReason`. No charge was made. */
  CARD_HOLDER_REFUSED: { code: 3625, status: 200 },
  /** The issuer accepts no other billing address, or refused this one. */
  CARD_ADDRESS_FIXED: { code: 3626, status: 200 },
  CARD_IN_DEBT: { code: 3624, status: 200 },
})
