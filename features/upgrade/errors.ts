import { defineErrors } from '#platform/shared/errors.ts'

export const upgradeErrors = defineErrors({
  /** None of that id, or not one's own. */
  UPGRADE_UNKNOWN: { code: 3771, status: 404 },
  /** `data.problem`: empty, invalid or microsoft. */
  UPGRADE_MAIL: { code: 3772, status: 200 },
  /** `data.problem`: empty, not_link, host, incomplete, or same: the one that expired. */
  UPGRADE_LINK: { code: 3773, status: 200 },
  /** A team has fewest and most seats: `data.least`, `data.most`. */
  UPGRADE_SEATS: { code: 3774, status: 200 },
  /** Refused by the merchant's risk control; `data.until`, for this account, `data.hours` in all. */
  UPGRADE_WAIT: { code: 3775, status: 200 },
  /** `data.problem`: what is in the card's way; `data.missing` dollars. */
  UPGRADE_CARD: { code: 3776, status: 200 },
  /** As many accounts of the service as a card may have: `data.most` in `data.days`. */
  UPGRADE_CARD_FULL: { code: 3777, status: 200 },
  /** Somebody is at it already, or it is over. */
  UPGRADE_NOT_NOW: { code: 3778, status: 200 },
  /** The account, or the link, goes on in another order. */
  UPGRADE_TWICE: { code: 3779, status: 200 },
  /** The card's number was shown for this task already. */
  UPGRADE_SHOWN: { code: 3780, status: 200 },
  /** Nobody works at this hour; `data.opens`. */
  UPGRADE_CLOSED: { code: 3781, status: 200 },
  /** The price has changed since it was shown: `data.total`. */
  UPGRADE_PRICE: { code: 3782, status: 200 },
})
