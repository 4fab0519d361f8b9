import type { AgreementControls } from '../../kit/payments.ts'
import type { SentWebhook } from '../../kit/webhooks.ts'
import { missStripe, refuseStripe } from '../api.ts'
import type { StripeAnswer } from '../api.ts'
import { BILLING_DETAILS, CARD, EMPTY_SESSION } from './shapes.ts'

type Content = Record<string, any>
interface Customer {
  readonly id: string
  readonly metadata: Record<string, string>
  readonly created: number
  deleted: boolean
}
interface Setup {
  readonly id: string
  readonly content: Content
  readonly created: number
  status: 'open' | 'complete' | 'expired'
  method?: { readonly id: string; customer: string | null; readonly created: number }
}
interface StripeHost {
  readonly id: (prefix: string) => string
  readonly seconds: () => number
  readonly event: (type: string, object: object, previous?: object) => object
  readonly tell: (event: object) => void
  readonly sent: (event: object) => SentWebhook
  /** Makes a payment without a session. */
  readonly charge: (content: Content, outcome: Parameters<AgreementControls['charges']>[0]) => StripeAnswer
}

/** Customers, sessions in setup mode and their stored cards. */
export function createStripeStoredCards({
  id,
  seconds,
  event,
  tell,
  sent,
  charge,
}: StripeHost): AgreementControls & { route(method: string, path: string, content: Content, expand: readonly string[]): StripeAnswer | undefined } {
  const customers = new Map<string, Customer>()
  const setups = new Map<string, Setup>()
  let outcome: Parameters<AgreementControls['charges']>[0] = 'paid'
  const numberOf = ({ content }: Setup) => content['client_reference_id'] as string
  const byNo = (agreementNo: string) => [...setups.values()].find((setup) => numberOf(setup) === agreementNo)!
  const methodOf = ({ method }: Setup) =>
    method && {
      id: method.id,
      object: 'payment_method',
      allow_redisplay: 'unspecified',
      billing_details: BILLING_DETAILS,
      card: {
        ...CARD,
        display_brand: 'visa',
        generated_from: null,
        networks: { available: ['visa'], preferred: null },
        regulated_status: null,
        three_d_secure_usage: { supported: true },
      },
      created: method.created,
      customer: method.customer,
      customer_account: null,
      livemode: false,
      metadata: {},
      type: 'card',
    }
  const intentOf = (setup: Setup, isExpanded = false) => ({
    id: `seti_${setup.id}`,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `seti_${setup.id}_secret_none`,
    created: setup.created,
    customer: setup.content['customer'],
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: setup.content['setup_intent_data']?.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: isExpanded ? (methodOf(setup) ?? null) : (setup.method?.id ?? null),
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: setup.method ? 'succeeded' : 'requires_payment_method',
    usage: 'off_session',
  })
  const sessionOf = (setup: Setup, expand: readonly string[] = []) => {
    const hasMethod = expand.includes('setup_intent.payment_method')
    return {
      id: setup.id,
      object: 'checkout.session',
      ...EMPTY_SESSION,
      adaptive_pricing: null,
      allowed_payment_method_types: setup.content['allowed_payment_method_types'] ?? null,
      amount_subtotal: null,
      amount_total: null,
      automatic_tax: { enabled: false, liability: null, provider: null, status: null },
      cancel_url: setup.content['cancel_url'] ?? null,
      client_reference_id: numberOf(setup),
      created: setup.created,
      currency: setup.content['currency'] ?? null,
      customer: setup.content['customer'],
      customer_creation: null,
      expires_at: Number(setup.content['expires_at']),
      locale: setup.content['locale'] ?? null,
      metadata: setup.content['metadata'] ?? {},
      mode: 'setup',
      payment_intent: null,
      payment_method_collection: 'always',
      payment_method_options: {},
      payment_method_types: ['card'],
      payment_status: 'no_payment_required',
      setup_intent: hasMethod || expand.includes('setup_intent') ? intentOf(setup, hasMethod) : `seti_${setup.id}`,
      status: setup.status,
      success_url: setup.content['success_url'],
      total_details: null,
      url: setup.status === 'open' ? `https://checkout.stripe.com/c/pay/${setup.id}` : null,
    }
  }
  const customerOf = ({ id: own, metadata, created, deleted }: Customer) =>
    deleted
      ? { id: own, object: 'customer', deleted }
      : {
          id: own,
          object: 'customer',
          address: null,
          balance: 0,
          created,
          currency: null,
          default_source: null,
          delinquent: false,
          description: null,
          discount: null,
          email: null,
          invoice_prefix: null,
          invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
          livemode: false,
          metadata,
          name: null,
          phone: null,
          preferred_locales: [],
          shipping: null,
          tax_exempt: 'none',
          test_clock: null,
        }
  const take = (setup: Setup) => {
    if (setup.method) setup.method.customer = null
  }

  function open(content: Content): StripeAnswer {
    const customer = customers.get(content['customer'])
    if (!customer || customer.deleted) return missStripe(`customer: '${content['customer']}'`)
    const setup: Setup = { id: id('cs_test'), content, created: seconds(), status: 'open' }
    setups.set(setup.id, setup)
    return [200, sessionOf(setup)]
  }

  function remove(customer: Customer): StripeAnswer {
    if (customer.deleted) return missStripe(`customer: '${customer.id}'`)
    const last = customerOf(customer)
    customer.deleted = true
    for (const setup of setups.values()) if (setup.content['customer'] === customer.id) take(setup)
    tell(event('customer.deleted', last))
    return [200, customerOf(customer)]
  }

  function route(method: string, path: string, content: Content, expand: readonly string[]): StripeAnswer | undefined {
    if (method === 'POST' && path === '/v1/customers') {
      const customer: Customer = { id: id('cus'), metadata: content['metadata'] ?? {}, created: seconds(), deleted: false }
      customers.set(customer.id, customer)
      return [200, customerOf(customer)]
    }
    if (method === 'POST' && path === '/v1/checkout/sessions' && content['mode'] === 'setup') return open(content)
    if (method === 'POST' && path === '/v1/payment_intents') {
      const setup = [...setups.values()].find((each) => each.method?.id === content['payment_method'])
      // Stripe's error for a card that is no longer attached to this customer.
      if (!setup || setup.method?.customer !== content['customer'])
        return refuseStripe('resource_missing', `No such PaymentMethod: '${content['payment_method']}'`, 'payment_method')
      return charge(content, outcome)
    }
    const customer = customers.get(/^\/v1\/customers\/(\w+)$/.exec(path)?.[1] ?? '')
    if (customer) return method === 'DELETE' ? remove(customer) : [200, customerOf(customer)]
    const asked = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(path)
    const setup = setups.get(asked?.[1] ?? '')
    if (setup && !asked?.[2]) return [200, sessionOf(setup, expand)]
    if (setup) {
      if (setup.status !== 'open') return refuseStripe('', 'Only Checkout Sessions with a status in ["open"] can be expired.')
      setup.status = 'expired'
      return [200, sessionOf(setup)]
    }
    const stored = /^\/v1\/payment_methods\/(\w+)$/.exec(path)?.[1]
    if (!stored) return undefined
    const owner = [...setups.values()].find((each) => each.method?.id === stored)
    return owner ? [200, methodOf(owner)] : missStripe(`PaymentMethod: '${stored}'`)
  }

  return {
    route,
    all: () =>
      [...setups.values()].map((setup) => ({
        agreementNo: numberOf(setup),
        state: setup.method?.customer ? 'active' : setup.status === 'open' ? 'open' : 'ended',
      })),
    agree: (agreementNo, { silent = false } = {}) => {
      const setup = byNo(agreementNo)
      setup.status = 'complete'
      setup.method = { id: id('pm'), customer: setup.content['customer'], created: seconds() }
      if (!silent) tell(event('setup_intent.succeeded', intentOf(setup)))
    },
    end: (agreementNo, { silent = false } = {}) => {
      const setup = byNo(agreementNo)
      const previous = { customer: setup.method!.customer }
      take(setup)
      if (!silent) tell(event('payment_method.detached', methodOf(setup)!, previous))
    },
    charges: (next) => {
      outcome = next
    },
    notice: (agreementNo) => sent(event('setup_intent.succeeded', intentOf(byNo(agreementNo)))),
  }
}
