import type { Issuer, IssuerVendor } from '../port.ts'
import {
  fetchStripeCard,
  findStripeCardByKey,
  createStripeCard,
  createStripeCardholder,
  findStripeCardholderRefusal,
  revealStripeCard,
  setStripeCardState,
} from './cards.ts'
import { createStripeIssuingClient } from './client.ts'
import { readStripeIssuingAccount, stripeIssuingEnv } from './config.ts'
import { fetchStripeIssuingDispute, openStripeIssuingDispute } from './disputes.ts'
import { formatStripeIssuingDecision, readStripeIssuingNotice } from './notices.ts'
import { fetchStripeIssuingAuthorization, listStripeIssuingTransactions, fetchStripeIssuingTransaction } from './spending.ts'
import { listForeignAddresses, listTestKeys } from '#platform/shared/suppliers/test-account.ts'

const NAME = 'stripe'

/** Stripe Issuing: virtual cards, decided by us within 2 s. docs/vendors/stripe-issuing.md */
export const stripe: IssuerVendor = {
  name: NAME,
  sandbox: false,
  listTestSettings: (config) => [
    ...listForeignAddresses(config, { STRIPE_ISSUING_API_BASE: /^api\.stripe\.com$/ }),
    ...listTestKeys(config, { STRIPE_ISSUING_SECRET_KEY: /^[sr]k_test_/ }),
  ],
  platform: 4,
  env: stripeIssuingEnv,
  connect: (config, tools): Issuer | undefined => {
    const account = readStripeIssuingAccount(config)
    if (!account) return undefined
    const sdk = createStripeIssuingClient(account, tools)
    return {
      name: NAME,
      supports: { challenges: 'itself', disputes: true, partial: true, frame: false, billing: false },
      refuses: (call) => findStripeCardholderRefusal(call, tools.now()),
      createHolder: (call) => createStripeCardholder(sdk, call, tools.now()),
      createCard: (call) => createStripeCard(sdk, call, tools.now()),
      cardByKey: (key) => findStripeCardByKey(sdk, key),
      card: (ref) => fetchStripeCard(sdk, ref),
      setCardState: (ref, state, key) => setStripeCardState(sdk, ref, { state, key }),
      // cards have no balance there: the program holds the money, and every payment requests a decision
      load: async () => ({ status: 'done' }),
      loadByKey: async () => ({ status: 'done' }),
      authorization: (ref) => fetchStripeIssuingAuthorization(sdk, ref),
      transaction: (ref) => fetchStripeIssuingTransaction(sdk, ref),
      dispute: (ref) => fetchStripeIssuingDispute(sdk, ref),
      openDispute: (call) => openStripeIssuingDispute(sdk, call),
      readNotice: (request) => readStripeIssuingNotice(account, tools, request),
      answer: formatStripeIssuingDecision,
      acknowledge: () => ({ status: 200, type: 'text/plain; charset=utf-8', body: 'ok' }),
      reveal: (call) => revealStripeCard(sdk, account, { call, now: tools.now() }),
      challenge: async () => undefined,
      book: (from, to) => listStripeIssuingTransactions(sdk, from, to),
    }
  },
  pages: async () => ({
    'script-src': ['https://js.stripe.com'],
    'frame-src': ['https://js.stripe.com'],
    'connect-src': ['https://api.stripe.com'],
  }),
}
