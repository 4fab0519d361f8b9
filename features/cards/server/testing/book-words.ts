import type { AuthorizationDecision, DeclineReason, IssuerAuthorization, IssuerNotice, CardMerchant } from '../vendors/port.ts'

/** Fault of the next call of a kind: `lost`: done, but the response is lost; `dead`: not executed. */
export type BookFault = 'lost' | 'dead' | 'refused'

export interface BookAuthorization {
  ref: string
  cardRef: string
  status: IssuerAuthorization['status']
  approved: boolean
  reason?: DeclineReason
  held: bigint
  approvedMinor: bigint
  merchant: CardMerchant
  createdAt: Date
  reversals: number
  captured: bigint
}

export const HOME_MERCHANT: CardMerchant = { name: 'OPENAI *CHATGPT SUBSCR', city: 'San Francisco', country: 'US', mcc: '5817' }
export const FOREIGN_MERCHANT: CardMerchant = { name: 'SUNO INC', city: 'Berlin', country: 'DE', mcc: '5817' }

export interface AuthorizeOptions {
  readonly merchant?: CardMerchant
  readonly partial?: boolean
  /** Undefined: the issuer does not ask us, and `without` decides. */
  readonly decide?: (notice: Extract<IssuerNotice, { kind: 'decide' }>) => Promise<AuthorizationDecision>
  readonly without?: boolean
  /** The network's decision, which overrides ours. */
  readonly overrule?: boolean
  /** The authorisation that this one increments. */
  readonly again?: BookAuthorization
}
