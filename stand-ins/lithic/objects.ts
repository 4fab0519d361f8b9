import { cardOf } from '../card-network/cards.ts'
import { Refusal } from '../card-network/company.ts'
import type { Company } from '../card-network/company.ts'
import type { Authorization, Card, DeclineCode, Dispute, Holder, Local, Merchant, Transaction } from '../card-network/model.ts'
import { deriveToken } from './tokens.ts'

type Json = Record<string, any>

/** Facts that Lithic keeps and the card network does not. */
export interface LithicFacts {
  /** By card. */
  readonly cards: Map<string, { memo?: string; limit: number; duration: string; program: string; replaces?: string; substatus?: string }>
  /** By account. */
  readonly holders: Map<string, { token: string; externalId?: string; phone: string }>
  /** By dispute. */
  readonly disputes: Map<string, { reason: string; note?: string }>
  readonly evidences: Map<string, { dispute: string; filename?: string; isUploaded: boolean; at: number }>
}

/** Default program of the sandbox (docs.lithic.com/reference/postcards). */
export const LITHIC_PROGRAM = '00000000-0000-0000-1000-000000000000'
const DETAILS: Partial<Record<DeclineCode, string>> = {
  card_frozen: 'CARD_PAUSED',
  card_closed: 'CARD_CLOSED',
  card_expired: 'CARD_EXPIRED',
  card_not_ready: 'CARD_NOT_ACTIVATED',
  wrong_details: 'CARD_SECURITY_CODE_INCORRECT',
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  suspected_fraud: 'SUSPECTED_FRAUD',
  merchant_blocked: 'UNAUTHORIZED_MERCHANT',
  monthly_limit: 'CARD_SPEND_LIMIT_EXCEEDED',
  no_answer: 'CUSTOMER_ASA_TIMEOUT',
}
const RESULTS: Readonly<Record<string, string>> = {
  CARD_PAUSED: 'CARD_PAUSED',
  CARD_CLOSED: 'CARD_CLOSED',
  CARD_SECURITY_CODE_INCORRECT: 'INVALID_CARD_DETAILS',
  INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
  SUSPECTED_FRAUD: 'SUSPECTED_FRAUD',
  UNAUTHORIZED_MERCHANT: 'UNAUTHORIZED_MERCHANT',
  CARD_SPEND_LIMIT_EXCEEDED: 'USER_TRANSACTION_LIMIT',
  CUSTOMER_ASA_TIMEOUT: 'UNKNOWN_HOST_TIMEOUT',
}
const ALPHA3: Readonly<Record<string, string>> = { US: 'USA', CZ: 'CZE', DE: 'DEU', PT: 'PRT', CA: 'CAN' }

const toInstant = (at: number): string => new Date(at).toISOString()
const sideOf = (minor: bigint, local: Local | undefined, sign = 1): Json => ({
  cardholder: { amount: sign * Number(minor), currency: 'USD', conversion_rate: writeRate(minor, local) },
  merchant: { amount: sign * Number(local?.minor ?? minor), currency: local?.currency ?? 'USD' },
})
const writeRate = (minor: bigint, local: Local | undefined): string =>
  local && local.minor > 0n ? (Number(minor) / Number(local.minor)).toFixed(6) : '1.000000'

const showMerchant = ({ name, city, country, mcc }: Merchant): Json => ({
  acceptor_id: deriveToken(name).slice(0, 15),
  acquiring_institution_id: '191231',
  descriptor: name,
  city,
  country: ALPHA3[country] ?? country,
  mcc,
  state: country === 'US' ? 'CA' : '',
  phone_number: null,
  postal_code: null,
  street_address: null,
})
const POS = {
  entry_mode: { card: 'NOT_PRESENT', cardholder: 'ELECTRONIC_ORDER', pan: 'ECOMMERCE', pin_entered: false },
  terminal: {
    attended: false,
    card_retention_capable: false,
    on_premise: false,
    operator: 'CARDHOLDER',
    partial_approval_capable: false,
    pin_capability: 'NOT_CAPABLE',
    type: 'ECOMMERCE',
    acceptor_terminal_id: null,
  },
}

interface EventRow {
  readonly token: string
  readonly type: string
  readonly minor: bigint
  readonly local?: Local | undefined
  readonly at: number
  readonly detail: string
  readonly isCredit?: boolean
}
const showEvent = ({ token, type, minor, local, at, detail, isCredit = false }: EventRow): Json => {
  const isFinancial = ['CLEARING', 'RETURN', 'RETURN_REVERSAL'].includes(type)
  const amounts = sideOf(minor, local, isCredit ? -1 : 1)
  return {
    token,
    type,
    amount: amounts['cardholder'].amount,
    amounts: { ...amounts, settlement: isFinancial ? amounts['cardholder'] : null },
    created: toInstant(at),
    detailed_results: [detail],
    effective_polarity: isCredit ? 'CREDIT' : 'DEBIT',
    network_info: null,
    result: detail === 'APPROVED' ? 'APPROVED' : (RESULTS[detail] ?? 'DECLINED'),
    rule_results: [],
  }
}
const STEP_TYPES = { approved: 'AUTHORIZATION', declined: 'AUTHORIZATION', reversed: 'AUTHORIZATION_REVERSAL', expired: 'AUTHORIZATION_EXPIRY' } as const
const ROW_TYPES = { capture: 'CLEARING', refund: 'RETURN', refund_reversal: 'RETURN_REVERSAL' } as const
const detailOf = (reason: DeclineCode | undefined): string => (reason && DETAILS[reason]) ?? 'DO_NOT_HONOR'

const showSteps = ({ ref, steps, local }: Authorization): Json[] =>
  steps.flatMap(({ what, minor, at, reason }, index) =>
    what === 'cleared'
      ? []
      : [
          showEvent({
            token: deriveToken(`${ref}.${index}`),
            type: STEP_TYPES[what],
            minor,
            local,
            at,
            detail: what === 'declined' ? detailOf(reason) : 'APPROVED',
            isCredit: what === 'reversed' || what === 'expired',
          }),
        ],
  )
const showRow = ({ ref, kind, minor, local, at }: Transaction): Json =>
  showEvent({ token: ref, type: ROW_TYPES[kind], minor, local, at, detail: 'APPROVED', isCredit: kind === 'refund' })

interface Whole {
  readonly token: string
  readonly card: string
  readonly at: number
  readonly merchant: Merchant
  readonly local?: Local | undefined
  readonly status: string
  readonly isApproved: boolean
  readonly asked: bigint
  readonly held: bigint
  readonly rows: readonly Transaction[]
  readonly events: readonly Json[]
}

function showWhole(company: Company, whole: Whole): Json {
  const { token, card, at, merchant, local, status, isApproved, asked, held, rows, events } = whole
  const settled = rows.reduce((sum, { kind, minor }) => sum + (kind === 'refund' ? -minor : minor), 0n)
  const sides = sideOf(asked, local)
  const sorted = [...events].sort((one, other) => String(one['created']).localeCompare(String(other['created'])))
  return {
    token,
    account_token: cardOf(company, card).holder,
    acquirer_fee: 0,
    acquirer_reference_number: null,
    amount: Number(status === 'SETTLED' ? settled : asked),
    amounts: {
      ...sides,
      hold: { amount: Number(held), currency: 'USD' },
      settlement: { amount: Number(settled), currency: 'USD' },
    },
    authorization_amount: Number(asked),
    authorization_code: isApproved ? '071472' : null,
    avs: null,
    card_token: card,
    cardholder_authentication: null,
    created: toInstant(at),
    financial_account_token: null,
    merchant: showMerchant(merchant),
    merchant_amount: sides['merchant'].amount,
    merchant_authorization_amount: sides['merchant'].amount,
    merchant_currency: sides['merchant'].currency,
    network: 'VISA',
    network_risk_score: null,
    pos: POS,
    result: isApproved ? 'APPROVED' : (sorted.at(-1)?.['result'] ?? 'DECLINED'),
    service_location: null,
    settled_amount: Number(settled),
    status,
    tags: {},
    token_info: null,
    updated: String(sorted.at(-1)?.['created'] ?? toInstant(at)),
    events: sorted,
  }
}

const STATUSES = { pending: 'PENDING', reversed: 'VOIDED', expired: 'EXPIRED' } as const

/** One transaction holds an authorisation and all that is cleared under it, as events. */
export function showLithicTransaction(company: Company, ref: string): Json {
  const { store } = company
  const found = store.find('authorization', ref)
  if (found) {
    const rows = store.byLink('transaction', found.ref)
    const status = found.status === 'closed' ? (found.approved || rows.length ? 'SETTLED' : 'DECLINED') : STATUSES[found.status]
    return showWhole(company, {
      ...{ token: found.ref, card: found.card, at: found.at, merchant: found.merchant, local: found.local, status, rows },
      ...{ isApproved: found.approved, asked: found.askedMinor, held: found.heldMinor, events: [...showSteps(found), ...rows.map(showRow)] },
    })
  }
  const alone = store.find('transaction', ref)
  if (!alone) throw new Refusal('Could not find transaction', 404)
  if (alone.authorization) return showLithicTransaction(company, alone.authorization)
  return showWhole(company, {
    ...{ token: alone.ref, card: alone.card, at: alone.at, merchant: alone.merchant, local: alone.local, status: 'SETTLED', rows: [alone] },
    ...{ isApproved: true, asked: alone.minor, held: 0n, events: [showRow(alone)] },
  })
}

const CARD_STATES = { active: 'OPEN', frozen: 'PAUSED', closed: 'CLOSED', opening: 'PENDING_FULFILLMENT', failed: 'CLOSED' } as const

/** A card. Programs that may see numbers get `pan` and `cvv` when they retrieve or create one; lists never hold them. */
export function showLithicCard(company: Company, { cards }: LithicFacts, card: Card, isWhole = true): Json {
  const facts = cards.get(card.ref)
  const { number, cvv } = company.store.numberOf(card.ref)
  return {
    token: card.ref,
    account_token: card.holder,
    card_program_token: facts?.program ?? LITHIC_PROGRAM,
    cardholder_currency: 'USD',
    created: toInstant(company.store.createdAt(card.ref)),
    exp_month: String(card.expMonth).padStart(2, '0'),
    exp_year: String(card.expYear),
    funding: null,
    hostname: '',
    last_four: card.last4,
    ...(facts?.memo === undefined ? {} : { memo: facts.memo }),
    pin_status: 'NOT_SET',
    replacement_for: facts?.replaces ?? null,
    spend_limit: facts?.limit ?? 0,
    spend_limit_duration: facts?.duration ?? 'TRANSACTION',
    state: CARD_STATES[card.state],
    substatus: facts?.substatus ?? null,
    type: 'VIRTUAL',
    ...(isWhole ? { pan: number, cvv } : {}),
  }
}

const DISPUTE_STATES = { unsubmitted: 'PENDING_CUSTOMER', submitted: 'SUBMITTED', won: 'CASE_WON', lost: 'CASE_CLOSED', expired: 'CASE_CLOSED' } as const
const RESOLUTIONS: Partial<Record<Dispute['status'], string>> = { won: 'WON_FIRST_CHARGEBACK', lost: 'CASE_LOST', expired: 'PAST_FILING_DATE' }

export function showLithicDispute(company: Company, { disputes }: LithicFacts, found: Dispute): Json {
  const created = toInstant(company.store.createdAt(found.ref))
  const isFiled = found.status !== 'unsubmitted' && found.status !== 'expired'
  return {
    token: found.ref,
    amount: Number(found.minor),
    arbitration_date: null,
    created,
    customer_filed_date: null,
    customer_note: disputes.get(found.ref)?.note ?? null,
    network_claim_ids: null,
    network_filed_date: isFiled ? created : null,
    network_reason_code: null,
    prearbitration_date: null,
    primary_claim_id: null,
    reason: disputes.get(found.ref)?.reason ?? 'OTHER',
    representment_date: null,
    resolution_date: RESOLUTIONS[found.status] ? toInstant(company.now()) : null,
    resolution_note: null,
    resolution_reason: RESOLUTIONS[found.status] ?? null,
    status: DISPUTE_STATES[found.status],
    transaction_token: company.store.find('transaction', found.transaction)?.authorization ?? found.transaction,
  }
}

export function showLithicHolder(company: Company, { holders }: LithicFacts, holder: Holder): Json {
  const facts = holders.get(holder.ref)!
  const { line1, line2, city, state, postalCode } = holder.address
  const created = toInstant(company.store.createdAt(holder.ref))
  return {
    token: facts.token,
    account_token: holder.ref,
    created,
    email: holder.email,
    exemption_type: 'PREPAID_CARD_USER',
    ...(facts.externalId === undefined ? {} : { external_id: facts.externalId }),
    individual: {
      address: { address1: line1, ...(line2 ? { address2: line2 } : {}), city, state, postal_code: postalCode, country: ALPHA3[holder.address.country]! },
      dob: '',
      email: holder.email,
      entity_token: deriveToken(facts.token),
      first_name: holder.firstName,
      last_name: holder.lastName,
      phone_number: facts.phone,
    },
    phone_number: facts.phone,
    status: 'ACCEPTED',
    status_reasons: [],
    user_type: 'INDIVIDUAL',
    verification_application: { created, status: 'ACCEPTED', status_reasons: [], updated: created },
  }
}

/** A request for a decision. `event_token` is only for programs of a beta, and is left out. */
export function showAuthorizationRequest(company: Company, facts: LithicFacts, { authorization, minor, local }: AsaFacts): Json {
  const card = showLithicCard(company, facts, cardOf(company, authorization.card), false)
  const sides = sideOf(minor, local)
  return {
    token: authorization.ref,
    acquirer_fee: 0,
    amount: Number(minor),
    amounts: { ...sides, hold: null, settlement: null },
    authorization_amount: Number(minor),
    avs: { address: '', address_on_file_match: 'NOT_PRESENT', zipcode: '' },
    card: {
      token: card['token'],
      last_four: card['last_four'],
      memo: card['memo'] ?? '',
      spend_limit: card['spend_limit'],
      spend_limit_duration: card['spend_limit_duration'],
      state: card['state'],
      type: card['type'],
    },
    cardholder_currency: 'USD',
    cash_amount: 0,
    created: toInstant(authorization.at),
    merchant: showMerchant(authorization.merchant),
    merchant_amount: sides['merchant'].amount,
    merchant_currency: sides['merchant'].currency,
    name_validation: null,
    service_location: null,
    settled_amount: 0,
    status: 'AUTHORIZATION',
    transaction_initiator: 'CARDHOLDER',
    network: 'VISA',
    pos: POS,
  }
}
interface AsaFacts {
  readonly authorization: Authorization
  readonly minor: bigint
  readonly local?: Local | undefined
}
