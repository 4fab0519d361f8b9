import type Stripe from 'stripe'
import { sumNano } from '#platform/shared/money.ts'
import type { DeclineReason, IssuerAuthorization, IssuerTransaction, CardMerchant } from '../port.ts'
import { DECLINE_REASONS } from '../port.ts'
import { callStripeIssuing } from './client.ts'

/** Metadata key for our own decline reason at Stripe (written by notices.ts). */
export const REASON_METADATA = 'our_reason'

const cents = (value: number): bigint => BigInt(Math.abs(value))
const refOf = (value: string | { readonly id: string } | null): string | undefined => (typeof value === 'string' ? value : value?.id)

export const parseStripeMerchant = ({ name, city, country, category_code: mcc }: Stripe.Issuing.Authorization.MerchantData): CardMerchant => ({
  name: name ?? '',
  city: city ?? '',
  // Stripe may send three letters if a merchant's country is uncertain
  country: (country ?? '').slice(0, 2).toUpperCase(),
  mcc,
})

export function parseStripeLocalAmount(currency: string, merchantCurrency: string, value: number): { local?: { minor: bigint; currency: string } } {
  return merchantCurrency === currency ? {} : { local: { minor: cents(value), currency: merchantCurrency.toUpperCase() } }
}

const REASONS: Readonly<Record<string, DeclineReason>> = {
  card_canceled: 'card_closed',
  card_expired: 'card_expired',
  card_inactive: 'card_frozen',
  cardholder_blocked: 'account_frozen',
  cardholder_inactive: 'account_frozen',
  insufficient_funds: 'insufficient_funds',
  suspected_fraud: 'suspected_fraud',
  verification_failed: 'wrong_details',
  webhook_error: 'no_answer',
  webhook_timeout: 'no_answer',
}

function reasonOf({ request_history: history, metadata }: Stripe.Issuing.Authorization): DeclineReason {
  const last = history.at(-1)?.reason ?? ''
  const own = last === 'webhook_declined' ? DECLINE_REASONS.find((one) => one === metadata[REASON_METADATA]) : undefined
  return own ?? REASONS[last] ?? 'issuer_rule'
}

export async function fetchStripeIssuingAuthorization(stripe: Stripe, ref: string): Promise<IssuerAuthorization> {
  return toIssuerAuthorization(await callStripeIssuing('retrieve an authorization', () => stripe.issuing.authorizations.retrieve(ref)))
}

/** Maps an authorisation. The sum of its holds is the total approved; releases beyond captures and expiry count as reversals. */
function toIssuerAuthorization(found: Stripe.Issuing.Authorization): IssuerAuthorization {
  const holds = found.balance_transactions.filter(({ type }) => type === 'issuing_authorization_hold')
  const releases = found.balance_transactions.filter(({ type }) => type === 'issuing_authorization_release')
  const captures = found.transactions.filter(({ type }) => type === 'capture').length
  const explained = captures + (found.status === 'expired' ? 1 : 0)
  const approved = found.approved || holds.length > 0
  const status = ['pending', 'closed', 'reversed', 'expired'].find((one) => one === found.status) as IssuerAuthorization['status'] | undefined
  if (!status) throw new Error('Stripe named a state of an authorization that we do not know')
  return {
    ref: found.id,
    cardRef: found.card.id,
    status,
    approved,
    ...(approved ? {} : { reason: reasonOf(found) }),
    heldMinor: approved && status === 'pending' ? cents(found.amount) : 0n,
    approvedMinor: sumNano(holds.map((hold) => cents(hold.amount))),
    merchant: parseStripeMerchant(found.merchant_data),
    ...parseStripeLocalAmount(found.currency, found.merchant_currency, found.merchant_amount),
    createdAt: new Date(found.created * 1000),
    reversals: Math.max(0, releases.length - explained),
  }
}

export async function fetchStripeIssuingTransaction(stripe: Stripe, ref: string): Promise<IssuerTransaction> {
  return toIssuerTransaction(await callStripeIssuing('retrieve a transaction', () => stripe.issuing.transactions.retrieve(ref)))
}

/** Captures are negative, refunds positive; a refund that was taken back is a negative one. */
function toIssuerTransaction(found: Stripe.Issuing.Transaction): IssuerTransaction {
  const authorizationRef = refOf(found.authorization)
  return {
    ref: found.id,
    cardRef: refOf(found.card) ?? '',
    ...(authorizationRef ? { authorizationRef } : {}),
    kind: found.amount > 0 ? 'refund' : found.type === 'refund' ? 'refund_reversal' : 'capture',
    minor: cents(found.amount),
    merchant: parseStripeMerchant(found.merchant_data),
    ...parseStripeLocalAmount(found.currency, found.merchant_currency, found.merchant_amount),
    at: new Date(found.created * 1000),
  }
}

/** Stripe lists the newest first and counts in seconds. */
export async function* listStripeIssuingTransactions(stripe: Stripe, from: Date, to: Date): AsyncGenerator<IssuerTransaction> {
  const rows: IssuerTransaction[] = []
  await callStripeIssuing('list transactions', async () => {
    const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(to.getTime() / 1000) }
    for await (const found of stripe.issuing.transactions.list({ created, limit: 100 })) rows.push(toIssuerTransaction(found))
  })
  for (const row of rows.toReversed()) if (row.at >= from && row.at < to) yield row
}
