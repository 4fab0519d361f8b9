import type { OpenReason } from '../../words.ts'
import type { CardKey } from './card-words.ts'

/** Reason that an issuer opens no card, as shown to the user. */
export const OPEN_REASON_TEXTS: Readonly<Record<OpenReason, CardKey>> = {
  country: 'open_reason_country',
  phone: 'open_reason_phone',
  name: 'open_reason_name',
  address: 'open_reason_address',
  document: 'open_reason_document',
  declined: 'open_reason_declined',
  duplicate: 'open_reason_duplicate',
  data_missing: 'open_reason_data_missing',
  issuer_away: 'open_reason_issuer_away',
  no_answer: 'open_reason_no_answer',
  withdrawn: 'open_reason_withdrawn',
  other: 'open_reason_other',
}
