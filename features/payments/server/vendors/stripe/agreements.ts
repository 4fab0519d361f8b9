import type Stripe from 'stripe'
import { z } from 'zod'
import { PAY_METHODS } from '../port.ts'
import type { AgreedMethod, AgreementFact, AgreementRef, ChannelTools, ChargeCall, ChargeOutcome, ChargeRefusal, SignCall, Signing } from '../port.ts'
import { callPaymentsStripe, StripeFailure, createPaymentsStripe } from './client.ts'
import type { PaymentsStripeAccount } from './config.ts'
import { TRADE_KEY } from './trades.ts'

export const AGREEMENT_KEY = 'agreement_no'

/** Sealed data of an agreement: its own Stripe customer, the setup session, then the saved card. */
const agreementSecret = z.object({ customer: z.string(), session: z.string().optional(), method: z.string().optional() })
type AgreementSecret = z.output<typeof agreementSecret>
const parseSecret = (secret: string): AgreementSecret => agreementSecret.parse(JSON.parse(secret))

/** Cards only: off-session payments with Alipay or WeChat Pay need another contract. No interval and no notice is prescribed. */
export const listStripeAgreedMethods = ({ methods }: PaymentsStripeAccount): readonly AgreedMethod[] =>
  methods.includes('card') ? [{ transactionType: PAY_METHODS.card.id, everyDays: 0, noticeMinutes: 0, hongKong: true }] : []

/**
 * https://docs.stripe.com/payments/checkout/save-and-reuse: a session in setup mode stores a card with the customer, ready for off-session
 * use.
 */
export async function signStripeAgreement(account: PaymentsStripeAccount, tools: ChannelTools, call: SignCall): Promise<Signing> {
  const stripe = createPaymentsStripe(account, tools)
  try {
    const metadata = { [AGREEMENT_KEY]: call.agreementNo }
    const customer = await callPaymentsStripe('make a customer', () => stripe.customers.create({ metadata }, { idempotencyKey: `${call.agreementNo}-C` }))
    // The SDK accepts an empty response of any status as a success.
    if (!customer.id) throw new Error('Stripe did not say which customer it made')
    const session = await callPaymentsStripe('open a setup session', () =>
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
          locale: call.lang,
        },
        { idempotencyKey: call.agreementNo },
      ),
    )
    if (!session.url || session.status !== 'open') throw new Error(`Stripe brought back a session that is ${session.status}`)
    const secret: AgreementSecret = { customer: customer.id, session: session.id }
    return { kind: 'opened', payUrl: session.url, expiresAt: call.expiresAt, secret: JSON.stringify(secret) }
  } catch (error) {
    if (error instanceof StripeFailure && error.refusal) return { kind: 'refused', reason: error.refusal }
    throw error
  }
}

export async function queryStripeAgreement(account: PaymentsStripeAccount, tools: ChannelTools, { agreementNo, secret }: AgreementRef): Promise<AgreementFact> {
  if (!secret) return { status: 'not_found' }
  const { customer, session, method } = parseSecret(secret)
  if (method) return queryMethodFact(account, tools, { customer, method })
  if (!session) return { status: 'not_found' }
  const found = await callPaymentsStripe('retrieve a setup session', () =>
    createPaymentsStripe(account, tools).checkout.sessions.retrieve(session, { expand: ['setup_intent.payment_method'] }),
  )
  if (found.client_reference_id !== agreementNo) throw new Error('Stripe answered about another agreement')
  const intent = found.setup_intent
  if (typeof intent === 'string') throw new Error('Stripe answered without the setup')
  if (intent?.status !== 'succeeded') return { status: found.status === 'expired' ? 'ended' : 'open' }
  if (!intent.payment_method || typeof intent.payment_method === 'string') throw new Error('Stripe answered without the card')
  return toAgreementFact(customer, intent.payment_method)
}

async function queryMethodFact(
  account: PaymentsStripeAccount,
  tools: ChannelTools,
  { customer, method }: { readonly customer: string; readonly method: string },
): Promise<AgreementFact> {
  try {
    return toAgreementFact(customer, await callPaymentsStripe('retrieve a card', () => createPaymentsStripe(account, tools).paymentMethods.retrieve(method)))
  } catch (error) {
    if (error instanceof StripeFailure && error.refusal === 'resource_missing') return { status: 'ended' }
    throw error
  }
}

/** A card detached from its customer can no longer be charged. */
function toAgreementFact(customer: string, method: Stripe.PaymentMethod): AgreementFact {
  const owner = typeof method.customer === 'string' ? method.customer : method.customer?.id
  if (owner !== customer) return { status: 'ended' }
  const { brand, last4 } = method.card ?? {}
  const name = brand ? `${brand[0]!.toUpperCase()}${brand.slice(1)}` : method.type
  const secret: AgreementSecret = { customer, method: method.id }
  return { status: 'active', secret: JSON.stringify(secret), label: last4 ? `${name} ···· ${last4}` : name }
}

/** https://docs.stripe.com/payments/save-and-reuse: the number is the idempotency key, so that resending a charge does not repeat it. */
export async function chargeStripeAgreement(account: PaymentsStripeAccount, tools: ChannelTools, call: ChargeCall): Promise<ChargeOutcome> {
  const { customer, method } = parseSecret(call.agreement.secret)
  if (!method) return { kind: 'refused', refusal: 'ended', reason: 'no card' }
  const stripe = createPaymentsStripe(account, tools)
  try {
    const intent = await callPaymentsStripe('charge a card', () =>
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
    if (intentId) await callPaymentsStripe('close a declined charge', () => stripe.paymentIntents.cancel(intentId))
    return { kind: 'refused', refusal: toStripeChargeRefusal(error.refusal), reason: error.refusal }
  }
}

export function toStripeChargeRefusal(code: string): ChargeRefusal {
  if (code === 'authentication_required') return 'authentication'
  return code === 'resource_missing' ? 'ended' : 'declined'
}

/** Deletes the customer, who exists for this agreement only, and with it the card. */
export async function revokeStripeAgreement(account: PaymentsStripeAccount, tools: ChannelTools, { secret }: AgreementRef): Promise<void> {
  if (!secret) return
  const { customer, session } = parseSecret(secret)
  const stripe = createPaymentsStripe(account, tools)
  if (session) await ignoreMissing(() => callPaymentsStripe('expire a setup session', () => stripe.checkout.sessions.expire(session)))
  await ignoreMissing(() => callPaymentsStripe('delete a customer', () => stripe.customers.del(customer)))
}

async function ignoreMissing(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StripeFailure && error.refusal)) throw error
  }
}
