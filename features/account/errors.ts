import { defineErrors } from '#platform/shared/errors.ts'

/** Payment password errors; features whose calls require it spread them into their own errors. */
export const payPasswordErrors = defineErrors({
  /** The user never set one. */
  PAY_PASSWORD_NOT_SET: { code: 1030, status: 200 },
  /** `failCount` wrong attempts so far, `triesLeft` until it must be reset. */
  PAY_PASSWORD_WRONG: { code: 1031, status: 200 },
  /** Five wrong attempts: it must be reset with a code. */
  PAY_PASSWORD_LOCKED: { code: 1032, status: 200 },
  /** Twenty wrong attempts without a correct one in between, across resets: only customer service can help. */
  PAY_PASSWORD_BLOCKED: { code: 1033, status: 200 },
})

/** For features that pay money out (`requirePayouts` of the account's door): spread it into their own errors. */
export const payoutErrors = defineErrors({
  /** Operators have frozen the user's payouts; everything else works. */
  MONEY_OUT_FROZEN: { code: 1038, status: 200 },
})

/** For features with calls that require step-up authentication (`requireProven` of the account's door): spread it into their own errors. */
export const stepUpErrors = defineErrors({
  /** The last proof is older than ten minutes: see `stepUp` in contract-security.ts. The call had no effect; retry it after the step-up. */
  STEP_UP_REQUIRED: { code: 1020, status: 200 },
})

export const accountErrors = defineErrors({
  /** Wrong, used, expired, for another purpose or guessed too often: one error for all (product.md 1.8). */
  CODE_WRONG: { code: 1009, status: 200 },
  /** Unknown e-mail or mobile, no password set or wrong password: one error for all. */
  LOGIN_FAILED: { code: 1010, status: 200 },
  /** Returned only to a caller who proved the mailbox with a code. */
  EMAIL_TAKEN: { code: 1011, status: 200 },
  /** `reason`: common, pattern or personal. */
  PASSWORD_WEAK: { code: 1012, status: 200 },
  /** Too many failed logins; a code login still works. `retryAfterSeconds`, at most 900. */
  LOGIN_LOCKED: { code: 1013, status: 429 },
  /** A code was sent less than a minute ago. `retryAfterSeconds`. */
  CODE_TOO_SOON: { code: 1014, status: 429 },
  /** Returned only after the correct password or code. `email`: customer service. */
  ACCOUNT_FROZEN: { code: 1015, status: 200 },
  /** The mobile has no account. Returned only to a caller who proved the number with a code. */
  NOT_REGISTERED: { code: 1027, status: 200 },
  /** Another account has this mobile. Returned only to a caller who proved the number with a code. 1017 belongs to cards. */
  MOBILE_TAKEN: { code: 1016, status: 200 },
  /** The new mobile is already the user's own. */
  MOBILE_SAME: { code: 1018, status: 200 },
  /** The new e-mail is already the user's own, and verified. */
  EMAIL_SAME: { code: 1019, status: 200 },
  ...stepUpErrors,
  /** The user has a passkey or an authenticator: step-up requires one of them, or a recovery code. */
  FACTOR_REQUIRED: { code: 1036, status: 200 },
  /** There is an authenticator already. */
  FACTOR_EXISTS: { code: 1037, status: 200 },
  /** The flow to change the mobile is unknown, used, of another session or older than ten minutes: start again. */
  FLOW_ENDED: { code: 1021, status: 200 },
  /** Google's response does not allow a sign-in; one error for every reason. */
  GOOGLE_FAILED: { code: 1022, status: 200 },
  /** The user has no verified mobile or e-mail to send a code to. */
  NO_CONTACT: { code: 1023, status: 200 },
  /** There is a password already; it is changed by `updatePassword`. */
  PASSWORD_EXISTS: { code: 1024, status: 200 },
  /** `blockers`: reasons why the account cannot be closed yet (see `closeCheck`). */
  CLOSE_BLOCKED: { code: 1025, status: 200 },
  ...payPasswordErrors,
  /** `reason`: pattern, birthday or phone. */
  PAY_PASSWORD_WEAK: { code: 1034, status: 200 },
  /** There is a payment password already; it is changed by `modifyPayPassword` or `resetPayPassword`. */
  PAY_PASSWORD_EXISTS: { code: 1035, status: 200 },
})
