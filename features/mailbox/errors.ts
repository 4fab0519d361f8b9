import { defineErrors } from '#platform/shared/errors.ts'

export const mailboxErrors = defineErrors({
  /** Somebody has or had it. */
  MAILBOX_TAKEN: { code: 3731, status: 200 },
  /** It looks like the house's own. */
  MAILBOX_RESERVED: { code: 3732, status: 200 },
  MAILBOX_UNKNOWN: { code: 3733, status: 404 },
  /** Its password has not been shown in this session. */
  MAILBOX_LOCKED: { code: 3734, status: 200 },
  /** `data.left` tries, then a quarter of an hour. */
  MAILBOX_PASSWORD_WRONG: { code: 3735, status: 200 },
  /** `data.minutes` until the next try. */
  MAILBOX_BLOCKED: { code: 3736, status: 200 },
  /** It is not in a state for that any more. */
  MAILBOX_ENDED: { code: 3737, status: 200 },
  /** No suffix domain is served here. */
  MAILBOX_OFF: { code: 3738, status: 200 },
  /** Only digits, or the name itself in it. */
  MAILBOX_PASSWORD_WEAK: { code: 3739, status: 200 },
})
