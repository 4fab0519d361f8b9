import type Stripe from 'stripe'
import type { AuthorizationDecision, IssuerNotice, IssuerTools, RawReply, RawRequest } from '../port.ts'
import { STRIPE_ISSUING_API_VERSION, loadStripeIssuing } from './client.ts'
import type { StripeIssuingAccount } from './config.ts'
import { parseStripeLocalAmount, parseStripeMerchant, REASON_METADATA } from './spending.ts'

const WINDOW_SECONDS = 300

/** https://docs.stripe.com/webhooks/signature. Every current secret is tried: they overlap during a rotation. */
export function readStripeIssuingNotice(
  account: StripeIssuingAccount,
  tools: Pick<IssuerTools, 'now'>,
  { headers, body }: RawRequest,
): IssuerNotice | undefined {
  const header = headers['stripe-signature']
  if (headers['content-encoding'] || typeof header !== 'string' || isAhead(header, tools.now())) return undefined
  const event = account.webhookSecrets.map((secret) => verifyEvent(body, header, { secret, now: tools.now() })).find((each) => each !== undefined)
  // test events never touch live cards, or vice versa, and a connected account's events are not ours
  if (!event || typeof event.id !== 'string' || event.livemode !== account.isLive || event.account) return undefined
  return toNotice(event)
}

/** The SDK refuses events older than the window, but accepts ones from the future. */
function isAhead(header: string, now: Date): boolean {
  const time = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1]
  return time === undefined || Number(time) - now.getTime() / 1000 > WINDOW_SECONDS
}

function verifyEvent(body: Buffer, header: string, { secret, now }: { readonly secret: string; readonly now: Date }): Stripe.Event | undefined {
  try {
    // pass text: given bytes, the SDK drops a byte order mark before it verifies them
    return getWebhooks().constructEvent(body.toString('utf8'), header, secret, WINDOW_SECONDS, undefined, now.getTime())
  } catch {
    return undefined
  }
}

/** Verification needs no API key. */
let verifier: Stripe.Webhooks | undefined
const getWebhooks = (): Stripe.Webhooks => (verifier ??= new (loadStripeIssuing())('sk_test_none', { telemetry: false }).webhooks)

const refOf = (value: string | { readonly id: string }): string => (typeof value === 'string' ? value : value.id)

function toNotice(event: Stripe.Event): IssuerNotice {
  const eventId = event.id
  switch (event.type) {
    case 'issuing_authorization.request':
      return toDecisionRequest(eventId, event.data.object)
    case 'issuing_authorization.created':
    case 'issuing_authorization.updated':
      return { kind: 'authorization', eventId, ref: event.data.object.id, cardRef: event.data.object.card.id }
    case 'issuing_transaction.created':
    case 'issuing_transaction.updated':
      return { kind: 'transaction', eventId, ref: event.data.object.id, cardRef: refOf(event.data.object.card) }
    case 'issuing_card.created':
    case 'issuing_card.updated':
      return { kind: 'card', eventId, ref: event.data.object.id, cardRef: event.data.object.id }
    case 'issuing_dispute.created':
    case 'issuing_dispute.updated':
    case 'issuing_dispute.submitted':
    case 'issuing_dispute.closed':
    case 'issuing_dispute.funds_reinstated':
    case 'issuing_dispute.funds_rescinded':
      // the event names its transaction, not its card
      return { kind: 'dispute', eventId, ref: event.data.object.id, cardRef: '' }
    default:
      return { kind: 'ignored', eventId }
  }
}

function toDecisionRequest(eventId: string, found: Stripe.Issuing.Authorization): IssuerNotice {
  const { pending_request: asked } = found
  if (!asked) return { kind: 'ignored', eventId }
  return {
    kind: 'decide',
    eventId,
    asked: {
      ref: found.id,
      cardRef: found.card.id,
      minor: BigInt(asked.amount),
      increment: found.request_history.some(({ approved }) => approved),
      partialAllowed: asked.is_amount_controllable,
      merchant: parseStripeMerchant(found.merchant_data),
      ...parseStripeLocalAmount(asked.currency, asked.merchant_currency, asked.merchant_amount),
    },
  }
}

/** 200, the version, and a sum only where less is approved. */
export function formatStripeIssuingDecision(decision: AuthorizationDecision): RawReply {
  const body = decision.approved
    ? { approved: true, ...(decision.minor === undefined ? {} : { amount: Number(decision.minor) }) }
    : { approved: false, metadata: { [REASON_METADATA]: decision.reason } }
  return { status: 200, type: 'application/json', body: JSON.stringify(body), headers: { 'stripe-version': STRIPE_ISSUING_API_VERSION } }
}
