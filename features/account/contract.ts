import { z } from 'zod'
import { defineContract, nothing } from '#platform/shared/contract.ts'
import { commonErrors, defineErrors } from '#platform/shared/errors.ts'

/** Limits that the forms and the server share (specification 1, sections 5 and 9). */
export const CODE_LENGTH = 6
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 50

export const accountErrors = defineErrors({
  /** Wrong, used, expired, of another purpose or guessed too often: one answer for all (specification 1, section 8). */
  CODE_WRONG: { code: 1009, status: 200 },
  /** Unknown e-mail, no password set or wrong password: one answer for all. */
  LOGIN_FAILED: { code: 1010, status: 200 },
  /** Told only to somebody who proved the mailbox with a code. */
  EMAIL_TAKEN: { code: 1011, status: 200 },
  /** `reason`: common, pattern or personal. */
  PASSWORD_WEAK: { code: 1012, status: 200 },
  /** Too many failed logins; a code login still works. `retryAfterSeconds`, at most 900. */
  LOGIN_LOCKED: { code: 1013, status: 429 },
  /** A code was sent less than a minute ago. `retryAfterSeconds`. */
  CODE_TOO_SOON: { code: 1014, status: 429 },
  /** Told only after the right password or code. */
  ACCOUNT_FROZEN: { code: 1015, status: 200 },
})

const ATOM = String.raw`[!-~]`
const EMAIL = new RegExp(String.raw`^(?=${ATOM}+$)[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]+$`)

/** An at-sign and a dot, ASCII, nothing that a mail header could misread. Trimmed; shown as typed. */
export const email = z.string().trim().max(254).regex(EMAIL)

/** The form of an e-mail under which an account is found and to which its mail goes. */
export function emailKey(text: string): string {
  return text.trim().toLowerCase()
}

export const verifyCode = z.string().regex(/^[0-9]{6}$/)

/** One form for the same typed password on every keyboard: NFKC, no spaces around. */
export function normalPassword(text: string): string {
  return text.normalize('NFKC').trim()
}

const length = (text: string) => [...text].length

/** At login: required, trimmed, at most 50. */
export const loginPassword = z
  .string()
  .max(400)
  .transform(normalPassword)
  .refine((text) => text !== '' && length(text) <= PASSWORD_MAX)

/** At register and reset: 8 to 50 characters. Weak ones are refused by the server with PASSWORD_WEAK. */
export const newPassword = z
  .string()
  .max(400)
  .transform(normalPassword)
  .refine((text) => length(text) >= PASSWORD_MIN && length(text) <= PASSWORD_MAX)

/** What a code is for; it serves no other purpose. `verify` and `updateEmail` need a signed-in user. */
export const codePurpose = z.enum(['login', 'register', 'updatePassword', 'verify', 'updateEmail'])
export type CodePurpose = z.output<typeof codePurpose>

/** 1: the user proved the mailbox; 0: not yet. */
export const emailVerifyStatus = z.union([z.literal(0), z.literal(1)])

const loginReply = z.object({ token: z.string(), loginUser: z.object({ email: z.string(), emailVerifyStatus }) })
export type LoginReply = z.output<typeof loginReply>

const session = z.object({
  id: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** The session that asks. */
  current: z.boolean(),
})

export const accountContract = defineContract({ ...commonErrors, ...accountErrors })({
  passwordLogin: {
    method: 'POST',
    path: '/user/passwordLogin',
    access: 'public',
    summary: 'Signs in with e-mail and password',
    input: z.object({ email, password: loginPassword }),
    reply: loginReply,
    errors: ['LOGIN_FAILED', 'LOGIN_LOCKED', 'ACCOUNT_FROZEN'],
  },
  codeLogin: {
    method: 'POST',
    path: '/user/login',
    access: 'public',
    summary: 'Signs in with e-mail and code (purpose login)',
    input: z.object({ email, verifyCode }),
    reply: loginReply,
    errors: ['CODE_WRONG', 'ACCOUNT_FROZEN'],
  },
  register: {
    method: 'POST',
    path: '/user/register',
    access: 'public',
    summary: 'Creates an account with a code (purpose register) and signs in',
    /** An invite code that cannot be one is left out: a broken link must not stop a registration. */
    input: z.object({
      email,
      password: newPassword,
      verifyCode,
      inviteCode: z
        .string()
        .trim()
        .regex(/^[\w-]{1,64}$/)
        .optional()
        .catch(undefined),
    }),
    reply: loginReply,
    errors: ['CODE_WRONG', 'EMAIL_TAKEN', 'PASSWORD_WEAK'],
  },
  sendEmailCode: {
    method: 'POST',
    path: '/user/email/verifyCode',
    access: 'public',
    summary: 'Mails a code; the answer is the same whether or not an account exists',
    input: z.object({ email, verifyCodeType: codePurpose }),
    /** Seconds until the next code may be asked for, and until this one dies. */
    reply: z.object({ resendAfterSeconds: z.number(), expiresInSeconds: z.number() }),
    errors: ['CODE_TOO_SOON', 'TOO_MANY', 'SESSION_EXPIRED'],
  },
  resetPassword: {
    method: 'POST',
    path: '/user/forgotPassword',
    access: 'public',
    summary: 'Sets a new password with a code (purpose updatePassword); ends the other sessions',
    input: z.object({ email, password: newPassword, verifyCode }),
    reply: nothing,
    errors: ['CODE_WRONG', 'PASSWORD_WEAK'],
  },
  logout: {
    method: 'POST',
    path: '/user/logout',
    access: 'user',
    summary: 'Ends the session that asks',
    input: nothing,
    reply: nothing,
    errors: [],
  },
  info: {
    method: 'GET',
    path: '/user/info',
    access: 'user',
    summary: 'The signed-in user',
    input: nothing,
    reply: z.object({
      id: z.string(),
      email: z.string().nullable(),
      emailVerifyStatus,
      mobile: z.string().nullable(),
      name: z.string(),
      /** Whether a password is set, and a payment password. */
      password: z.boolean(),
      existPayPassword: z.boolean(),
      createdAt: z.iso.datetime(),
    }),
    errors: [],
  },
  sessions: {
    method: 'GET',
    path: '/user/sessions',
    access: 'user',
    summary: 'Where the user is signed in, newest use first',
    input: nothing,
    reply: z.object({ sessions: z.array(session) }),
    errors: [],
  },
  endSession: {
    method: 'POST',
    path: '/user/session/end',
    access: 'user',
    summary: "Ends one of the user's own sessions",
    input: z.object({ sessionId: z.string().max(60) }),
    reply: nothing,
    errors: ['NOT_FOUND'],
  },
  validateLogin: {
    method: 'GET',
    path: '/user/validate/login',
    access: 'public',
    summary: 'Whether the access token is still good',
    input: nothing,
    reply: z.object({ valid: z.boolean() }),
    errors: [],
  },
})
