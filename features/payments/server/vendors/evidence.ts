/** What is known of a disputed order, as plain English for a bank: no contact of anybody. */
export interface EvidenceFacts {
  /** What was sold, and on which terms. */
  readonly product: string
  /** YYYY-MM-DD, Shanghai. */
  readonly paidOn: string
  /** The receipt's lines. */
  readonly receipt: string
  /** What was used of it since. */
  readonly use: string
  /** When and from which networks its customer signed in. */
  readonly access: string
}

export interface EvidenceCall {
  /** Our number, unique for ever. Sent again it is the same evidence. */
  readonly evidenceNo: string
  readonly disputeId: string
  /** An operator's own words. */
  readonly words: string
  readonly facts: EvidenceFacts
}

/** Refused is certain: the channel takes none any more. Every doubt is thrown. */
export type Contested = { readonly kind: 'taken' } | { readonly kind: 'refused'; readonly reason: string }
