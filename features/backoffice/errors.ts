import { defineErrors } from '#platform/shared/errors.ts'

/** Why the operators' origin refuses. */
export const backofficeErrors = defineErrors({
  /** Mail, password, code or passkey: which of them is not told. */
  OPERATOR_SIGN_IN_FAILED: { code: 5001, status: 200 },
  OPERATOR_LOCKED: { code: 5002, status: 429 },
  /** The act asks for a fresh proof of who sits there. */
  OPERATOR_STEP_UP: { code: 5003, status: 200 },
  OPERATOR_EXISTS: { code: 5004, status: 200 },
  OPERATOR_PASSWORD_WEAK: { code: 5005, status: 200 },
  /** An invitation that was used, is over or never was. */
  OPERATOR_INVITE_GONE: { code: 5006, status: 200 },
  OPERATOR_LAST_OWNER: { code: 5007, status: 200 },
  /** Nobody grants what they lack. */
  OPERATOR_GRANT: { code: 5008, status: 200 },
  /** A script's token asks; it decides nothing and opens nothing. */
  OPERATOR_TOKEN: { code: 5009, status: 403 },
  /** The world is not as the preview showed it: `difference`. */
  COMMAND_MOVED: { code: 5010, status: 200 },
  /** Another one for the same subject waits: `no`. */
  COMMAND_WAITS: { code: 5011, status: 200 },
  COMMAND_FORBIDDEN: { code: 5012, status: 200 },
  COMMAND_REASON: { code: 5013, status: 200 },
  /** Nobody else could approve it. */
  COMMAND_NO_SECOND: { code: 5014, status: 200 },
  /** It does not wait any more: `state`. */
  COMMAND_DECIDED: { code: 5015, status: 200 },
  COMMAND_OWN: { code: 5016, status: 200 },
  COMMAND_NO_UNDO: { code: 5017, status: 200 },
  /** The question has another answer already. */
  COMMAND_ANSWERED: { code: 5019, status: 200 },
  BULK_EMPTY: { code: 5021, status: 200 },
  /** More than 100,000 rows. */
  BULK_LARGE: { code: 5022, status: 200 },
  /** Two rows mean the same thing: `subject`. */
  BULK_TWICE: { code: 5023, status: 200 },
  COMPENSATION_BUDGET: { code: 5024, status: 200 },
  /** Somebody else has it: `name`, `until`. */
  /** It is ruled on, its time is over, evidence was handed in, or its channel takes none by this way. */
  DISPUTE_CLOSED: { code: 5025, status: 200 },
  WORK_TAKEN: { code: 5018, status: 200 },
  NOTE_NOT_FOUND: { code: 5026, status: 200 },
  REVEAL_LIMIT: { code: 5020, status: 429 },
})
