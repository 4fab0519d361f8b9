import type { Decision, DeclineReason, IssuerAuthorization, IssuerNotice, Merchant } from '../vendors/port.ts'

/** Fault of the next call of a kind: `lost`: done, but the response is lost; `dead`: not executed. */
export type Fault = 'lost' | 'dead' | 'refused'

export interface Auth {
  ref: string
  cardRef: string
  status: IssuerAuthorization['status']
  approved: boolean
  reason?: DeclineReason
  held: bigint
  approvedMinor: bigint
  merchant: Merchant
  createdAt: Date
  reversals: number
  captured: bigint
}

export const HOME: Merchant = { name: 'OPENAI *CHATGPT SUBSCR', city: 'San Francisco', country: 'US', mcc: '5817' }
export const ABROAD: Merchant = { name: 'SUNO INC', city: 'Berlin', country: 'DE', mcc: '5817' }

export interface Authorize {
  readonly merchant?: Merchant
  readonly partial?: boolean
  /** Undefined: the issuer does not ask us, and `without` decides. */
  readonly decide?: (notice: Extract<IssuerNotice, { kind: 'decide' }>) => Promise<Decision>
  readonly without?: boolean
  /** The network's decision, which overrides ours. */
  readonly overrule?: boolean
  /** The authorisation that this one increments. */
  readonly again?: Auth
}
