import { z } from 'zod'
import { defineContract, emptyReply } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { codeErrors, codeSent } from './contract.ts'
import { optionalCaptchaParam, contactFields, email, requireExactlyOne, loginPassword, mobile, settingsPassword, verifyCode } from './contract-fields.ts'
import { factorCode, passkeyAnswer } from './contract-factors.ts'
import { accountErrors } from './errors.ts'

/** Destination of a code; `sentTo` is masked (138****8000, w***g@x.cn). */
const ownCodeSent = codeSent.extend({ kind: z.enum(['mobile', 'email']), sentTo: z.string() })
const myCodeErrors = [...codeErrors, 'NO_CONTACT'] as const
/** Contact to use; defaults to the mobile, else the e-mail. */
const contactKind = z.enum(['mobile', 'email']).optional()

const session = z.object({
  id: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** Latest end of the session, however much it is used. */
  endsAt: z.iso.datetime(),
  /** The session of this request. */
  current: z.boolean(),
})

/** Reasons why the account cannot be closed yet: a sentence in the caller's language and the page that resolves it. */
const blockers = z.array(z.object({ code: z.string(), text: z.string(), path: z.string() }))

/**
 * Calls that change sign-in methods require a proof at most ten minutes old: a login or `stepUp`. Otherwise they fail with STEP_UP_REQUIRED
 * without any effect; the client calls `stepUp` and retries.
 */
export const securityContract = defineContract({ ...commonErrors, ...accountErrors })({
  sendStepUpCode: {
    method: 'POST',
    path: '/user/sendSecondaryVerify',
    access: 'user',
    summary: "Sends a code of purpose stepUp to the user's own mobile or e-mail",
    input: z.object({ by: contactKind, captchaVerifyParam: optionalCaptchaParam }),
    reply: ownCodeSent,
    errors: myCodeErrors,
  },
  stepUp: {
    method: 'POST',
    path: '/user/secondaryVerify',
    access: 'user',
    summary: 'Proves the user again by code, password, or a factor where there is one; the session gets a new token, the old one is dead',
    input: z
      .object({ verifyCode: verifyCode.optional(), password: loginPassword.optional(), factorCode: factorCode.optional(), passkey: passkeyAnswer.optional() })
      .superRefine(requireExactlyOne('verifyCode', 'password', 'factorCode', 'passkey')),
    reply: z.object({ token: z.string() }),
    errors: ['CODE_WRONG', 'LOGIN_FAILED', 'LOGIN_LOCKED', 'NO_CONTACT', 'FACTOR_REQUIRED', 'TOO_MANY'],
  },
  initPassword: {
    method: 'POST',
    path: '/user/initPassword',
    access: 'user',
    summary: 'Sets the first password of a user who has none; ends the other sessions',
    input: z.object({ password: settingsPassword }),
    reply: emptyReply,
    errors: ['PASSWORD_EXISTS', 'PASSWORD_WEAK', 'STEP_UP_REQUIRED'],
  },
  updatePassword: {
    method: 'POST',
    path: '/user/updatePassword',
    access: 'user',
    summary: "Changes the password with a code (purpose updatePassword) to the user's own e-mail or mobile; ends the other sessions",
    input: z.object({ ...contactFields, password: settingsPassword, verifyCode }).superRefine(requireExactlyOne('email', 'mobile')),
    reply: emptyReply,
    errors: ['CODE_WRONG', 'PASSWORD_WEAK'],
  },
  sendPayPasswordCode: {
    method: 'POST',
    path: '/user/verify/password/verifyCode/{x}',
    access: 'user',
    summary: "Sends a code of purpose payPassword to the user's own contact; x is mobile or email",
    input: z.object({ x: z.enum(['mobile', 'email']), captchaVerifyParam: optionalCaptchaParam }),
    reply: ownCodeSent,
    errors: myCodeErrors,
  },
  sendOwnCode: {
    method: 'POST',
    path: '/user/verify/verifyCode/{type}',
    access: 'user',
    summary: "Sends a code of that purpose to the user's own mobile, or e-mail where there is no mobile",
    input: z.object({ type: z.enum(['updatePassword', 'payPassword', 'deleteAccount', 'stepUp']), by: contactKind, captchaVerifyParam: optionalCaptchaParam }),
    reply: ownCodeSent,
    errors: myCodeErrors,
  },
  verifyEmail: {
    method: 'POST',
    path: '/user/verifyEmail',
    access: 'user',
    summary: "Proves the user's own, so far unproven e-mail with a code (purpose verify)",
    input: z.object({ email, verifyCode }),
    reply: emptyReply,
    errors: ['CODE_WRONG'],
  },
  updateEmail: {
    method: 'POST',
    path: '/user/updateEmail',
    access: 'user',
    summary: 'Binds or changes the e-mail with a code (purpose updateEmail) of the new mailbox; the old one gets a mail',
    input: z.object({ email, verifyCode }),
    reply: emptyReply,
    errors: ['CODE_WRONG', 'EMAIL_TAKEN', 'EMAIL_SAME', 'STEP_UP_REQUIRED'],
  },
  sendOldMobileCode: {
    method: 'POST',
    path: '/user/updateUserMobile/verifyCode',
    access: 'user',
    summary: "First step of changing the mobile: a code to the user's own mobile, or e-mail where there is no mobile",
    input: z.object({ by: contactKind, captchaVerifyParam: optionalCaptchaParam }),
    reply: ownCodeSent,
    errors: myCodeErrors,
  },
  verifyOldMobile: {
    method: 'GET',
    path: '/user/updateUserMobile/verify',
    access: 'user',
    inPerson: true,
    summary: 'The code of the first step, for a flow that lives ten minutes, is good once and belongs to this session',
    input: z.object({ verifyCode }),
    reply: z.object({ verifyFlow: z.string() }),
    errors: ['CODE_WRONG', 'NO_CONTACT'],
  },
  sendNewMobileCode: {
    method: 'POST',
    path: '/user/updateUserMobile/newMobileVerifyCode/{mobile}',
    access: 'user',
    summary: 'Second step: a code to the new mobile',
    input: z.object({ mobile, captchaVerifyParam: optionalCaptchaParam }),
    reply: codeSent,
    errors: [...codeErrors, 'MOBILE_SAME'],
  },
  updateMobile: {
    method: 'POST',
    path: '/user/updateUserMobile/verifyLastStep',
    access: 'user',
    summary: 'Last step: binds the new mobile with its code and the flow',
    input: z.object({ newMobile: mobile, verifyCode, verifyFlow: z.string().min(1).max(100) }),
    reply: emptyReply,
    errors: ['CODE_WRONG', 'FLOW_ENDED', 'MOBILE_TAKEN', 'MOBILE_SAME'],
  },
  sessions: {
    method: 'GET',
    path: '/user/sessions',
    access: 'user',
    summary: 'Sessions of the user, last used first',
    input: emptyReply,
    /** Days until an unused session ends, and until any session ends. */
    reply: z.object({ sessions: z.array(session), unusedDays: z.number(), mostDays: z.number() }),
    errors: [],
  },
  endSession: {
    method: 'POST',
    path: '/user/session/end',
    access: 'user',
    summary: "Ends one of the user's own sessions",
    input: z.object({ sessionId: z.string().max(60) }),
    reply: emptyReply,
    errors: ['NOT_FOUND'],
  },
  endOtherSessions: {
    method: 'POST',
    path: '/user/session/endOthers',
    access: 'user',
    summary: 'Ends all sessions except the current one',
    input: emptyReply,
    reply: z.object({ ended: z.number() }),
    errors: [],
  },
  exportData: {
    method: 'POST',
    path: '/user/export',
    access: 'user',
    summary: 'Everything that is kept about the user, by feature; a few times a day',
    input: emptyReply,
    reply: z.object({ generatedAt: z.iso.datetime(), data: z.record(z.string(), z.unknown()) }),
    errors: ['STEP_UP_REQUIRED', 'TOO_MANY'],
    timeoutMs: 60_000,
  },
  closeCheck: {
    method: 'GET',
    path: '/user/deleteAccount/check',
    access: 'user',
    summary: 'Reasons why the account cannot be closed yet',
    input: emptyReply,
    reply: z.object({ blockers }),
    errors: [],
  },
  deleteAccount: {
    method: 'POST',
    path: '/v1/user/deleteAccount',
    access: 'user',
    summary: 'Closes the account at once and for good, with the password or a code (purpose deleteAccount)',
    /** CLOSE_BLOCKED carries `blockers`, the reply of `closeCheck`. */
    input: z.object({ password: loginPassword.optional(), verifyCode: verifyCode.optional() }).superRefine(requireExactlyOne('verifyCode', 'password')),
    reply: emptyReply,
    errors: ['CODE_WRONG', 'LOGIN_FAILED', 'LOGIN_LOCKED', 'NO_CONTACT', 'CLOSE_BLOCKED'],
  },
})
