/** The fake's stored objects, and their JSON in API responses. */

export interface FakePaymentIntent {
  readonly id: string
  readonly metadata: Record<string, string>
  readonly amount: number
  amount_received: number
  currency: string
  status: string
  last_payment_error: object | null
  charge?: { readonly id: string; readonly created: number; disputed: boolean }
}
export interface FakeCheckoutSession {
  readonly id: string
  readonly content: Record<string, any>
  readonly amount: number
  readonly created: number
  status: 'open' | 'complete' | 'expired'
  /** Payment without a session, made without the payer present. */
  readonly alone?: boolean
  intent?: FakePaymentIntent
}
export interface FakeStripeRefund {
  readonly id: string
  readonly intent: FakePaymentIntent
  readonly amount: number
  readonly metadata: Record<string, string>
  readonly created: number
  status: string
}
export interface FakeStripeDispute {
  readonly id: string
  readonly intent: FakePaymentIntent
  status: string
  readonly created: number
  evidence?: Record<string, string>
  metadata?: Record<string, string>
  submissions?: number
}

/** Card details shared by all payments. */
export const FINGERPRINT = 'Xt5EWLLDS7FJjR1c'
const CARD = { type: 'card', card: { brand: 'visa', last4: '4242', fingerprint: FINGERPRINT } }

/** The objects of the API, of an account in one currency. */
export function createStripeShapes(currency: string) {
  const chargeOf = (intent: FakePaymentIntent) =>
    intent.charge && {
      ...intent.charge,
      object: 'charge',
      payment_method_details: CARD,
      amount: intent.amount_received,
      currency: intent.currency,
      payment_intent: intent.id,
      metadata: intent.metadata,
    }
  const paymentOf = (intent: FakePaymentIntent) => ({ ...intent, object: 'payment_intent', charge: undefined, latest_charge: chargeOf(intent) ?? null })
  const sessionOf = ({ id, content, status, amount, intent, created }: FakeCheckoutSession) => ({
    id,
    object: 'checkout.session',
    created,
    livemode: false,
    status,
    url: status === 'open' ? `https://checkout.stripe.com/c/pay/${id}` : null,
    client_reference_id: content['client_reference_id'],
    metadata: content['metadata'],
    amount_total: amount,
    currency,
    payment_status: intent?.amount_received ? 'paid' : 'unpaid',
    payment_intent: intent ? paymentOf(intent) : null,
  })
  const refundOf = ({ id, intent, amount, metadata, status, created }: FakeStripeRefund) => ({
    id,
    object: 'refund',
    amount,
    currency: intent.currency,
    metadata,
    status,
    created,
    payment_intent: intent.id,
    failure_reason: status === 'failed' ? 'lost_or_stolen_card' : undefined,
  })
  const disputeOf = ({ id, intent, status, created, evidence, metadata, submissions }: FakeStripeDispute) => ({
    id,
    object: 'dispute',
    amount: intent.amount_received,
    currency: intent.currency,
    status,
    created,
    charge: intent.charge!.id,
    payment_intent: intent.id,
    metadata: metadata ?? {},
    evidence: evidence ?? {},
    evidence_details: { due_by: created + 7 * 86_400, has_evidence: submissions !== undefined, past_due: false, submission_count: submissions ?? 0 },
  })
  return { chargeOf, paymentOf, sessionOf, refundOf, disputeOf }
}
