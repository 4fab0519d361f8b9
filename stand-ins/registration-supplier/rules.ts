/** The interface that this project offers to suppliers of registrations. Source of all rows: docs/vendors/registration.md. */
export const REGISTRATION_SUPPLIER_RULES = {
  /** Clocks of both sides differ by at most this; else a call counts as not signed. */
  skewSeconds: 300,
  secretCharacters: 32,
  firstAttempt: 1,
  states: ['queued', 'working', 'done', 'failed', 'cancelled'],
  /** Causes of a job that failed, and of a refusal. */
  reasons: ['ip_limit', 'mailbox_refused', 'account_exists', 'code_missing'],
  /** Further causes of a refusal, with 409 or 422. */
  refusals: ['busy', 'account'],
} as const
