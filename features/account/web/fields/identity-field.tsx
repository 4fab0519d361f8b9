import { useTexts } from '#platform/web/i18n.ts'
import type { Fields } from '#platform/web/use-fields.ts'
import { formatPhone, parsePhone, type PhoneInput } from '../../phone.ts'
import { accountTexts } from '../../texts.ts'
import { EmailField } from './email-field.tsx'
import { PhoneField } from './phone-field.tsx'
import { checkEmail, checkPhone } from './rules.ts'

export type ContactWay = 'mobile' | 'email'

export interface Identity {
  readonly phone: PhoneInput
  readonly email: string
}

/** Validation rules of the visible field; the hidden one is ignored. */
export function buildIdentityRules<V extends Identity>(way: ContactWay) {
  return way === 'mobile' ? { phone: ({ phone }: V) => checkPhone(phone) } : { email: ({ email }: V) => checkEmail(email) }
}

/** Converts the fields to call input: `{ mobile }` in wire format, or `{ email }`. */
export function toContactInput(way: ContactWay, { phone, email }: Identity): { mobile: string } | { email: string } {
  return way === 'mobile' ? { mobile: parsePhone(phone)?.wire ?? phone.number } : { email: email.trim() }
}

/** Formats the contact for display; empty while it is invalid. */
export function formatContact(way: ContactWay, { phone, email }: Identity): string {
  const parsed = parsePhone(phone)
  if (way === 'mobile') return parsed ? formatPhone(parsed.wire) : ''
  return checkEmail(email) ? '' : email.trim()
}

interface IdentityFieldProps<V extends Identity> {
  readonly way: ContactWay
  readonly fields: Fields<V>
  readonly isUsername?: boolean
}

export function IdentityField<V extends Identity>({ way, fields, isUsername }: IdentityFieldProps<V>) {
  const t = useTexts(accountTexts)
  const { phone, email } = { phone: fields.bind('phone'), email: fields.bind('email') }
  return way === 'mobile' ? (
    <PhoneField label={t('auth_phone')} {...phone} autoComplete={isUsername ? 'username' : 'tel-national'} />
  ) : (
    <EmailField label={t('auth_email')} {...email} autoComplete={isUsername ? 'username' : 'email'} />
  )
}
