import { defineErrors } from '#platform/shared/errors.ts'

/** Refusals of mails that operators have sent again. */
export const noticeErrors = defineErrors({
  /** It holds a code or a link that signs in, has not left yet, or is too old. */
  NOTICE_NOT_KEPT: { code: 3980, status: 200 },
  /** `most`: as often as that on one day. */
  NOTICE_RESENT: { code: 3981, status: 200 },
})
