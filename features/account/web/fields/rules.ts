import { email, loginPassword, newPassword, PASSWORD_MAX, SETTINGS_PASSWORD_MIN, settingsPassword, verifyCode } from '../../contract.ts'
import { parsePhone, type PhoneInput } from '../../phone.ts'
import type { accountTexts } from '../../texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

export type AccountTextKey = TextKeyOf<typeof accountTexts>

// Each check returns the text key of the problem, or undefined. They use the server's schemas and add more specific messages.

export const checkEmail = (text: string): AccountTextKey | undefined =>
  text.trim() === '' ? 'auth_email_required' : email.safeParse(text).success ? undefined : 'auth_email_invalid'

export function checkPhone(phone: PhoneInput): AccountTextKey | undefined {
  if (phone.number === '') return 'auth_phone_required'
  return parsePhone(phone) ? undefined : phone.region === '86' ? 'phoneValidate' : 'phoneValidate1'
}

export const checkCode = (text: string): AccountTextKey | undefined => (verifyCode.safeParse(text).success ? undefined : 'auth_code_required')

export function checkPassword(text: string): AccountTextKey | undefined {
  if (text.trim() === '') return 'auth_password_required'
  return loginPassword.safeParse(text).success ? undefined : 'auth_password_max'
}

/** Checks a password at register and reset: 8 to 50 characters. */
export function checkNewPassword(text: string): AccountTextKey | undefined {
  if (text.trim() === '') return 'auth_password_required'
  if (newPassword.safeParse(text).success) return undefined
  return [...text.normalize('NFKC').trim()].length > PASSWORD_MAX ? 'auth_password_max' : 'auth_password_length'
}

/** Checks a password in the settings: 12 to 50 characters, not digits alone, without the user's own number (product.md 1.5). */
export function checkSettingsPassword(text: string, mobile: string | undefined): AccountTextKey | undefined {
  if (text.trim() === '') return 'auth_password_required'
  const normal = text.normalize('NFKC').trim()
  if ([...normal].length > PASSWORD_MAX) return 'auth_password_max'
  if ([...normal].length < SETTINGS_PASSWORD_MIN) return 'auth_password_length_12'
  if (!settingsPassword.safeParse(text).success) return 'auth_password_digits'
  return mobile && normal.includes(mobile) ? 'auth_password_mobile' : undefined
}

export const checkConfirmation = (text: string, again: string): AccountTextKey | undefined => (text === again ? undefined : 'passwordMismatch')
