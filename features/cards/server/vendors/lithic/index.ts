import type { Issuer, IssuerVendor } from '../port.ts'
import { card, cardByKey, createCard, createHolder, refuses, reveal, setCardState } from './cards.ts'
import { lithicOf } from './client.ts'
import { lithicEnv, readAccount } from './config.ts'
import { dispute, openDispute } from './disputes.ts'
import { answer, readNotice } from './notices.ts'
import { authorization, book, transaction } from './spending.ts'

const NAME = 'lithic'

/** Lithic: virtual cards, decided by us through auth stream access. docs/vendors/lithic.md */
export const lithic: IssuerVendor = {
  name: NAME,
  sandbox: false,
  platform: 7,
  env: lithicEnv,
  connect: (config, tools): Issuer | undefined => {
    const account = readAccount(config)
    if (!account) return undefined
    const sdk = lithicOf(account, tools)
    return {
      name: NAME,
      supports: { challenges: 'itself', disputes: true, partial: false, frame: true, billing: false },
      refuses,
      createHolder: (call) => createHolder(sdk, call),
      createCard: (call) => createCard(sdk, account, call, tools.now()),
      cardByKey: (key) => cardByKey(sdk, key),
      card: (ref) => card(sdk, ref),
      setCardState: (ref, state) => setCardState(sdk, ref, state),
      // cards have no balance there: the money stands with the program, and every payment is asked about
      load: async () => ({ status: 'done' }),
      loadByKey: async () => ({ status: 'done' }),
      authorization: (ref) => authorization(sdk, ref),
      transaction: (ref) => transaction(sdk, ref),
      dispute: (ref) => dispute(sdk, ref),
      openDispute: (call) => openDispute(sdk, call),
      readNotice: (request) => readNotice(sdk, account, request),
      answer,
      acknowledge: () => ({ status: 200, type: 'text/plain; charset=utf-8', body: 'ok' }),
      reveal: async (call) => reveal(sdk, call, tools.now()),
      challenge: async () => undefined,
      book: (from, to) => book(sdk, from, to),
    }
  },
  pages: async (config) => ({ 'frame-src': [new URL((config['LITHIC_API_BASE'] as string | undefined) ?? 'https://api.lithic.com').origin] }),
}
