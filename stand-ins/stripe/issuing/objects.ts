import { billingOf, cardOf } from '../../card-network/cards.ts'
import type { Company } from '../../card-network/company.ts'
import type { Authorization, Card, DeclineCode, Dispute, Local, Merchant, PostalAddress, Transaction } from '../../card-network/model.ts'

type Form = Record<string, any>

/** Facts that Stripe keeps and the card network does not. */
export interface IssuingFacts {
  /** By cardholder, card, authorisation and dispute. */
  readonly metadata: Map<string, Record<string, string>>
  /** By cardholder. */
  readonly holders: Map<string, { phone?: string; dob?: { day: number; month: number; year: number } }>
  /** By card. */
  readonly cards: Map<string, { replaces?: string; replacedBy?: string; why?: string; limits: readonly Form[] }>
  /** By dispute. */
  readonly evidence: Map<string, Form>
}

export const ISSUING_API_VERSION = '2026-10-28.endive'
const seconds = (at: number): number => Math.floor(at / 1000)

/** Stripe's names of decline reasons, where they differ from the network's. */
const HISTORY: Partial<Record<DeclineCode, string>> = {
  card_frozen: 'card_inactive',
  card_closed: 'card_canceled',
  card_expired: 'card_expired',
  wrong_details: 'verification_failed',
  no_answer: 'webhook_timeout',
}

const showAddress = ({ line1, line2, city, state, postalCode, country }: PostalAddress): Form => ({
  line1,
  line2: line2 ?? null,
  city,
  state: state || null,
  postal_code: postalCode,
  country,
})
const NO_CONTROLS = {
  allowed_card_presences: null,
  allowed_categories: null,
  allowed_merchant_countries: null,
  blocked_card_presences: null,
  blocked_categories: null,
  blocked_merchant_countries: null,
  spending_limits: null,
  spending_limits_currency: null,
}

export function showIssuingCardholder(company: Company, facts: IssuingFacts, ref: string, card?: Card): Form {
  const holder = company.store.find('holder', ref)!
  const known = facts.holders.get(ref)
  const reason = card?.state === 'opening' ? 'under_review' : card?.state === 'failed' ? 'rejected.listed' : null
  return {
    id: ref,
    object: 'issuing.cardholder',
    billing: { address: showAddress(card ? billingOf(company, card) : holder.address) },
    company: null,
    created: seconds(company.store.createdAt(ref)),
    email: holder.email,
    individual: { card_issuing: null, dob: known?.dob ?? null, first_name: holder.firstName, last_name: holder.lastName, verification: null },
    livemode: false,
    metadata: facts.metadata.get(ref) ?? {},
    name: `${holder.firstName} ${holder.lastName}`,
    phone_number: known?.phone ?? null,
    preferred_locales: [],
    requirements: { disabled_reason: reason, past_due: [] },
    spending_controls: null,
    status: 'active',
    type: 'individual',
  }
}

export function showIssuingCard(company: Company, facts: IssuingFacts, card: Card): Form {
  const known = facts.cards.get(card.ref)
  return {
    id: card.ref,
    object: 'issuing.card',
    brand: 'Visa',
    cancellation_reason: null,
    cardholder: showIssuingCardholder(company, facts, card.holder, card),
    created: seconds(company.store.createdAt(card.ref)),
    currency: 'usd',
    exp_month: card.expMonth,
    exp_year: card.expYear,
    last4: card.last4,
    latest_fraud_warning: null,
    lifecycle_controls: null,
    livemode: false,
    metadata: facts.metadata.get(card.ref) ?? {},
    personalization_design: null,
    replaced_by: known?.replacedBy ?? null,
    replacement_for: known?.replaces ?? null,
    replacement_reason: known?.why ?? null,
    second_line: null,
    shipping: null,
    spending_controls: { ...NO_CONTROLS, spending_limits: known?.limits ?? [], spending_limits_currency: 'usd' },
    status: card.state === 'active' ? 'active' : card.state === 'closed' ? 'canceled' : 'inactive',
    type: 'virtual',
    wallets: null,
  }
}

const showMerchant = ({ name, city, country, mcc }: Merchant): Form => ({
  name,
  city,
  country,
  category: 'computer_software_stores',
  category_code: mcc,
  network_id: '1234567890',
  postal_code: null,
  state: null,
  tax_id: null,
  terminal_id: null,
  url: null,
})
const showMoney = (minor: bigint, local: Local | undefined, sign = 1): Form => ({
  amount: sign * Number(minor),
  currency: 'usd',
  merchant_amount: sign * Number(local?.minor ?? minor),
  merchant_currency: (local?.currency ?? 'usd').toLowerCase(),
})

interface Booked {
  readonly id: string
  readonly type: string
  readonly amount: number
  readonly at: number
  readonly source: string
}
const showBooked = ({ id, type, amount, at, source }: Booked): Form => ({
  id,
  object: 'balance_transaction',
  amount,
  available_on: seconds(at),
  balance_type: 'issuing',
  created: seconds(at),
  currency: 'usd',
  description: null,
  exchange_rate: null,
  fee: 0,
  fee_details: [],
  net: amount,
  reporting_category: type,
  source,
  status: 'available',
  type,
})

export function showIssuingTransaction(company: Company, found: Transaction): Form {
  const [dispute] = company.store.byLink('dispute', found.ref)
  return {
    id: found.ref,
    object: 'issuing.transaction',
    ...showMoney(found.minor, found.local, found.kind === 'refund' ? 1 : -1),
    amount_details: { atm_fee: null, cashback_amount: null },
    authorization: found.authorization ?? null,
    balance_transaction: `txn_${found.ref}`,
    card: found.card,
    cardholder: cardOf(company, found.card).holder,
    created: seconds(found.at),
    dispute: dispute?.ref ?? null,
    livemode: false,
    merchant_data: showMerchant(found.merchant),
    metadata: {},
    network_data: { authorization_code: null, processing_date: null, transaction_id: null },
    type: found.kind === 'capture' ? 'capture' : 'refund',
    wallet: null,
  }
}

export interface PendingRequest {
  readonly minor: bigint
  readonly local?: Local | undefined
  readonly partialAllowed: boolean
}

export function showIssuingAuthorization(company: Company, facts: IssuingFacts, found: Authorization, pending?: PendingRequest): Form {
  const metadata = facts.metadata.get(found.ref)
  const decisions = found.steps.filter(({ what }) => what === 'approved' || what === 'declined')
  const booked = found.steps.filter(({ what, minor }) => what !== 'declined' && minor > 0n)
  const reasonOf = (reason: DeclineCode | undefined): string => (reason && HISTORY[reason]) ?? (metadata ? 'webhook_declined' : 'spending_controls')
  return {
    id: found.ref,
    object: 'issuing.authorization',
    ...showMoney(found.status === 'pending' ? found.heldMinor : 0n, found.local),
    merchant_amount: Number(found.local?.minor ?? found.heldMinor),
    amount_details: { atm_fee: null, cashback_amount: null },
    approved: found.approved,
    authorization_method: 'online',
    balance_transactions: booked.map(({ what, minor, at }, index) =>
      showBooked({
        ...{ id: `txn_${found.ref}_${index}`, at, source: found.ref },
        type: what === 'approved' ? 'issuing_authorization_hold' : 'issuing_authorization_release',
        amount: what === 'approved' ? -Number(minor) : Number(minor),
      }),
    ),
    card: showIssuingCard(company, facts, cardOf(company, found.card)),
    card_presence: 'not_present',
    cardholder: cardOf(company, found.card).holder,
    created: seconds(found.at),
    fleet: null,
    fuel: null,
    livemode: false,
    merchant_data: showMerchant(found.merchant),
    metadata: metadata ?? {},
    network_data: { acquiring_institution_id: null, system_trace_audit_number: null, transaction_id: null },
    pending_request: pending
      ? {
          ...showMoney(pending.minor, pending.local),
          amount_details: { atm_fee: null, cashback_amount: null },
          is_amount_controllable: pending.partialAllowed,
          network_risk_score: null,
        }
      : null,
    request_history: decisions.map(({ what, minor, reason, at }) => ({
      ...showMoney(minor, found.local),
      amount_details: { atm_fee: null, cashback_amount: null },
      approved: what === 'approved',
      authorization_code: what === 'approved' ? '071472' : null,
      created: seconds(at),
      network_risk_score: null,
      reason: what === 'approved' ? 'webhook_approved' : reasonOf(reason),
      reason_message: null,
      requested_at: seconds(at),
    })),
    status: found.status,
    transactions: company.store.byLink('transaction', found.ref).map((one) => showIssuingTransaction(company, one)),
    verification_data: {
      address_line1_check: 'not_provided',
      address_postal_code_check: 'not_provided',
      authentication_exemption: null,
      cvc_check: found.reason === 'wrong_details' ? 'mismatch' : 'match',
      expiry_check: 'match',
      postal_code: null,
      three_d_secure: null,
    },
    verified_by_fraud_challenge: null,
    wallet: null,
  }
}

const EVIDENCE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  canceled: [
    ...['additional_documentation', 'canceled_at', 'cancellation_policy_provided', 'cancellation_reason', 'expected_at', 'explanation'],
    ...['product_description', 'product_type', 'return_status', 'returned_at'],
  ],
  duplicate: ['additional_documentation', 'card_statement', 'cash_receipt', 'check_image', 'explanation', 'original_transaction'],
  fraudulent: ['additional_documentation', 'explanation'],
  not_received: ['additional_documentation', 'expected_at', 'explanation', 'product_description', 'product_type'],
  other: ['additional_documentation', 'explanation', 'product_description', 'product_type'],
  service_not_as_described: ['additional_documentation', 'canceled_at', 'cancellation_reason', 'explanation', 'received_at'],
}

export function showIssuingDispute(company: Company, facts: IssuingFacts, found: Dispute): Form {
  const evidence = facts.evidence.get(found.ref) ?? { reason: 'other', other: {} }
  const reason = evidence['reason'] as string
  const own = Object.fromEntries((EVIDENCE_FIELDS[reason] ?? ['explanation']).map((name) => [name, evidence[reason]?.[name] ?? null]))
  const at = company.store.createdAt(found.ref)
  return {
    id: found.ref,
    object: 'issuing.dispute',
    amount: Number(found.minor),
    balance_transactions: found.credited
      ? [showBooked({ id: `txn_${found.ref}`, type: 'issuing_dispute', amount: Number(found.minor), at, source: found.ref })]
      : [],
    created: seconds(at),
    currency: 'usd',
    evidence: { reason, [reason]: own },
    livemode: false,
    metadata: facts.metadata.get(found.ref) ?? {},
    status: found.status,
    transaction: found.transaction,
  }
}
