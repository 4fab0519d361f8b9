import type { SentWebhook } from '#stand-ins/kit/webhooks.ts'
import type { FakeAgreements } from '../../../testing/fake-channel.ts'

type Content = Record<string, any>
type Answer = [number, unknown]
interface Customer {
  readonly id: string
  readonly metadata: Record<string, string>
  deleted: boolean
}
interface Setup {
  readonly id: string
  readonly content: Content
  status: 'open' | 'complete' | 'expired'
  method?: { readonly id: string; customer: string | null }
}
interface FakeStripeHost {
  readonly id: (prefix: string) => string
  readonly event: (type: string, object: object, previous?: object) => object
  readonly queue: (make: () => SentWebhook) => void
  readonly sent: (event: object) => SentWebhook
  /** Makes a payment without a session; undefined if its card was detached. */
  readonly charge: (content: Content, outcome: Parameters<FakeAgreements['charges']>[0]) => Answer
}

const missing: Answer = [404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'no such object' } }]
const invalid = (code: string): Answer => [400, { error: { type: 'invalid_request_error', code, message: code } }]

/** Customers, sessions in setup mode and their stored cards, as far as we use them. */
export function createFakeStoredCards({
  id,
  event,
  queue,
  sent,
  charge,
}: FakeStripeHost): FakeAgreements & { route(method: string, path: string, content: Content): Answer | undefined } {
  const customers = new Map<string, Customer>()
  const setups = new Map<string, Setup>()
  let outcome: Parameters<FakeAgreements['charges']>[0] = 'paid'
  const numberOf = ({ content }: Setup) => content['client_reference_id'] as string
  const byNo = (agreementNo: string) => [...setups.values()].find((setup) => numberOf(setup) === agreementNo)!
  const methodOf = ({ method }: Setup) => method && { ...method, object: 'payment_method', type: 'card', card: { brand: 'visa', last4: '4242' } }
  const intentOf = (setup: Setup) => ({
    id: `seti_${setup.id}`,
    object: 'setup_intent',
    status: setup.method ? 'succeeded' : 'requires_payment_method',
    metadata: setup.content['setup_intent_data'].metadata,
    payment_method: methodOf(setup) ?? null,
  })
  const sessionOf = (setup: Setup) => ({
    id: setup.id,
    object: 'checkout.session',
    mode: 'setup',
    status: setup.status,
    url: setup.status === 'open' ? `https://checkout.stripe.com/c/pay/${setup.id}` : null,
    client_reference_id: numberOf(setup),
    metadata: setup.content['metadata'],
    setup_intent: intentOf(setup),
  })
  const customerOf = ({ id: own, metadata, deleted }: Customer) => ({ id: own, object: 'customer', ...(deleted ? { deleted } : { metadata }) })
  const take = (setup: Setup) => {
    if (setup.method) setup.method.customer = null
  }

  function open(content: Content): Answer {
    const isWhole =
      customers.has(content['customer']) &&
      content['currency'] &&
      content['allowed_payment_method_types']?.[0] === 'card' &&
      content['setup_intent_data']?.metadata?.agreement_no
    if (!isWhole) return invalid('parameter_missing')
    const setup: Setup = { id: id('cs_test'), content, status: 'open' }
    setups.set(setup.id, setup)
    return [200, sessionOf(setup)]
  }

  function remove(customer: Customer): Answer {
    if (customer.deleted) return missing
    customer.deleted = true
    for (const setup of setups.values()) if (setup.content['customer'] === customer.id) take(setup)
    queue(() => sent(event('customer.deleted', { id: customer.id, object: 'customer', metadata: customer.metadata })))
    return [200, customerOf(customer)]
  }

  function route(method: string, path: string, content: Content): Answer | undefined {
    if (method === 'POST' && path === '/v1/customers') {
      const customer: Customer = { id: id('cus'), metadata: content['metadata'] ?? {}, deleted: false }
      customers.set(customer.id, customer)
      return [200, customerOf(customer)]
    }
    if (method === 'POST' && path === '/v1/checkout/sessions' && content['mode'] === 'setup') return open(content)
    if (method === 'POST' && path === '/v1/payment_intents') {
      const setup = [...setups.values()].find((each) => each.method?.id === content['payment_method'])
      const isWhole = content['off_session'] === 'true' && content['confirm'] === 'true' && content['metadata']?.trade_no
      if (!isWhole) return invalid('parameter_missing')
      // Stripe's error for a card that is no longer attached to this customer.
      return setup?.method?.customer === content['customer'] ? charge(content, outcome) : invalid('resource_missing')
    }
    const customer = customers.get(/^\/v1\/customers\/(\w+)$/.exec(path)?.[1] ?? '')
    if (customer) return method === 'DELETE' ? remove(customer) : [200, customerOf(customer)]
    const asked = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(path)
    const setup = setups.get(asked?.[1] ?? '')
    if (setup && !asked?.[2]) return [200, sessionOf(setup)]
    if (setup) {
      if (setup.status !== 'open') return invalid('session_not_open')
      setup.status = 'expired'
      return [200, sessionOf(setup)]
    }
    const stored = /^\/v1\/payment_methods\/(\w+)$/.exec(path)?.[1]
    if (!stored) return undefined
    const owner = [...setups.values()].find((each) => each.method?.id === stored)
    return owner ? [200, methodOf(owner)] : missing
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
      setup.method = { id: id('pm'), customer: setup.content['customer'] }
      if (!silent) queue(() => sent(event('setup_intent.succeeded', intentOf(setup))))
    },
    end: (agreementNo, { silent = false } = {}) => {
      const setup = byNo(agreementNo)
      const previous = { customer: setup.method!.customer }
      take(setup)
      if (!silent) queue(() => sent(event('payment_method.detached', methodOf(setup)!, previous)))
    },
    charges: (next) => {
      outcome = next
    },
    notice: (agreementNo) => sent(event('setup_intent.succeeded', intentOf(byNo(agreementNo)))),
  }
}
