import type { Issuer, IssuerVendor } from '../port.ts'
import { card, cardByKey, createCard, createHolder, refuses, reveal, setCardState } from './cards.ts'
import { stripeOf } from './client.ts'
import { readAccount, stripeEnv } from './config.ts'
import { dispute, openDispute } from './disputes.ts'
import { answer, readNotice } from './notices.ts'
import { authorization, book, transaction } from './spending.ts'

const NAME = 'stripe'

/** Stripe Issuing: virtual cards, decided by us within 2 s. docs/vendors/stripe-issuing.md */
export const stripe: IssuerVendor = {
  name: NAME,
  sandbox: false,
  platform: 4,
  env: stripeEnv,
  connect: (config, tools): Issuer | undefined => {
    const account = readAccount(config)
    if (!account) return undefined
    const sdk = stripeOf(account, tools)
    return {
      name: NAME,
      supports: { challenges: 'itself', disputes: true, partial: true, frame: false, billing: false },
      refuses,
      createHolder: (call) => createHolder(sdk, call),
      createCard: (call) => createCard(sdk, call, tools.now()),
      cardByKey: (key) => cardByKey(sdk, key),
      card: (ref) => card(sdk, ref),
      setCardState: (ref, state, key) => setCardState(sdk, ref, state, key),
      // cards have no balance there: the money stands with the program, and every payment is asked about
      load: async () => ({ status: 'done' }),
      loadByKey: async () => ({ status: 'done' }),
      authorization: (ref) => authorization(sdk, ref),
      transaction: (ref) => transaction(sdk, ref),
      dispute: (ref) => dispute(sdk, ref),
      openDispute: (call) => openDispute(sdk, call),
      readNotice: (request) => readNotice(account, tools, request),
      answer,
      acknowledge: () => ({ status: 200, type: 'text/plain; charset=utf-8', body: 'ok' }),
      reveal: (call) => reveal(sdk, account, call, tools.now()),
      challenge: async () => undefined,
      book: (from, to) => book(sdk, from, to),
    }
  },
  pages: async () => ({
    'script-src': ['https://js.stripe.com'],
    'frame-src': ['https://js.stripe.com'],
    'connect-src': ['https://api.stripe.com'],
  }),
}
