/** Facts of a disputed order, in plain English for a bank. Holds no contact data. */
export interface EvidenceFacts {
  /** Item sold, and its terms of sale. */
  readonly product: string
  /** Date in Shanghai, YYYY-MM-DD. */
  readonly paidOn: string
  /** Lines of the receipt. */
  readonly receipt: string
  /** Usage since the purchase. */
  readonly use: string
  /** Sign-in times and networks of the customer. */
  readonly access: string
}

export interface EvidenceCall {
  /** Our number, never reused; resending it is idempotent. */
  readonly evidenceNo: string
  readonly disputeId: string
  /** Statement written by an operator. */
  readonly words: string
  readonly facts: EvidenceFacts
}

/** `refused` is final: the channel accepts no more evidence. Unknown outcomes are thrown. */
export type EvidenceOutcome = { readonly kind: 'taken' } | { readonly kind: 'refused'; readonly reason: string }
