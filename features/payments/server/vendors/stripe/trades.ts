import type Stripe from 'stripe'
import { isAgreedTrade } from '../port.ts'
import type { ChannelTools, Dispute, OpenCall, Opened, Paid, TradeFact, TradeRef } from '../port.ts'
import { ask, StripeFailure, stripeOf } from './client.ts'
import type { Account, StripeMethod } from './config.ts'

/** https://docs.stripe.com/api/checkout/sessions/create: a session lives at least 30 minutes, at most 24 hours. A few more for clocks that differ. */
const SESSION_MINUTES = 35
const LONGEST_MS = 23 * 3_600_000 + 3_000_000
/** When the answer to `create` was lost: where in time to look for it. */
const LOOK_BACK_MS = 60_000
const LOOK_AHEAD_MS = 600_000
const TYPES: Readonly<Record<number, StripeMethod>> = { 1: 'alipay', 2: 'wechat_pay', 5: 'card' }

export const TRADE_KEY = 'trade_no'

export async function open(account: Account, tools: ChannelTools, call: OpenCall): Promise<Opened> {
  const type = TYPES[call.transactionType]
  if (!type || !account.methods.includes(type)) return { kind: 'refused', reason: 'method_not_enabled' }
  // The same for every opening of a trade, so that the idempotency key brings back the same session.
  const expiresAt = Math.min(call.expiresAt.getTime() + SESSION_MINUTES * 60_000, tools.now().getTime() + LONGEST_MS)
  try {
    const session = await ask('open a session', () =>
      stripeOf(account, tools).checkout.sessions.create(
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
          // Another presentment currency would answer another amount than the order's.
          adaptive_pricing: { enabled: false },
          success_url: call.returnUrl,
          cancel_url: call.returnUrl,
          expires_at: Math.floor(expiresAt / 1000),
          locale: call.lang === 'zh' ? 'zh' : 'en',
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

export async function query(account: Account, tools: ChannelTools, ref: TradeRef): Promise<TradeFact> {
  if (isAgreedTrade(ref.tradeNo)) return queryCharge(account, tools, ref)
  const session = await sessionOf(account, tools, ref)
  if (!session) return { status: 'not_found', scanned: false, payments: [] }
  if (session.client_reference_id !== ref.tradeNo) throw new Error('Stripe answered about another trade')
  const intent = session.payment_intent
  if (typeof intent === 'string') throw new Error('Stripe answered without the payment')
  if (intent && intent.amount_received > 0) return paidFact(account, tools, intent)
  if (session.status === 'expired') return { status: 'closed', scanned: false, payments: [] }
  return {
    status: intent?.last_payment_error ? 'declined' : 'open',
    scanned: intent?.status === 'processing' || intent?.status === 'requires_action',
    payments: [],
  }
}

/** An off-session charge is a payment intent without a session. */
async function queryCharge(account: Account, tools: ChannelTools, ref: TradeRef): Promise<TradeFact> {
  const intent = await chargeOf(account, tools, ref)
  if (!intent) return { status: 'not_found', scanned: false, payments: [] }
  if (intent.amount_received > 0) return paidFact(account, tools, intent)
  const { code } = intent.last_payment_error ?? {}
  const refusal = code === 'authentication_required' ? 'authentication' : 'declined'
  if (intent.status === 'canceled') return { status: 'closed', scanned: false, payments: [], refusal }
  if (intent.status === 'requires_payment_method') return { status: 'declined', scanned: false, payments: [], refusal }
  return { status: 'open', scanned: true, payments: [] }
}

async function paidFact(account: Account, tools: ChannelTools, intent: Stripe.PaymentIntent): Promise<TradeFact> {
  const charge = intent.latest_charge
  if (!charge || typeof charge === 'string') throw new Error('Stripe says paid and does not say when')
  const payer = payerOf(charge.payment_method_details)
  const paid: Paid = {
    channelTxn: intent.id,
    minor: BigInt(intent.amount_received),
    currency: intent.currency.toUpperCase(),
    paidAt: new Date(charge.created * 1000),
    ...(payer ? { payer } : {}),
  }
  return { status: 'paid', scanned: true, payments: [paid], disputes: charge.disputed ? await disputesOf(account, tools, intent.id) : [] }
}

/** Payer id of a charge: a card's fingerprint, which is the same in every payment of an account, or a wallet's buyer id. */
function payerOf(details: Stripe.Charge.PaymentMethodDetails | null): string | undefined {
  return details?.card?.fingerprint ?? details?.alipay?.buyer_id ?? details?.alipay?.fingerprint ?? undefined
}

async function disputesOf(account: Account, tools: ChannelTools, intentId: string): Promise<Dispute[]> {
  const list = await ask('list disputes', () => stripeOf(account, tools).disputes.list({ payment_intent: intentId, limit: 100 }))
  return list.data.map((dispute) => ({
    disputeId: dispute.id,
    channelTxn: intentId,
    minor: BigInt(dispute.amount),
    currency: dispute.currency.toUpperCase(),
    status: dispute.status === 'won' || dispute.status === 'warning_closed' ? 'won' : dispute.status === 'lost' ? 'lost' : 'open',
    ...(dispute.evidence_details?.due_by ? { dueAt: new Date(dispute.evidence_details.due_by * 1000) } : {}),
  }))
}

export async function close(account: Account, tools: ChannelTools, ref: TradeRef): Promise<'closed' | 'paid' | 'open'> {
  if (isAgreedTrade(ref.tradeNo)) return closeCharge(account, tools, ref)
  const session = await sessionOf(account, tools, ref)
  if (!session) return 'open'
  if (session.status === 'open') {
    try {
      await ask('expire a session', () => stripeOf(account, tools).checkout.sessions.expire(session.id))
      return 'closed'
    } catch (error) {
      // The trade ended between our two calls: query it.
      if (!(error instanceof StripeFailure && error.refusal)) throw error
    }
  }
  const { status } = await query(account, tools, ref)
  if (status === 'paid' || status === 'closed') return status
  throw new Error(`Stripe did not close the trade, it is ${status}`)
}

async function closeCharge(account: Account, tools: ChannelTools, ref: TradeRef): Promise<'closed' | 'paid' | 'open'> {
  const intent = await chargeOf(account, tools, ref)
  if (!intent) return 'open'
  if (intent.amount_received > 0) return 'paid'
  if (intent.status === 'canceled') return 'closed'
  const { status } = await ask('cancel a charge', () => stripeOf(account, tools).paymentIntents.cancel(intent.id))
  return status === 'canceled' ? 'closed' : 'open'
}

const EXPAND = ['payment_intent.latest_charge']

async function chargeOf(account: Account, tools: ChannelTools, { channelRef, tradeNo, openedAt }: TradeRef): Promise<Stripe.PaymentIntent | undefined> {
  const { paymentIntents } = stripeOf(account, tools)
  if (channelRef) return ask('retrieve a charge', () => paymentIntents.retrieve(channelRef, { expand: ['latest_charge'] }))
  return ask('look for a charge', async () => {
    for await (const intent of paymentIntents.list({ created: around(openedAt), limit: 100, expand: ['data.latest_charge'] })) {
      if (intent.metadata[TRADE_KEY] === tradeNo) return intent
    }
    return undefined
  })
}

const around = (at: Date) => ({ gte: Math.floor((at.getTime() - LOOK_BACK_MS) / 1000), lte: Math.ceil((at.getTime() + LOOK_AHEAD_MS) / 1000) })

/** By Stripe's own id, or, when we never learnt it, among the sessions that were made at that time. */
async function sessionOf(account: Account, tools: ChannelTools, { channelRef, tradeNo, openedAt }: TradeRef): Promise<Stripe.Checkout.Session | undefined> {
  const { checkout } = stripeOf(account, tools)
  if (channelRef) return ask('retrieve a session', () => checkout.sessions.retrieve(channelRef, { expand: EXPAND }))
  return ask('look for a session', async () => {
    for await (const session of checkout.sessions.list({ created: around(openedAt), limit: 100, expand: EXPAND.map((path) => `data.${path}`) })) {
      if (session.client_reference_id === tradeNo) return session
    }
    return undefined
  })
}
