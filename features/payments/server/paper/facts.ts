/** Content of a paper, frozen on issue; the language is chosen when it is drawn. Amounts are dollars as text. */
export interface InvoiceRecipient {
  readonly userName: string
  readonly email: string
  readonly country: string
  readonly state: string
  readonly city: string
  readonly addressLine: string
  readonly postalCode: string
}
interface Seller {
  readonly company: string
  readonly brand: string
  readonly brandZh: string
  readonly support: string
}
export interface PaidLine {
  readonly orderNo: string
  readonly orderType: number
  /** Payment method (`PAY_METHODS`). */
  readonly method: number
  readonly paidTime: string
  readonly amount: string
  readonly fee: string
  /** Fixed part of the fee; absent if there is none. */
  readonly fixedFee?: string
  readonly total: string
  /** Amount refunded; '0' for none. */
  readonly back: string
  readonly net: string
}
export interface InvoiceFacts {
  readonly kind: 'invoice'
  readonly house: Seller
  readonly month: string
  readonly to: InvoiceRecipient
  readonly lines: readonly PaidLine[]
  readonly net: string
}
export interface ReceiptFacts {
  readonly kind: 'receipt'
  readonly house: Seller
  readonly to: string
  readonly line: PaidLine
  readonly rate: string
  readonly feePercent: string
  readonly payAmount: string
  readonly payCurrency: string
}
export type PaperFacts = InvoiceFacts | ReceiptFacts

/** State of a paper, drawn beside its facts. */
export interface PaperStatus {
  readonly paperNo: string
  readonly issuedAt: Date
  readonly voidAt: Date | null
  readonly replacedBy: string | null
}
