import { defineErrors } from '#platform/shared/errors.ts'

export const browserErrors = defineErrors({
  /** The settings name no file to download, so nothing is sold. */
  BROWSER_NOT_OFFERED: { code: 3761, status: 200 },
  /** The person has had the trial. */
  BROWSER_TRIAL_USED: { code: 3762, status: 200 },
  /** Neither a trial nor a package is live. */
  BROWSER_NOT_LIVE: { code: 3763, status: 200 },
  /** The token was replaced or is invalid. */
  BROWSER_TOKEN_WRONG: { code: 3764, status: 200 },
  /** All accounts that come with the package are used. */
  BROWSER_NO_ACCOUNT_LEFT: { code: 3765, status: 200 },
  /** Only failed accounts can be ordered again. */
  BROWSER_ACCOUNT_GOES_ON: { code: 3766, status: 200 },
  /** The price has changed; the client reloads it. */
  BROWSER_PRICE_CHANGED: { code: 3767, status: 200 },
  /** The daily limit of trials is reached. */
  BROWSER_TRIALS_OVER: { code: 3768, status: 200 },
})
