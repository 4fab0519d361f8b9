import { normalizeEmail } from '../contract.ts'

/** An e-mail or a mobile: `subject` is the form under which an account is found, `display` what is shown. */
export interface ContactTarget {
  readonly kind: 'email' | 'mobile'
  readonly subject: string
  readonly display: string
}

/** Of an input that the contract let through; a mobile is +86..., +852..., +853... by then. */
export function toContactTarget({ email, mobile }: { readonly email?: string | undefined; readonly mobile?: string | undefined }): ContactTarget {
  return email === undefined ? toMobileTarget(mobile!) : { kind: 'email', subject: normalizeEmail(email), display: email }
}

export function toMobileTarget(e164: string): ContactTarget {
  return { kind: 'mobile', subject: e164, display: e164 }
}
