import type { Issuer, IssuerVendor } from '../port.ts'
import {
  fetchLithicCard,
  findLithicCardByKey,
  createLithicCard,
  createLithicHolder,
  findLithicHolderRefusal,
  revealLithicCard,
  setLithicCardState,
} from './cards.ts'
import { createLithicClient } from './client.ts'
import { lithicEnv, readLithicAccount } from './config.ts'
import { fetchLithicDispute, openLithicDispute } from './disputes.ts'
import { formatLithicDecision, readLithicNotice } from './notices.ts'
import { fetchLithicAuthorization, listLithicTransactions, fetchLithicTransaction } from './spending.ts'
import { listForeignAddresses } from '#platform/shared/suppliers/test-account.ts'

const NAME = 'lithic'

/** Lithic: virtual cards, decided by us through auth stream access. docs/vendors/lithic.md */
export const lithic: IssuerVendor = {
  name: NAME,
  sandbox: false,
  listTestSettings: (config) => listForeignAddresses(config, { LITHIC_API_BASE: /^api\.lithic\.com$/ }),
  platform: 7,
  env: lithicEnv,
  connect: (config, tools): Issuer | undefined => {
    const account = readLithicAccount(config)
    if (!account) return undefined
    const sdk = createLithicClient(account, tools)
    return {
      name: NAME,
      supports: { challenges: 'itself', disputes: true, partial: false, frame: true, billing: false },
      refuses: findLithicHolderRefusal,
      createHolder: (call) => createLithicHolder(sdk, call),
      createCard: (call) => createLithicCard(sdk, account, { call, now: tools.now() }),
      cardByKey: (key) => findLithicCardByKey(sdk, key),
      card: (ref) => fetchLithicCard(sdk, ref),
      setCardState: (ref, state) => setLithicCardState(sdk, ref, state),
      // cards have no balance there: the program holds the money, and every payment requests a decision
      load: async () => ({ status: 'done' }),
      loadByKey: async () => ({ status: 'done' }),
      authorization: (ref) => fetchLithicAuthorization(sdk, ref),
      transaction: (ref) => fetchLithicTransaction(sdk, ref),
      dispute: (ref) => fetchLithicDispute(sdk, ref),
      openDispute: (call) => openLithicDispute(sdk, call),
      readNotice: (request) => readLithicNotice(sdk, account, request),
      answer: formatLithicDecision,
      acknowledge: () => ({ status: 200, type: 'text/plain; charset=utf-8', body: 'ok' }),
      reveal: async (call) => revealLithicCard(sdk, call, tools.now()),
      challenge: async () => undefined,
      book: (from, to) => listLithicTransactions(sdk, from, to),
    }
  },
  pages: async (config) => ({ 'frame-src': [new URL((config['LITHIC_API_BASE'] as string | undefined) ?? 'https://api.lithic.com').origin] }),
}
