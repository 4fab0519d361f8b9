import { defineErrors } from '#platform/shared/errors.ts'

export const upgradeErrors = defineErrors({
  /** Unknown order, or another member's. */
  UPGRADE_UNKNOWN: { code: 3771, status: 404 },
  /** `data.problem`: empty, invalid or microsoft. */
  UPGRADE_MAIL: { code: 3772, status: 200 },
  /** `data.problem`: empty, not_link, host, incomplete, or same (the expired link). */
  UPGRADE_LINK: { code: 3773, status: 200 },
  /** The number of seats is out of range: `data.least`, `data.most`. */
  UPGRADE_SEATS: { code: 3774, status: 200 },
  /** Refused by the merchant's risk control: wait until `data.until`; the waiting time is `data.hours`. */
  UPGRADE_WAIT: { code: 3775, status: 200 },
  /** The card cannot pay: `data.problem`; `data.missing` dollars. */
  UPGRADE_CARD: { code: 3776, status: 200 },
  /** The card has the maximum number of accounts of the service: `data.most` in `data.days`. */
  UPGRADE_CARD_FULL: { code: 3777, status: 200 },
  /** An operator or supplier is already working on it, or it has ended. */
  UPGRADE_NOT_NOW: { code: 3778, status: 200 },
  /** Another open order has the same account or link. */
  UPGRADE_TWICE: { code: 3779, status: 200 },
  /** The card number was already shown for this task. */
  UPGRADE_SHOWN: { code: 3780, status: 200 },
  /** The desk is closed; `data.opens`. */
  UPGRADE_CLOSED: { code: 3781, status: 200 },
  /** The price has changed since the page showed it: `data.total`. */
  UPGRADE_PRICE: { code: 3782, status: 200 },
})
