import { createHash } from 'node:crypto'
import type Lithic from 'lithic'
import type { CardAuthorization } from 'lithic/resources/card-authorizations.js'
import type { Transaction } from 'lithic/resources/transactions/transactions.js'
import type { AuthorizationDecision, DeclineReason, IssuerNotice, RawReply, RawRequest } from '../port.ts'
import type { LithicAccount } from './config.ts'
import { findLastTransactionRow, parseLithicLocalAmount, parseLithicMerchant } from './spending.ts'

/**
 * Reads events and decision requests: both carry the headers of Standard Webhooks, each under a secret of its own
 * (docs.lithic.com/docs/auth-stream-access-asa). The older `X-Lithic-HMAC` is no longer sent.
 */
export function readLithicNotice(lithic: Lithic, { asaSecret, webhookSecrets }: LithicAccount, request: RawRequest): IssuerNotice | undefined {
  if (request.headers['content-encoding']) return undefined
  if (unwrap(lithic, [asaSecret], request)) return parseDecisionRequest(request.body)
  const event = unwrap(lithic, webhookSecrets, request)
  return event && toNotice(event.id, event.body)
}

function unwrap(lithic: Lithic, secrets: readonly string[], { headers, body }: RawRequest): { id: string; body: Record<string, unknown> } | undefined {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name])
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return undefined
  const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  for (const secret of secrets) {
    try {
      return { id, body: lithic.webhooks.unwrap(body.toString('utf8'), signed, secret) as Record<string, unknown> }
    } catch {
      continue
    }
  }
  return undefined
}

function toNotice(eventId: string, body: Record<string, unknown>): IssuerNotice {
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
  const type = text('event_type')
  if (type === 'card_transaction.updated') {
    const found = body as unknown as Transaction
    const row = findLastTransactionRow(found)
    return { kind: row ? 'transaction' : 'authorization', eventId, ref: row ?? found.token, cardRef: found.card_token }
  }
  if (type === 'card.created' || type === 'card.updated') return { kind: 'card', eventId, ref: text('card_token'), cardRef: text('card_token') }
  // the event names its transaction, not its card
  if (type === 'dispute.updated') return { kind: 'dispute', eventId, ref: text('token'), cardRef: '' }
  return { kind: 'ignored', eventId }
}

function parse(body: Buffer): CardAuthorization | undefined {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as CardAuthorization
    return typeof value.token === 'string' && typeof value.card.token === 'string' && Number.isSafeInteger(value.amount) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Parses a decision request. Lithic does not say whether it adds to an approved sum: a request about a known authorisation is an increment.
 * Not every program sends event ids: without one, an identical body, sum included, is the same request.
 */
function parseDecisionRequest(body: Buffer): IssuerNotice | undefined {
  const found = parse(body)
  if (!found) return undefined
  return {
    kind: 'decide',
    eventId: found.event_token ?? `${found.token}.${createHash('sha256').update(body).digest('hex')}`,
    asked: {
      ref: found.token,
      cardRef: found.card.token,
      minor: BigInt(found.amount),
      increment: false,
      partialAllowed: false,
      merchant: parseLithicMerchant(found.merchant),
      ...parseLithicLocalAmount(found.amounts.cardholder, found.amounts.merchant),
    },
  }
}

/** Lithic's own results; it would decline any other text as CUSTOM_ASA_RESULT. */
const RESULTS: Readonly<Record<DeclineReason, string>> = {
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  account_in_debt: 'INSUFFICIENT_FUNDS',
  card_in_debt: 'INSUFFICIENT_FUNDS',
  card_frozen: 'CARD_PAUSED',
  card_closed: 'CARD_PAUSED',
  card_not_ready: 'CARD_PAUSED',
  card_expired: 'CARD_PAUSED',
  account_frozen: 'CARD_PAUSED',
  issuer_rule: 'CARD_PAUSED',
  no_answer: 'CARD_PAUSED',
  card_type: 'UNAUTHORIZED_MERCHANT',
  merchant_blocked: 'UNAUTHORIZED_MERCHANT',
  monthly_limit: 'VELOCITY_EXCEEDED',
  house_limit: 'VELOCITY_EXCEEDED',
  wrong_details: 'AVS_INVALID',
  suspected_fraud: 'SUSPECTED_FRAUD',
}

/** Formats a decision. We approve whole sums only here: a partial approval becomes a refusal. */
export function formatLithicDecision(decision: AuthorizationDecision): RawReply {
  const reason = !decision.approved ? decision.reason : decision.minor === undefined ? undefined : 'insufficient_funds'
  const result = reason === undefined ? 'APPROVED' : RESULTS[reason]
  return { status: 200, type: 'application/json', body: JSON.stringify({ result }) }
}
