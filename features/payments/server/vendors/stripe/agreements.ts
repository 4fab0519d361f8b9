import type Stripe from 'stripe'
import { z } from 'zod'
import type { AgreedMethod, AgreementFact, AgreementRef, ChannelTools, ChargeCall, Charged, Refusal, SignCall, Signing } from '../port.ts'
import { ask, StripeFailure, stripeOf } from './client.ts'
import type { Account } from './config.ts'
import { TRADE_KEY } from './trades.ts'

export const AGREEMENT_KEY = 'agreement_no'
const CARD = 5

/** Sealed data of an agreement: its own Stripe customer, the setup session, then the saved card. */
const kept = z.object({ customer: z.string(), session: z.string().optional(), method: z.string().optional() })
type Kept = z.output<typeof kept>
const read = (secret: string): Kept => kept.parse(JSON.parse(secret))

/** Cards only: off-session payments with Alipay or WeChat Pay need another contract. No interval and no notice is prescribed. */
export const agreedMethods = ({ methods }: Account): readonly AgreedMethod[] =>
  methods.includes('card') ? [{ transactionType: CARD, everyDays: 0, noticeMinutes: 0, hongKong: true }] : []

/** https://docs.stripe.com/payments/checkout/save-and-reuse: a session in setup mode ends with a card at the customer, ready for off-session use. */
export async function sign(account: Account, tools: ChannelTools, call: SignCall): Promise<Signing> {
  const stripe = stripeOf(account, tools)
  try {
    const metadata = { [AGREEMENT_KEY]: call.agreementNo }
    const customer = await ask('make a customer', () => stripe.customers.create({ metadata }, { idempotencyKey: `${call.agreementNo}-C` }))
    // The SDK takes an empty answer of any status for a good one.
    if (!customer.id) throw new Error('Stripe did not say which customer it made')
    const session = await ask('open a setup session', () =>
      stripe.checkout.sessions.create(
        {
          mode: 'setup',
          customer: customer.id,
          client_reference_id: call.agreementNo,
          metadata,
          setup_intent_data: { metadata },
          allowed_payment_method_types: ['card'],
          currency: call.currency.toLowerCase(),
          success_url: call.returnUrl,
          cancel_url: call.returnUrl,
          expires_at: Math.floor(call.expiresAt.getTime() / 1000),
          locale: call.lang === 'zh' ? 'zh' : 'en',
        },
        { idempotencyKey: call.agreementNo },
      ),
    )
    if (!session.url || session.status !== 'open') throw new Error(`Stripe brought back a session that is ${session.status}`)
    const secret: Kept = { customer: customer.id, session: session.id }
    return { kind: 'opened', payUrl: session.url, expiresAt: call.expiresAt, secret: JSON.stringify(secret) }
  } catch (error) {
    if (error instanceof StripeFailure && error.refusal) return { kind: 'refused', reason: error.refusal }
    throw error
  }
}

export async function lookUp(account: Account, tools: ChannelTools, { agreementNo, secret }: AgreementRef): Promise<AgreementFact> {
  if (!secret) return { status: 'not_found' }
  const { customer, session, method } = read(secret)
  if (method) return methodFact(account, tools, customer, method)
  if (!session) return { status: 'not_found' }
  const found = await ask('retrieve a setup session', () =>
    stripeOf(account, tools).checkout.sessions.retrieve(session, { expand: ['setup_intent.payment_method'] }),
  )
  if (found.client_reference_id !== agreementNo) throw new Error('Stripe answered about another agreement')
  const intent = found.setup_intent
  if (typeof intent === 'string') throw new Error('Stripe answered without the setup')
  if (intent?.status !== 'succeeded') return { status: found.status === 'expired' ? 'ended' : 'open' }
  if (!intent.payment_method || typeof intent.payment_method === 'string') throw new Error('Stripe answered without the card')
  return factOf(customer, intent.payment_method)
}

async function methodFact(account: Account, tools: ChannelTools, customer: string, method: string): Promise<AgreementFact> {
  try {
    return factOf(customer, await ask('retrieve a card', () => stripeOf(account, tools).paymentMethods.retrieve(method)))
  } catch (error) {
    if (error instanceof StripeFailure && error.refusal === 'resource_missing') return { status: 'ended' }
    throw error
  }
}

/** A card detached from its customer can no longer be charged. */
function factOf(customer: string, method: Stripe.PaymentMethod): AgreementFact {
  const owner = typeof method.customer === 'string' ? method.customer : method.customer?.id
  if (owner !== customer) return { status: 'ended' }
  const { brand, last4 } = method.card ?? {}
  const name = brand ? `${brand[0]!.toUpperCase()}${brand.slice(1)}` : method.type
  const secret: Kept = { customer, method: method.id }
  return { status: 'active', secret: JSON.stringify(secret), label: last4 ? `${name} ···· ${last4}` : name }
}

/** https://docs.stripe.com/payments/save-and-reuse: the number is the idempotency key, so that a charge sent again is the same one. */
export async function charge(account: Account, tools: ChannelTools, call: ChargeCall): Promise<Charged> {
  const { customer, method } = read(call.agreement.secret)
  if (!method) return { kind: 'refused', refusal: 'ended', reason: 'no card' }
  const stripe = stripeOf(account, tools)
  try {
    const intent = await ask('charge a card', () =>
      stripe.paymentIntents.create(
        {
          amount: Number(call.payMinor),
          currency: call.currency.toLowerCase(),
          customer,
          payment_method: method,
          off_session: true,
          confirm: true,
          description: call.subject,
          metadata: { [TRADE_KEY]: call.tradeNo },
        },
        { idempotencyKey: call.tradeNo },
      ),
    )
    if (!intent.id) throw new Error('Stripe did not say which payment it made')
    return { kind: 'taken', channelRef: intent.id }
  } catch (error) {
    if (!(error instanceof StripeFailure) || !error.refusal) throw error
    const { intentId } = error
    // The intent's secret was never given out, so it cannot be paid; it is cancelled anyway. If the cancel fails, the charge stays unknown.
    if (intentId) await ask('close a declined charge', () => stripe.paymentIntents.cancel(intentId))
    return { kind: 'refused', refusal: refusalOf(error.refusal), reason: error.refusal }
  }
}

export function refusalOf(code: string): Refusal {
  if (code === 'authentication_required') return 'authentication'
  return code === 'resource_missing' ? 'ended' : 'declined'
}

/** Deletes the customer, who exists for this agreement only, and with it the card. */
export async function revoke(account: Account, tools: ChannelTools, { secret }: AgreementRef): Promise<void> {
  if (!secret) return
  const { customer, session } = read(secret)
  const stripe = stripeOf(account, tools)
  if (session) await unlessGone(() => ask('expire a setup session', () => stripe.checkout.sessions.expire(session)))
  await unlessGone(() => ask('delete a customer', () => stripe.customers.del(customer)))
}

async function unlessGone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StripeFailure && error.refusal)) throw error
  }
}
