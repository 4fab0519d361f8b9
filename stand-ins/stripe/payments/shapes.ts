/** Objects that the stand-in keeps, and their JSON in API answers: complete, as the SDK's types have them. */

export interface StoredPaymentIntent {
  readonly id: string
  readonly metadata: Record<string, string>
  readonly description: string | null
  readonly customer: string | null
  readonly methodType: string
  readonly created: number
  readonly amount: number
  amount_received: number
  currency: string
  status: string
  last_payment_error: object | null
  canceledAt?: number
  charge?: { readonly id: string; readonly created: number; disputed: boolean }
}
export interface StoredCheckoutSession {
  readonly id: string
  readonly content: Record<string, any>
  readonly amount: number
  readonly created: number
  status: 'open' | 'complete' | 'expired'
  /** Payment without a session, made without the payer present. */
  readonly alone?: boolean
  intent?: StoredPaymentIntent
}
export interface StoredStripeRefund {
  readonly id: string
  readonly intent: StoredPaymentIntent
  readonly amount: number
  readonly metadata: Record<string, string>
  readonly reason: string | null
  readonly created: number
  status: string
}
export interface StoredStripeDispute {
  readonly id: string
  readonly intent: StoredPaymentIntent
  status: string
  readonly created: number
  evidence?: Record<string, string>
  metadata?: Record<string, string>
  submissions?: number
}

/** Card shared by all payments. */
export const FINGERPRINT = 'Xt5EWLLDS7FJjR1c'
const ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }
export const BILLING_DETAILS = { address: ADDRESS, email: null, name: null, phone: null, tax_id: null }
export const CARD = {
  brand: 'visa',
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
  country: 'US',
  exp_month: 8,
  exp_year: 2030,
  fingerprint: FINGERPRINT,
  funding: 'credit',
  last4: '4242',
  wallet: null,
}
const EVIDENCE_FIELDS = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
]

/** Session fields that are empty unless a merchant asks for them. */
export const EMPTY_SESSION = {
  after_expiration: null,
  allow_promotion_codes: null,
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  customer_details: null,
  customer_email: null,
  discounts: null,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_configuration_details: null,
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  subscription: null,
  ui_mode: 'hosted_page',
  wallet_options: null,
}

/** The objects of the API, of an account in one currency. `expand` names the references to write out. */
export function createStripeShapes(currency: string) {
  const methodDetailsOf = ({ methodType }: StoredPaymentIntent) => {
    if (methodType === 'alipay')
      return { type: 'alipay', alipay: { buyer_id: '2088101117955611', fingerprint: 'Gy5EWLLDS7FJjR1c', transaction_id: '2026112100001' } }
    if (methodType === 'wechat_pay')
      return { type: 'wechat_pay', wechat_pay: { fingerprint: 'Hz5EWLLDS7FJjR1c', location: null, reader: null, transaction_id: '4200000001' } }
    const { checks, ...card } = CARD
    return {
      type: 'card',
      card: {
        ...card,
        amount_authorized: null,
        authorization_code: null,
        electronic_commerce_indicator: null,
        checks,
        extended_authorization: { status: 'disabled' },
        incremental_authorization: { status: 'unavailable' },
        installments: null,
        mandate: null,
        multicapture: { status: 'unavailable' },
        network: 'visa',
        network_transaction_id: null,
        overcapture: { maximum_amount_capturable: 0, status: 'unavailable' },
        regulated_status: null,
        three_d_secure: null,
        transaction_link_id: null,
      },
    }
  }
  const chargeOf = (intent: StoredPaymentIntent, refunded = 0) =>
    intent.charge && {
      ...intent.charge,
      object: 'charge',
      amount: intent.amount_received,
      amount_captured: intent.amount_received,
      amount_refunded: refunded,
      application: null,
      application_fee: null,
      application_fee_amount: null,
      balance_transaction: `txn_${intent.charge.id}`,
      billing_details: BILLING_DETAILS,
      calculated_statement_descriptor: 'MERCHANT',
      captured: true,
      currency: intent.currency,
      customer: intent.customer,
      description: intent.description,
      failure_balance_transaction: null,
      failure_code: null,
      failure_message: null,
      fraud_details: {},
      livemode: false,
      metadata: intent.metadata,
      on_behalf_of: null,
      outcome: null,
      paid: true,
      payment_intent: intent.id,
      payment_method: null,
      payment_method_details: methodDetailsOf(intent),
      receipt_email: null,
      receipt_number: null,
      receipt_url: null,
      refunded: refunded === intent.amount_received,
      review: null,
      shipping: null,
      source: null,
      source_transfer: null,
      statement_descriptor: null,
      statement_descriptor_suffix: null,
      status: 'succeeded',
      transfer_data: null,
      transfer_group: null,
    }
  const paymentOf = (intent: StoredPaymentIntent, isExpanded = false) => ({
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: intent.amount,
    amount_capturable: 0,
    amount_received: intent.amount_received,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: intent.canceledAt ?? null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${intent.id}_secret_none`,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: intent.currency,
    customer: intent.customer,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error: intent.last_payment_error,
    latest_charge: isExpanded ? (chargeOf(intent) ?? null) : (intent.charge?.id ?? null),
    livemode: false,
    managed_payments: null,
    metadata: intent.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: [intent.methodType],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_group: null,
  })
  const sessionOf = ({ id, content, status, amount, intent, created }: StoredCheckoutSession, expand: readonly string[] = []) => {
    const hasCharge = expand.includes('payment_intent.latest_charge')
    return {
      id,
      object: 'checkout.session',
      ...EMPTY_SESSION,
      adaptive_pricing: { enabled: content['adaptive_pricing']?.enabled !== 'false' },
      allowed_payment_method_types: content['allowed_payment_method_types'] ?? null,
      amount_subtotal: amount,
      amount_total: amount,
      automatic_tax: { enabled: false, liability: null, provider: null, status: null },
      cancel_url: content['cancel_url'] ?? null,
      client_reference_id: content['client_reference_id'] ?? null,
      created,
      currency,
      customer: null,
      customer_creation: 'if_required',
      expires_at: Number(content['expires_at']),
      locale: content['locale'] ?? null,
      metadata: content['metadata'] ?? {},
      mode: 'payment',
      payment_intent: !intent ? null : hasCharge || expand.includes('payment_intent') ? paymentOf(intent, hasCharge) : intent.id,
      payment_method_collection: 'if_required',
      payment_method_options: {},
      payment_method_types: content['allowed_payment_method_types'] ?? ['card'],
      payment_status: intent?.amount_received ? 'paid' : 'unpaid',
      setup_intent: null,
      status,
      success_url: content['success_url'],
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      url: status === 'open' ? `https://checkout.stripe.com/c/pay/${id}` : null,
    }
  }
  const refundOf = ({ id, intent, amount, metadata, reason, status, created }: StoredStripeRefund) => ({
    id,
    object: 'refund',
    amount,
    balance_transaction: status === 'succeeded' ? `txn_${id}` : null,
    charge: intent.charge?.id ?? null,
    created,
    currency: intent.currency,
    customer: intent.customer,
    customer_account: null,
    ...(status === 'failed' ? { failure_reason: 'lost_or_stolen_card' } : {}),
    metadata,
    payment_intent: intent.id,
    payment_method: null,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  })
  const disputeOf = ({ id, intent, status, created, evidence, metadata, submissions }: StoredStripeDispute) => ({
    id,
    object: 'dispute',
    amount: intent.amount_received,
    balance_transactions: [],
    charge: intent.charge!.id,
    created,
    currency: intent.currency,
    enhanced_eligibility_types: [],
    evidence: { ...Object.fromEntries(EVIDENCE_FIELDS.map((name) => [name, null])), enhanced_evidence: {}, ...evidence },
    evidence_details: {
      due_by: created + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: submissions !== undefined,
      past_due: false,
      submission_count: submissions ?? 0,
      submission_method: submissions === undefined ? 'not_submitted' : 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: metadata ?? {},
    payment_intent: intent.id,
    reason: 'general',
    status,
  })
  return { chargeOf, paymentOf, sessionOf, refundOf, disputeOf }
}
