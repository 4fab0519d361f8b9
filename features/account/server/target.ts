import { normalizeEmail } from '../contract.ts'

/** An e-mail or a mobile. `subject` is the form that identifies the account, `display` the form shown to users. */
export interface ContactTarget {
  readonly kind: 'email' | 'mobile'
  readonly subject: string
  readonly display: string
}

/** Converts input validated by the contract; a mobile is already +86..., +852..., +853... */
export function toContactTarget({ email, mobile }: { readonly email?: string | undefined; readonly mobile?: string | undefined }): ContactTarget {
  return email === undefined ? toMobileTarget(mobile!) : { kind: 'email', subject: normalizeEmail(email), display: email }
}

export function toMobileTarget(e164: string): ContactTarget {
  return { kind: 'mobile', subject: e164, display: e164 }
}
