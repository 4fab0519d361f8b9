import type Stripe from 'stripe'
import { isAgreedTrade, PAY_METHODS } from '../port.ts'
import type { ChannelTools, ChannelDispute, OpenCall, OpenOutcome, ChannelPayment, TradeFact, TradeRef } from '../port.ts'
import { callPaymentsStripe, StripeFailure, createPaymentsStripe } from './client.ts'
import type { PaymentsStripeAccount, StripeMethod } from './config.ts'

/**
 * https://docs.stripe.com/api/checkout/sessions/create: a session lives at least 30 minutes, at most 24 hours. A few minutes are added for
 * clock skew.
 */
const SESSION_MINUTES = 35
const MAX_SESSION_MS = 23 * 3_600_000 + 3_000_000
/** Window in which to search for the session if the response to `create` was lost. */
const LOOK_BACK_MS = 60_000
const LOOK_AHEAD_MS = 600_000
const TYPES: Readonly<Record<number, StripeMethod>> = {
  [PAY_METHODS.alipay.id]: 'alipay',
  [PAY_METHODS.wechat.id]: 'wechat_pay',
  [PAY_METHODS.card.id]: 'card',
}

export const TRADE_KEY = 'trade_no'

export async function openStripeTrade(account: PaymentsStripeAccount, tools: ChannelTools, call: OpenCall): Promise<OpenOutcome> {
  const type = TYPES[call.transactionType]
  if (!type || !account.methods.includes(type)) return { kind: 'refused', reason: 'method_not_enabled' }
  // Identical for every opening of a trade, so that the idempotency key returns the same session.
  const expiresAt = Math.min(call.expiresAt.getTime() + SESSION_MINUTES * 60_000, tools.now().getTime() + MAX_SESSION_MS)
  try {
    const session = await callPaymentsStripe('open a session', () =>
      createPaymentsStripe(account, tools).checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: call.tradeNo,
          metadata: { [TRADE_KEY]: call.tradeNo },
          payment_intent_data: { metadata: { [TRADE_KEY]: call.tradeNo }, description: call.subject },
          allowed_payment_method_types: [type],
          ...(type === 'wechat_pay' ? { payment_method_options: { wechat_pay: { client: 'web' } } } : {}),
          line_items: [
            { quantity: 1, price_data: { currency: call.currency.toLowerCase(), unit_amount: Number(call.payMinor), product_data: { name: call.subject } } },
          ],
          // Another presentment currency would report an amount other than the order's.
          adaptive_pricing: { enabled: false },
          success_url: call.returnUrl,
          cancel_url: call.returnUrl,
          expires_at: Math.floor(expiresAt / 1000),
          locale: call.lang,
        },
        { idempotencyKey: call.tradeNo },
      ),
    )
    if (!session.url || session.status !== 'open') throw new Error(`Stripe brought back a session that is ${session.status}`)
    return { kind: 'opened', form: 'redirect', payUrl: session.url, payHtml: '', expiresAt: call.expiresAt, channelRef: session.id }
  } catch (error) {
    if (error instanceof StripeFailure && error.refusal) return { kind: 'refused', reason: error.refusal }
    throw error
  }
}

export async function queryStripeTrade(account: PaymentsStripeAccount, tools: ChannelTools, ref: TradeRef): Promise<TradeFact> {
  if (isAgreedTrade(ref.tradeNo)) return queryCharge(account, tools, ref)
  const session = await findCheckoutSession(account, tools, ref)
  if (!session) return { status: 'not_found', scanned: false, payments: [] }
  if (session.client_reference_id !== ref.tradeNo) throw new Error('Stripe answered about another trade')
  const intent = session.payment_intent
  if (typeof intent === 'string') throw new Error('Stripe answered without the payment')
  if (intent && intent.amount_received > 0) return queryPaidFact(account, tools, intent)
  if (session.status === 'expired') return { status: 'closed', scanned: false, payments: [] }
  return {
    status: intent?.last_payment_error ? 'declined' : 'open',
    scanned: intent?.status === 'processing' || intent?.status === 'requires_action',
    payments: [],
  }
}

/** An off-session charge is a payment intent without a session. */
async function queryCharge(account: PaymentsStripeAccount, tools: ChannelTools, ref: TradeRef): Promise<TradeFact> {
  const intent = await findCharge(account, tools, ref)
  if (!intent) return { status: 'not_found', scanned: false, payments: [] }
  if (intent.amount_received > 0) return queryPaidFact(account, tools, intent)
  const { code } = intent.last_payment_error ?? {}
  const refusal = code === 'authentication_required' ? 'authentication' : 'declined'
  if (intent.status === 'canceled') return { status: 'closed', scanned: false, payments: [], refusal }
  if (intent.status === 'requires_payment_method') return { status: 'declined', scanned: false, payments: [], refusal }
  return { status: 'open', scanned: true, payments: [] }
}

async function queryPaidFact(account: PaymentsStripeAccount, tools: ChannelTools, intent: Stripe.PaymentIntent): Promise<TradeFact> {
  const charge = intent.latest_charge
  if (!charge || typeof charge === 'string') throw new Error('Stripe says paid and does not say when')
  const payer = readPayerId(charge.payment_method_details)
  const paid: ChannelPayment = {
    channelTxn: intent.id,
    minor: BigInt(intent.amount_received),
    currency: intent.currency.toUpperCase(),
    paidAt: new Date(charge.created * 1000),
    ...(payer ? { payer } : {}),
  }
  return { status: 'paid', scanned: true, payments: [paid], disputes: charge.disputed ? await listDisputes(account, tools, intent.id) : [] }
}

/** Payer id of a charge: a card's fingerprint, which is the same in every payment of an account, or a wallet's buyer id. */
function readPayerId(details: Stripe.Charge.PaymentMethodDetails | null): string | undefined {
  return details?.card?.fingerprint ?? details?.alipay?.buyer_id ?? details?.alipay?.fingerprint ?? undefined
}

async function listDisputes(account: PaymentsStripeAccount, tools: ChannelTools, intentId: string): Promise<ChannelDispute[]> {
  const list = await callPaymentsStripe('list disputes', () => createPaymentsStripe(account, tools).disputes.list({ payment_intent: intentId, limit: 100 }))
  return list.data.map((dispute) => ({
    disputeId: dispute.id,
    channelTxn: intentId,
    minor: BigInt(dispute.amount),
    currency: dispute.currency.toUpperCase(),
    status: dispute.status === 'won' || dispute.status === 'warning_closed' ? 'won' : dispute.status === 'lost' ? 'lost' : 'open',
    ...(dispute.evidence_details?.due_by ? { dueAt: new Date(dispute.evidence_details.due_by * 1000) } : {}),
  }))
}

export async function closeStripeTrade(account: PaymentsStripeAccount, tools: ChannelTools, ref: TradeRef): Promise<'closed' | 'paid' | 'open'> {
  if (isAgreedTrade(ref.tradeNo)) return closeCharge(account, tools, ref)
  const session = await findCheckoutSession(account, tools, ref)
  if (!session) return 'open'
  if (session.status === 'open') {
    try {
      await callPaymentsStripe('expire a session', () => createPaymentsStripe(account, tools).checkout.sessions.expire(session.id))
      return 'closed'
    } catch (error) {
      // The trade ended between our two calls: query it.
      if (!(error instanceof StripeFailure && error.refusal)) throw error
    }
  }
  const { status } = await queryStripeTrade(account, tools, ref)
  if (status === 'paid' || status === 'closed') return status
  throw new Error(`Stripe did not close the trade, it is ${status}`)
}

async function closeCharge(account: PaymentsStripeAccount, tools: ChannelTools, ref: TradeRef): Promise<'closed' | 'paid' | 'open'> {
  const intent = await findCharge(account, tools, ref)
  if (!intent) return 'open'
  if (intent.amount_received > 0) return 'paid'
  if (intent.status === 'canceled') return 'closed'
  const { status } = await callPaymentsStripe('cancel a charge', () => createPaymentsStripe(account, tools).paymentIntents.cancel(intent.id))
  return status === 'canceled' ? 'closed' : 'open'
}

const EXPAND = ['payment_intent.latest_charge']

async function findCharge(
  account: PaymentsStripeAccount,
  tools: ChannelTools,
  { channelRef, tradeNo, openedAt }: TradeRef,
): Promise<Stripe.PaymentIntent | undefined> {
  const { paymentIntents } = createPaymentsStripe(account, tools)
  if (channelRef) return callPaymentsStripe('retrieve a charge', () => paymentIntents.retrieve(channelRef, { expand: ['latest_charge'] }))
  return callPaymentsStripe('look for a charge', async () => {
    for await (const intent of paymentIntents.list({ created: createdAround(openedAt), limit: 100, expand: ['data.latest_charge'] })) {
      if (intent.metadata[TRADE_KEY] === tradeNo) return intent
    }
    return undefined
  })
}

const createdAround = (at: Date) => ({ gte: Math.floor((at.getTime() - LOOK_BACK_MS) / 1000), lte: Math.ceil((at.getTime() + LOOK_AHEAD_MS) / 1000) })

/** Finds the session by Stripe's id, or, if the id was lost, among the sessions created at that time. */
async function findCheckoutSession(
  account: PaymentsStripeAccount,
  tools: ChannelTools,
  { channelRef, tradeNo, openedAt }: TradeRef,
): Promise<Stripe.Checkout.Session | undefined> {
  const { checkout } = createPaymentsStripe(account, tools)
  if (channelRef) return callPaymentsStripe('retrieve a session', () => checkout.sessions.retrieve(channelRef, { expand: EXPAND }))
  return callPaymentsStripe('look for a session', async () => {
    for await (const session of checkout.sessions.list({ created: createdAround(openedAt), limit: 100, expand: EXPAND.map((path) => `data.${path}`) })) {
      if (session.client_reference_id === tradeNo) return session
    }
    return undefined
  })
}
