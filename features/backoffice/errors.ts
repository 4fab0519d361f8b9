import { defineErrors } from '#platform/shared/errors.ts'

/** Error codes of the operators' origin. */
export const backofficeErrors = defineErrors({
  /** Wrong mail, password, code or passkey; the response does not say which. */
  OPERATOR_SIGN_IN_FAILED: { code: 5001, status: 200 },
  OPERATOR_LOCKED: { code: 5002, status: 429 },
  /** The command requires step-up authentication. */
  OPERATOR_STEP_UP: { code: 5003, status: 200 },
  OPERATOR_EXISTS: { code: 5004, status: 200 },
  OPERATOR_PASSWORD_WEAK: { code: 5005, status: 200 },
  /** The invitation was used, has expired or never existed. */
  OPERATOR_INVITE_GONE: { code: 5006, status: 200 },
  OPERATOR_LAST_OWNER: { code: 5007, status: 200 },
  /** An operator cannot grant a permission that they lack. */
  OPERATOR_GRANT: { code: 5008, status: 200 },
  /** An API token can request commands, but cannot decide them or open sessions. */
  OPERATOR_TOKEN: { code: 5009, status: 403 },
  /** The state changed since the preview: `difference`. */
  COMMAND_MOVED: { code: 5010, status: 200 },
  /** Another command for the same subject is pending: `no`. */
  COMMAND_WAITS: { code: 5011, status: 200 },
  COMMAND_FORBIDDEN: { code: 5012, status: 200 },
  COMMAND_REASON: { code: 5013, status: 200 },
  /** No other operator could approve it. */
  COMMAND_NO_SECOND: { code: 5014, status: 200 },
  /** The command is no longer waiting: `state`. */
  COMMAND_DECIDED: { code: 5015, status: 200 },
  COMMAND_OWN: { code: 5016, status: 200 },
  COMMAND_NO_UNDO: { code: 5017, status: 200 },
  /** The question already has a different answer. */
  COMMAND_ANSWERED: { code: 5019, status: 200 },
  BULK_EMPTY: { code: 5021, status: 200 },
  /** More than 100,000 rows. */
  BULK_LARGE: { code: 5022, status: 200 },
  /** Two rows have the same subject: `subject`. */
  BULK_TWICE: { code: 5023, status: 200 },
  COMPENSATION_BUDGET: { code: 5024, status: 200 },
  /** The dispute was decided or expired, evidence was submitted, or the channel does not accept it through the API. */
  DISPUTE_CLOSED: { code: 5025, status: 200 },
  /** Another operator has taken it: `name`, `until`. */
  WORK_TAKEN: { code: 5018, status: 200 },
  NOTE_NOT_FOUND: { code: 5026, status: 200 },
  REVEAL_LIMIT: { code: 5020, status: 429 },
})
