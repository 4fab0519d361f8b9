import { z } from 'zod'
import { captchaVerifyParam as riskParam } from '#features/risk/contract.ts'
import { parseWirePhone } from './phone.ts'

/** Limits that the forms and the server share (product.md 1.5, 1.9). */
export const VERIFY_CODE_LENGTH = 6
export const PASSWORD_MIN = 8
export const SETTINGS_PASSWORD_MIN = 12
export const PASSWORD_MAX = 50
export const PAY_PASSWORD_LENGTH = 6
/** Wrong attempts after which a payment password must be reset. */
export const PAY_PASSWORD_TRIES = 5
export const FIELD_MAX = 50

const ATOM = String.raw`[!-~]`
const EMAIL = new RegExp(String.raw`^(?=${ATOM}+$)[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]+$`)

/** E-mail: an at-sign and a dot, ASCII, no characters that could break a mail header. Trimmed; displayed as typed. */
export const email = z.string().trim().max(254).regex(EMAIL)

/** Normalized e-mail, under which the account is found and to which its mail is sent. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase()
}

/** Mobile number as 13800138000, 85298765432 or 85312345678 (see phone.ts); parsed to +86..., +852..., +853... */
export const mobile = z
  .string()
  .max(40)
  .transform((text, ctx) => {
    const phone = parseWirePhone(text)
    if (phone) return phone.e164
    ctx.addIssue({ code: 'custom', message: 'phoneInvalid' })
    return z.NEVER
  })

/** Fields of calls that take an e-mail or a mobile; use with `.superRefine(requireExactlyOne('email', 'mobile'))`. */
export const contactFields = { email: email.optional(), mobile: mobile.optional() }

/** Requires exactly one of the fields; the error marks all of them. */
export function requireExactlyOne<K extends string>(...fields: readonly K[]) {
  return (input: { readonly [F in K]?: unknown }, ctx: z.RefinementCtx): void => {
    if (fields.filter((field) => input[field] !== undefined).length === 1) return
    for (const field of fields) ctx.addIssue({ code: 'custom', path: [field], message: 'exactly one' })
  }
}

export const verifyCode = z.string().regex(/^[0-9]{6}$/)

/** Captcha token from the page; required where the captcha is on (features/risk), single use. */
export const optionalCaptchaParam = riskParam.optional()

/** Normalizes a password so that every keyboard gives the same text: NFKC, trimmed. */
export function normalizePassword(text: string): string {
  return text.normalize('NFKC').trim()
}

const countCharacters = (text: string) => [...text].length

/** At login: required, trimmed, at most 50. */
export const loginPassword = z
  .string()
  .max(400)
  .transform(normalizePassword)
  .refine((text) => text !== '' && countCharacters(text) <= PASSWORD_MAX)

/** At register and reset: 8 to 50 characters. Weak ones are refused by the server with PASSWORD_WEAK. */
export const newPassword = z
  .string()
  .max(400)
  .transform(normalizePassword)
  .refine((text) => countCharacters(text) >= PASSWORD_MIN && countCharacters(text) <= PASSWORD_MAX)

/** In the settings: 12 to 50 characters, not digits alone. The server also rejects the user's mobile number. */
export const settingsPassword = z
  .string()
  .max(400)
  .transform(normalizePassword)
  .refine((text) => countCharacters(text) >= SETTINGS_PASSWORD_MIN && countCharacters(text) <= PASSWORD_MAX && !/^\d+$/.test(text))

export const payPasswordField = z.string().regex(/^[0-9]{6}$/)

/** Text shown to people: one line, no invisible or control characters. */
const line = (max: number) =>
  z
    .string()
    .max(max * 4)
    .transform((text) => text.normalize('NFC').trim())
    .refine((text) => countCharacters(text) <= max && !/[\p{Cc}\p{Co}\p{Cn}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text))
/** May be empty. */
export const shortLine = line(FIELD_MAX)
/** Invoice field: required, at most 50 (product.md 1.5). */
export const invoiceLine = shortLine.refine((text) => text !== '')
/** Letters of any script and spaces only. */
export const invoiceName = invoiceLine.refine((text) => /^[\p{L}\p{M} ]+$/u.test(text))
