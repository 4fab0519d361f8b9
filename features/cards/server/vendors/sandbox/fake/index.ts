import { hkdfSync } from 'node:crypto'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { Issuer, IssuerTools, CardMerchant, RawRequest } from '../../port.ts'
import { NOTICE_KEY, TOKEN } from '../client.ts'
import { authorize, authorizationOf, expire, increment, reverse } from '../issuer/authorizations.ts'
import type { Purchase } from '../issuer/authorizations.ts'
import { setState } from '../issuer/cards.ts'
import { answerChallenge, challenge } from '../issuer/challenges.ts'
import type { NewChallenge } from '../issuer/challenges.ts'
import type { Company, Send } from '../issuer/company.ts'
import { settleDispute } from '../issuer/disputes.ts'
import { listen } from '../issuer/http.ts'
import type { CallFault, DecisionFault, NoticeFault } from '../issuer/magic-inputs.ts'
import { deliver } from '../issuer/post.ts'
import { keepGoing, openCompany } from '../issuer/serve.ts'
import { advance, runDue } from '../issuer/time.ts'
import { capture, force, refund, reverseRefund, transactionOf, unlinkedRefund } from '../issuer/transactions.ts'
import type { Clearing, Unasked } from '../issuer/transactions.ts'
import { sandbox } from '../index.ts'

export { randomHistory } from './history.ts'

export interface SandboxIssuerOptions {
  /** Keys of the installation, for tokens and signatures; default: `createTestApp`'s. */
  readonly secretKeys?: readonly Buffer[]
  /** Replaces HTTP for notices: faster, and a test sees every byte. */
  readonly send?: Send
  readonly wall?: () => number
  /** Time that it waits for a decision; default 2 s. */
  readonly decideWithinMs?: number
  /** Path of its store; default: in memory. */
  readonly file?: string
  /** Sends notices as they arise; otherwise only `deliver` does. */
  readonly posts?: boolean
}

export const OPENAI: CardMerchant = { name: 'OPENAI *CHATGPT SUBSCR', city: 'SAN FRANCISCO', country: 'US', mcc: '5734' }
export const PRAGUE: CardMerchant = { name: 'JETBRAINS S.R.O.', city: 'PRAGUE', country: 'CZ', mcc: '5734' }
export const HOTEL: CardMerchant = { name: 'HOTEL ON RIVINGTON', city: 'NEW YORK', country: 'US', mcc: '7011' }

export type SandboxIssuer = Awaited<ReturnType<typeof aSandboxIssuer>>

/** In-process card company with its own book and everything that merchants can do to a card. */
export async function aSandboxIssuer(options: SandboxIssuerOptions = {}) {
  const { secretKeys = [Buffer.alloc(32, 'test key of tests')], send, wall, decideWithinMs, file = ':memory:', posts = false } = options
  const secrets = (purpose: string) =>
    secretKeys.map((key) => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), purpose, 32))) as unknown as [Buffer, ...Buffer[]]
  const { company, handle } = openCompany({
    file,
    tokens: secrets(TOKEN),
    noticeKey: secrets(NOTICE_KEY)[0],
    ...(send ? { send } : {}),
    ...(wall ? { wall } : {}),
    ...(decideWithinMs === undefined ? {} : { decideWithinMs }),
  })
  const server = await listen(handle, 0, '127.0.0.1')
  const stop = posts ? keepGoing(company) : () => {}
  const url = `http://127.0.0.1:${server.port}`

  return {
    url,
    /** Platform configuration that points at it. */
    env: { SANDBOX_ISSUER_URL: url } as const,
    company,
    secrets,
    /** Returns the adapter, connected to it. */
    issuer: (tools: Partial<IssuerTools> = {}, at = url): Issuer =>
      sandbox.connect(
        { SANDBOX_ISSUER_URL: at },
        { ...aSupplierTools(), now: () => new Date(company.wall()), noticeUrl: () => 'http://127.0.0.1:9/notify', secrets, ...tools },
      )!,
    ...deskOf(company),
    close: async () => {
      stop()
      await server.close()
      company.store.close()
    },
  }
}

/** Actions of merchants, schemes and time. Amounts are in cents. */
export function deskOf(company: Company) {
  return {
    authorize: (purchase: Omit<Purchase, 'merchant'> & { merchant?: CardMerchant }) => authorize(company, { merchant: OPENAI, ...purchase }),
    increment: (ref: string, minor: bigint) => increment(company, ref, minor),
    /** Reverses the whole authorisation by default. */
    reverse: (ref: string, minor?: bigint) => reverse(company, ref, minor),
    expire: (ref: string) => expire(company, ref),
    capture: (ref: string, minor: bigint, more: Omit<Clearing, 'minor'> = {}) => capture(company, ref, { minor, ...more }),
    force: (unasked: Omit<Unasked, 'merchant'> & { merchant?: CardMerchant }) => force(company, { merchant: OPENAI, ...unasked }),
    refund: (transaction: string, minor?: bigint) => refund(company, transaction, minor),
    unlinkedRefund: (unasked: Omit<Unasked, 'merchant'> & { merchant?: CardMerchant }) => unlinkedRefund(company, { merchant: OPENAI, ...unasked }),
    reverseRefund: (refundRef: string) => reverseRefund(company, refundRef),
    settleDispute: (ref: string, end: 'won' | 'lost') => settleDispute(company, ref, end),
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

/** Delivers notices to an in-process app: `send: sendInto(() => app.inject)`. */
export const sendInto =
  (
    inject: () => (call: { method: 'POST'; url: string; headers: Record<string, string>; payload: string }) => Promise<{ statusCode: number; body: string }>,
  ): Send =>
  async (url, headers, body) => {
    const reply = await inject()({ method: 'POST', url: new URL(url).pathname, headers: { ...headers }, payload: body })
    return { status: reply.statusCode, body: reply.body }
  }

/** A notice as the platform's route gets it. */
export function rawOf(headers: Readonly<Record<string, string>>, body: string): RawRequest {
  return { params: { issuer: 'sandbox' }, query: {}, headers, body: Buffer.from(body), ip: '127.0.0.1', requestId: 'test' }
}
