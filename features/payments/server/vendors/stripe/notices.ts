import type Stripe from 'stripe'
import { isAgreedTrade } from '../port.ts'
import type { ChannelTools, ChannelNotice, RawRequest } from '../port.ts'
import { AGREEMENT_KEY } from './agreements.ts'
import { callPaymentsStripe, loadPaymentsStripeSdk, StripeFailure, createPaymentsStripe } from './client.ts'
import type { PaymentsStripeAccount } from './config.ts'
import { REFUND_KEY } from './refunds.ts'
import { TRADE_KEY } from './trades.ts'

const WINDOW_SECONDS = 300

/** https://docs.stripe.com/webhooks/signature. Every valid secret is tried, because they overlap during rotation. */
export async function readPaymentsStripeNotice(
  account: PaymentsStripeAccount,
  tools: ChannelTools,
  { headers, body }: RawRequest,
): Promise<ChannelNotice | undefined> {
  const header = headers['stripe-signature']
  if (headers['content-encoding'] || typeof header !== 'string' || isAhead(header, tools.now())) return undefined
  const event = account.webhookSecrets.map((secret) => verifyEvent(body, header, { secret, now: tools.now() })).find((each) => each !== undefined)
  // Test events never touch live orders, and vice versa; events of a connected account are not ours.
  if (!event || typeof event.id !== 'string' || event.livemode !== account.isLive || event.account) return undefined
  return { noticeId: event.id, ...(event.type === 'payment_method.detached' ? await toDetachedNotice(account, tools, event) : toNoticeSubject(event)) }
}

/** The SDK refuses timestamps older than the window but accepts future ones. */
function isAhead(header: string, now: Date): boolean {
  const time = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1]
  return time === undefined || Number(time) - now.getTime() / 1000 > WINDOW_SECONDS
}

function verifyEvent(body: Buffer, header: string, { secret, now }: { readonly secret: string; readonly now: Date }): Stripe.Event | undefined {
  try {
    // Pass text: from bytes the SDK drops a byte order mark before verifying.
    return getVerifier().constructEvent(body.toString('utf8'), header, secret, WINDOW_SECONDS, undefined, now.getTime())
  } catch {
    return undefined
  }
}

/** Verification needs no API key. */
let verifier: Stripe.Webhooks | undefined
const getVerifier = (): Stripe.Webhooks => (verifier ??= new (loadPaymentsStripeSdk())('sk_test_none', { telemetry: false }).webhooks)

function toNoticeSubject(event: Stripe.Event): Omit<ChannelNotice, 'noticeId'> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const { client_reference_id: clientReferenceId, metadata, payment_status: paymentStatus, mode } = event.data.object
      if (mode === 'setup') return toAgreementNotice(metadata)
      const tradeNo = metadata?.[TRADE_KEY]
      if (!tradeNo || tradeNo !== clientReferenceId) return { event: 'foreign' }
      return { event: paymentStatus === 'paid' ? 'paid' : 'other', tradeNo }
    }
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed': {
      // Intents of a checkout session are reported by its session events.
      const tradeNo = event.data.object.metadata[TRADE_KEY]
      if (!tradeNo || !isAgreedTrade(tradeNo)) return { event: 'foreign' }
      return { event: event.type === 'payment_intent.succeeded' ? 'paid' : 'other', tradeNo }
    }
    case 'setup_intent.succeeded':
    case 'setup_intent.setup_failed':
    case 'customer.deleted':
      return toAgreementNotice(event.data.object.metadata)
    case 'charge.refunded':
      return toPaymentNotice('refund', event.data.object.payment_intent)
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed': {
      const refundNo = event.data.object.metadata?.[REFUND_KEY]
      return { ...toPaymentNotice('refund', event.data.object.payment_intent), ...(refundNo ? { refundNo } : {}) }
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return toPaymentNotice('dispute', event.data.object.payment_intent)
    default:
      return { event: 'foreign' }
  }
}

function toAgreementNotice(metadata: Stripe.Metadata | null): Omit<ChannelNotice, 'noticeId'> {
  const agreementNo = metadata?.[AGREEMENT_KEY]
  return agreementNo ? { event: 'agreement', agreementNo } : { event: 'foreign' }
}

/** A card detached from its customer names only the customer, which identifies the agreement. */
async function toDetachedNotice(
  account: PaymentsStripeAccount,
  tools: ChannelTools,
  event: Stripe.PaymentMethodDetachedEvent,
): Promise<Omit<ChannelNotice, 'noticeId'>> {
  const before = event.data.previous_attributes?.customer
  const id = typeof before === 'string' ? before : before?.id
  if (!id) return { event: 'foreign' }
  try {
    const customer = await callPaymentsStripe('retrieve a customer', () => createPaymentsStripe(account, tools).customers.retrieve(id))
    // A deleted customer has its own event.
    return customer.deleted ? { event: 'foreign' } : toAgreementNotice(customer.metadata)
  } catch (error) {
    if (error instanceof StripeFailure && error.refusal === 'resource_missing') return { event: 'foreign' }
    throw error
  }
}

function toPaymentNotice(event: 'refund' | 'dispute', intent: string | Stripe.PaymentIntent | null): Omit<ChannelNotice, 'noticeId'> {
  const id = typeof intent === 'string' ? intent : intent?.id
  return id ? { event, channelTxn: id } : { event: 'foreign' }
}
