import { emailKey } from '../contract.ts'

/** An e-mail or a mobile: `subject` is the form under which an account is found, `display` what is shown. */
export interface Target {
  readonly kind: 'email' | 'mobile'
  readonly subject: string
  readonly display: string
}

/** Of an input that the contract let through; a mobile is +86..., +852..., +853... by then. */
export function targetOf({ email, mobile }: { readonly email?: string | undefined; readonly mobile?: string | undefined }): Target {
  return email === undefined ? mobileTarget(mobile!) : { kind: 'email', subject: emailKey(email), display: email }
}

export function mobileTarget(e164: string): Target {
  return { kind: 'mobile', subject: e164, display: e164 }
}
