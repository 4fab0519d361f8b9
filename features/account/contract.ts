import { z } from 'zod'
import { defineContract, emptyReply, usdText, langSchema } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import type { RiskScene } from '#features/risk/contract.ts'
import { optionalCaptchaParam, contactFields, email, requireExactlyOne, loginPassword, mobile, newPassword, verifyCode } from './contract-fields.ts'
import { accountErrors } from './errors.ts'
import { PHONE_REGIONS } from './phone.ts'

export * from './contract-fields.ts'
export { accountErrors } from './errors.ts'

/**
 * Purpose of a code, which is valid for no other. `login`, `register` and `updatePassword` need no session; `verify` (the user's own mailbox)
 * and `updateEmail` (a new one) do. The other purposes have their own endpoints.
 */
export const mailCodePurpose = z.enum(['login', 'register', 'updatePassword', 'verify', 'updateEmail'])
export const codePurpose = z.enum([...mailCodePurpose.options, 'updateMobile', 'bindMobile', 'payPassword', 'deleteAccount', 'stepUp'])
export type CodePurpose = z.output<typeof codePurpose>

/** Captcha scene of each code purpose. Password login uses `login`. */
export const CAPTCHA_SCENE: Readonly<Record<CodePurpose, RiskScene>> = {
  login: 'login',
  register: 'register',
  updatePassword: 'reset',
  verify: 'bind',
  updateEmail: 'bind',
  updateMobile: 'bind',
  bindMobile: 'bind',
  payPassword: 'security',
  deleteAccount: 'security',
  stepUp: 'security',
}

/** 1 if the user verified the mailbox; 0 if not, or without an e-mail. */
export const emailVerifyStatus = z.union([z.literal(0), z.literal(1)])
export const languageChoice = langSchema
export const themeChoice = z.enum(['system', 'light', 'dark'])

/** `mobile` in wire format: 13800138000, 85298765432. Without a verified e-mail the page asks the user to bind one. */
const loginReply = z.object({ token: z.string(), loginUser: z.object({ email: z.string().nullable(), emailVerifyStatus, mobile: z.string().nullable() }) })
export type LoginReply = z.output<typeof loginReply>

/** Seconds until the next code can be requested, and until this one expires. The client sends `ticket` back with the code as `codeTicket`. */
export const codeSent = z.object({ resendAfterSeconds: z.number(), expiresInSeconds: z.number(), ticket: z.string() })
export const codeErrors = ['CODE_TOO_SOON', 'TOO_MANY', 'CAPTCHA_REQUIRED'] as const

/** Ignores a malformed invite code, because a broken link must not block registration. */
const inviteCode = z
  .string()
  .trim()
  .regex(/^[\w-]{1,64}$/)
  .optional()
  .catch(undefined)

/** Ticket returned when the code was sent; guesses without it count towards the limit for strangers. */
const codeTicket = z.string().max(100).optional()

const phoneCode = z.object({ x: mobile, captchaVerifyParam: optionalCaptchaParam })

export const accountContract = defineContract({ ...commonErrors, ...accountErrors })({
  signInOptions: {
    method: 'GET',
    path: '/common/signInOptions',
    access: 'public',
    summary: 'Sign-in methods that are switched on',
    input: emptyReply,
    reply: z.object({
      /** Regions whose mobiles can receive codes; empty if mobile sign-in is off. */
      mobileRegions: z.array(z.enum(PHONE_REGIONS)),
      /** Google's client id; null if Google sign-in is off. `sandbox`: our fake provider. */
      google: z.object({ clientId: z.string(), sandbox: z.boolean() }).nullable(),
      /** Initial state of the agreement checkbox in the register form. */
      agreementTicked: z.boolean(),
      /** Days until an unused session expires. */
      sessionDays: z.number(),
    }),
    errors: [],
  },
  passwordLogin: {
    method: 'POST',
    path: '/user/passwordLogin',
    access: 'public',
    summary: 'Signs in with e-mail or mobile, and password',
    input: z.object({ ...contactFields, password: loginPassword, captchaVerifyParam: optionalCaptchaParam }).superRefine(requireExactlyOne('email', 'mobile')),
    reply: loginReply,
    errors: ['LOGIN_FAILED', 'LOGIN_LOCKED', 'ACCOUNT_FROZEN', 'CAPTCHA_REQUIRED'],
  },
  codeLogin: {
    method: 'POST',
    path: '/user/login',
    access: 'public',
    summary: 'Signs in with e-mail or mobile, and a code (purpose login)',
    /** NOT_REGISTERED after a correct code to a mobile: the same code is then valid for `register` until it expires. */
    input: z.object({ ...contactFields, verifyCode, codeTicket }).superRefine(requireExactlyOne('email', 'mobile')),
    reply: loginReply,
    errors: ['CODE_WRONG', 'ACCOUNT_FROZEN', 'NOT_REGISTERED'],
  },
  register: {
    method: 'POST',
    path: '/user/register',
    access: 'public',
    summary: 'Creates an account with a code (purpose register) and signs in',
    /** The password is required with an e-mail; with a mobile it may be set later. */
    input: z
      .object({ ...contactFields, password: newPassword.optional(), verifyCode, codeTicket, inviteCode })
      .superRefine(requireExactlyOne('email', 'mobile'))
      .refine((input) => input.email === undefined || input.password !== undefined, { path: ['password'] }),
    reply: loginReply,
    errors: ['CODE_WRONG', 'EMAIL_TAKEN', 'MOBILE_TAKEN', 'PASSWORD_WEAK'],
  },
  googleStart: {
    method: 'POST',
    path: '/user/googleOAuthStart',
    access: 'public',
    summary: 'Begins a sign-in with Google: a state and a nonce, good once for ten minutes',
    input: emptyReply,
    /**
     * The page stores `state`, opens `authorizeUrl` with `&redirect_uri=` of its own origin appended, and accepts only a response with the same
     * state. The response is in the fragment: state, access_token, id_token.
     */
    reply: z.object({ state: z.string(), nonce: z.string(), authorizeUrl: z.string() }),
    errors: ['GOOGLE_FAILED', 'TOO_MANY'],
  },
  googleLogin: {
    method: 'POST',
    path: '/user/googleOAuthLogin',
    access: 'public',
    summary: "Signs in, or creates an account, with Google's tokens",
    /** At least one token; an ID token must carry the nonce issued with the state. */
    input: z
      .object({
        accessToken: z.string().min(1).max(8192).optional(),
        idToken: z.string().min(1).max(8192).optional(),
        clientId: z.string().min(1).max(300),
        state: z.string().min(1).max(500),
        inviteCode,
      })
      .refine((input) => input.accessToken !== undefined || input.idToken !== undefined, { path: ['accessToken'] }),
    reply: loginReply,
    errors: ['GOOGLE_FAILED', 'ACCOUNT_FROZEN', 'TOO_MANY', 'UNAVAILABLE'],
  },
  sendEmailCode: {
    method: 'POST',
    path: '/user/email/verifyCode',
    access: 'public',
    summary: 'Mails a code; the answer is the same whether or not an account exists',
    input: z.object({ email, verifyCodeType: mailCodePurpose, captchaVerifyParam: optionalCaptchaParam }),
    reply: codeSent,
    errors: [...codeErrors, 'SESSION_EXPIRED'],
  },
  sendLoginCode: {
    method: 'POST',
    path: '/user/login/verifyCode/{x}',
    access: 'public',
    summary: 'Sends a code of purpose login to a mobile; the answer is the same whether or not an account exists',
    input: phoneCode,
    reply: codeSent,
    errors: codeErrors,
  },
  sendRegisterCode: {
    method: 'POST',
    path: '/user/register/verifyCode/{x}',
    access: 'public',
    summary: 'Sends a code of purpose register to a mobile; the answer is the same whether or not an account exists',
    input: phoneCode,
    reply: codeSent,
    errors: codeErrors,
  },
  sendPasswordCode: {
    method: 'POST',
    path: '/user/updatePassword/verifyCode/{x}',
    access: 'public',
    summary: 'Sends a code of purpose updatePassword to a mobile; the answer is the same whether or not an account exists',
    input: phoneCode,
    reply: codeSent,
    errors: codeErrors,
  },
  resetPassword: {
    method: 'POST',
    path: '/user/forgotPassword',
    access: 'public',
    summary: 'Sets a new password with a code (purpose updatePassword); ends the other sessions',
    input: z.object({ ...contactFields, password: newPassword, verifyCode, codeTicket }).superRefine(requireExactlyOne('email', 'mobile')),
    reply: emptyReply,
    errors: ['CODE_WRONG', 'PASSWORD_WEAK', 'NOT_REGISTERED'],
  },
  logout: {
    method: 'POST',
    path: '/user/logout',
    access: 'user',
    summary: 'Ends the current session',
    input: emptyReply,
    reply: emptyReply,
    errors: [],
  },
  info: {
    method: 'GET',
    path: '/user/info',
    access: 'user',
    summary: 'The signed-in user',
    input: emptyReply,
    reply: z.object({
      id: z.string(),
      email: z.string().nullable(),
      emailVerifyStatus,
      /** Wire format: 13800138000, 85298765432. */
      mobile: z.string().nullable(),
      /** The mobile is from Hong Kong or Macao. */
      isHkUser: z.boolean(),
      /** A Google account is linked. */
      google: z.boolean(),
      /** A password is set; below, a payment password. */
      password: z.boolean(),
      existPayPassword: z.boolean(),
      name: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      language: languageChoice.nullable(),
      theme: themeChoice.nullable(),
      /** Balance of the API account in dollars, as in `balanceInfo`. */
      balance: usdText,
      /** Null without a card. */
      cardNo: z.string().nullable(),
      /** Proof of identity for a support widget: HMAC-SHA256 of the id, hex. */
      hmac: z.string(),
      createdAt: z.iso.datetime(),
    }),
    errors: [],
  },
  validateLogin: {
    method: 'GET',
    path: '/user/validate/login',
    access: 'public',
    summary: 'Returns whether the access token is still valid',
    input: emptyReply,
    reply: z.object({ valid: z.boolean() }),
    errors: [],
  },
})
