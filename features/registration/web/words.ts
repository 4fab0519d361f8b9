import type { Tone } from '#ui/badge.tsx'
import type { RegistrationRow } from '../contract.ts'

/** `ORDER_TYPE.OPENAI_ACCOUNT` of payments. */
export const ACCOUNT_ORDER = 6
export const REGISTRATION_TONES: Readonly<Record<RegistrationRow['state'], Tone>> = {
  draft: 'warning',
  registering: 'info',
  success: 'success',
  failed: 'neutral',
}
