import { defineErrors } from '#platform/shared/errors.ts'

export const browserErrors = defineErrors({
  /** No file is named in the settings: nothing is sold without something to use it with. */
  BROWSER_NOT_OFFERED: { code: 3761, status: 200 },
  /** Once a person. */
  BROWSER_TRIAL_USED: { code: 3762, status: 200 },
  /** Neither trial nor package is in use. */
  BROWSER_NOT_LIVE: { code: 3763, status: 200 },
  /** The token was replaced, or is none. */
  BROWSER_TOKEN_WRONG: { code: 3764, status: 200 },
  /** As many accounts as come with the package. */
  BROWSER_NO_ACCOUNT_LEFT: { code: 3765, status: 200 },
  /** Only what failed is done again. */
  BROWSER_ACCOUNT_GOES_ON: { code: 3766, status: 200 },
  /** It costs something else by now; read it again. */
  BROWSER_PRICE_CHANGED: { code: 3767, status: 200 },
  /** As many as are given a day. */
  BROWSER_TRIALS_OVER: { code: 3768, status: 200 },
})
