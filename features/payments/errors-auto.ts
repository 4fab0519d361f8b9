import { defineErrors } from '#platform/shared/errors.ts'

/** Refusals of auto recharge. */
export const autoErrors = defineErrors({
  /** Switched off by an operator. */
  AUTO_CLOSED: { code: 3160, status: 200 },
  /** It is on already, or not on: the page is older than what stands. */
  AUTO_CHANGED: { code: 3161, status: 200 },
  /** The words have changed since the page was loaded. */
  AUTO_CONSENT: { code: 3162, status: 200 },
  /** `min`, `max`: what the ceiling may be. */
  AUTO_CEILING: { code: 3163, status: 200 },
})
