import { defineErrors } from '#platform/shared/errors.ts'

export const mailboxErrors = defineErrors({
  /** The name is or was in use. */
  MAILBOX_TAKEN: { code: 3731, status: 200 },
  /** The name looks like one of ours. */
  MAILBOX_RESERVED: { code: 3732, status: 200 },
  MAILBOX_UNKNOWN: { code: 3733, status: 404 },
  /** The password was not entered in this session. */
  MAILBOX_LOCKED: { code: 3734, status: 200 },
  /** `data.left` tries remain; then the mailbox is blocked for 15 minutes. */
  MAILBOX_PASSWORD_WRONG: { code: 3735, status: 200 },
  /** Blocked for `data.minutes`. */
  MAILBOX_BLOCKED: { code: 3736, status: 200 },
  /** The mailbox is not in a state that allows this. */
  MAILBOX_ENDED: { code: 3737, status: 200 },
  /** No mail domain is configured. */
  MAILBOX_OFF: { code: 3738, status: 200 },
  /** Only digits, or contains the mailbox's name. */
  MAILBOX_PASSWORD_WEAK: { code: 3739, status: 200 },
})
