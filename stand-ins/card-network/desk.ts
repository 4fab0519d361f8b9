import { authorizationOf, authorize, expire, increment, reverse } from './authorizations.ts'
import type { Purchase } from './authorizations.ts'
import { setState } from './cards.ts'
import { answerChallenge, challenge } from './challenges.ts'
import type { NewChallenge } from './challenges.ts'
import type { Company } from './company.ts'
import { settleCardDispute } from './disputes.ts'
import type { CallFault, DecisionFault, NoticeFault } from './magic-inputs.ts'
import type { Merchant } from './model.ts'
import { deliver } from './post.ts'
import { advance, runDue } from './time.ts'
import { capture, force, refund, reverseCardRefund, transactionOf, unlinkedRefund } from './transactions.ts'
import type { Clearing, Unasked } from './transactions.ts'

export const OPENAI: Merchant = { name: 'OPENAI *CHATGPT SUBSCR', city: 'SAN FRANCISCO', country: 'US', mcc: '5734' }
export const PRAGUE: Merchant = { name: 'JETBRAINS S.R.O.', city: 'PRAGUE', country: 'CZ', mcc: '5734' }
export const HOTEL: Merchant = { name: 'HOTEL ON RIVINGTON', city: 'NEW YORK', country: 'US', mcc: '7011' }

/** Actions of merchants, schemes and time. Amounts are in cents. */
export function deskOf(company: Company) {
  return {
    authorize: (purchase: Omit<Purchase, 'merchant'> & { merchant?: Merchant }) => authorize(company, { merchant: OPENAI, ...purchase }),
    increment: (ref: string, minor: bigint) => increment(company, ref, minor),
    /** Reverses the whole authorisation by default. */
    reverse: (ref: string, minor?: bigint) => reverse(company, ref, minor),
    expire: (ref: string) => expire(company, ref),
    capture: (ref: string, minor: bigint, more: Omit<Clearing, 'minor'> = {}) => capture(company, ref, { minor, ...more }),
    force: (unasked: Omit<Unasked, 'merchant'> & { merchant?: Merchant }) => force(company, { merchant: OPENAI, ...unasked }),
    refund: (transaction: string, minor?: bigint) => refund(company, transaction, minor),
    unlinkedRefund: (unasked: Omit<Unasked, 'merchant'> & { merchant?: Merchant }) => unlinkedRefund(company, { merchant: OPENAI, ...unasked }),
    reverseRefund: (refundRef: string) => reverseCardRefund(company, refundRef),
    settleDispute: (ref: string, end: 'won' | 'lost') => settleCardDispute(company, ref, end),
    challenge: (call: Omit<NewChallenge, 'purchase'>) => challenge(company, { ...call, purchase: '' }),
    answerChallenge: (ref: string, code: string) => answerChallenge(company, ref, code),
    /** The issuer's own doing, as when its risk people freeze a card. */
    setState: (card: string, state: 'active' | 'frozen' | 'closed') => company.store.atomic(() => setState(company, card, state)),
    authorizationOf: (ref: string) => authorizationOf(company, ref),
    transactionOf: (ref: string) => transactionOf(company, ref),
    /** The number and code that only a frame shows, for sweeps that must not find them elsewhere. */
    secretsOf: (card: string) => company.store.numberOf(card),
    /** Cents that are on a card by the issuer's book. */
    balanceOf: (card: string) => company.store.balance(`card:${card}`),
    /** Empty total and no wrong account, always. */
    verify: () => company.store.verifyBook(),
    /** Sends what is due; with `all` what is put off too, as if the time had passed. Resolves to the number of tries. */
    deliver: async ({ all = false }: { all?: boolean } = {}) => {
      let tries = 0
      for (let rounds = 0; rounds < 100_000; rounds++) {
        const some = await deliver(company, all)
        if (!some) break
        tries += some
      }
      return tries
    },
    runDue: () => runDue(company),
    advance: (ms: number) => advance(company, ms),
    /** Queues faults for the next calls, notices and decision requests. */
    plan: (faults: { calls?: readonly CallFault[]; notices?: readonly NoticeFault[]; decisions?: readonly DecisionFault[] }) => {
      company.plan.calls.push(...(faults.calls ?? []))
      company.plan.notices.push(...(faults.notices ?? []))
      company.plan.decisions.push(...(faults.decisions ?? []))
    },
  }
}
