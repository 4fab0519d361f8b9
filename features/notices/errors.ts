import { defineErrors } from '#platform/shared/errors.ts'

/** Errors of mails that operators resend. */
export const noticeErrors = defineErrors({
  /** The mail holds a code or a link that signs in, is still waiting, or is too old. */
  NOTICE_NOT_KEPT: { code: 3980, status: 200 },
  /** `most`: maximum resends per day. */
  NOTICE_RESENT: { code: 3981, status: 200 },
})
