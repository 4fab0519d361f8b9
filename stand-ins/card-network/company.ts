import { randomUUID } from 'node:crypto'
import type { Store } from './data.ts'
import type { CallFault, DecisionFault, NoticeFault } from './magic-inputs.ts'
import type { Authorization, DeclineCode, Local } from './model.ts'

/** The receiver's response to a message of the company. */
export interface SentReply {
  readonly status: number
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}
/** Sends a message and returns the response. */
export type Send = (url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal) => Promise<SentReply>

export type NoticeSubject = 'authorization' | 'transaction' | 'card' | 'dispute' | 'challenge'
export interface NoticeFacts {
  readonly id: string
  readonly subject: NoticeSubject
  readonly verb: 'created' | 'updated'
  readonly ref: string
  readonly card: string
}
/** A question to the platform: may this authorisation be approved, or grow? */
export interface Question {
  readonly minor: bigint
  readonly local?: Local | undefined
  readonly increment: boolean
  readonly partialAllowed: boolean
}
export type Answer = { readonly approved: true; readonly minor: bigint } | { readonly approved: false; readonly reason: DeclineCode }

/** Wire format of the company's outgoing messages: the company's own, or a vendor's. */
export interface MessageFormat {
  /** Body of a notice, written when it happens: every try sends the same bytes. Undefined if the format has no such notice. */
  writeNotice(company: Company, notice: NoticeFacts): string | undefined
  writeQuestion(company: Company, authorization: Authorization, question: Question): { readonly id: string; readonly body: string }
  /** Headers of one try. `isForged`: under a key that is not the company's. */
  sign(
    company: Company,
    message: { readonly id: string; readonly body: string; readonly isQuestion: boolean; readonly isForged: boolean },
  ): Record<string, string>
  /** Undefined: not an answer. */
  readAnswer(reply: SentReply, question: Question, id: string): Answer | undefined
  /** Seconds to the next try after each failed one; then the notice is given up. */
  readonly schedule: readonly number[]
  /** Tries of a question that gets no response, or one of 500 and above; 1 by default. */
  readonly questionTries?: number
}

/** Kinds of references, as the default format names them. */
export type RefKind = 'hold' | 'card' | 'auth' | 'txn' | 'disp' | 'chal' | 'load' | 'sub' | 'evt'

export interface CompanyOptions {
  readonly store: Store
  readonly send: Send
  readonly format: MessageFormat
  /** Wall clock; the company's time is this plus manual shifts. */
  readonly wall?: () => number
  /** Time that it waits for a decision. */
  readonly decideWithinMs?: number
  readonly makeRef?: (kind: RefKind) => string
}

/** The card company: its store, its clock, its messages. */
export interface Company extends Required<CompanyOptions> {
  /** Its own time. */
  now(): number
  /** Moves the company's clock forward; never back. */
  setTime(at: number): void
  /** Webhook URL for notices. */
  endpoint(): string | undefined
  setEndpoint(url: string): void
  /** Faults queued for the next calls, notices and decision requests. */
  readonly plan: { calls: CallFault[]; notices: NoticeFault[]; decisions: DecisionFault[] }
  /** Signals that new notices are stored. */
  wake(): void
  onWake(work: () => void): void
}

/** Stripe declines after 2 s without an answer (docs.stripe.com/issuing/controls/real-time-authorizations). */
const DECIDE_WITHIN_MS = 2_000

export function createCompany(options: CompanyOptions): Company {
  const { store, send, format, wall = Date.now, decideWithinMs = DECIDE_WITHIN_MS, makeRef = makeOwnRef } = options
  let ahead = Number(store.fact('ahead') ?? 0)
  let wakes = () => {}
  const now = () => wall() + ahead
  return {
    store,
    send,
    format,
    wall,
    decideWithinMs,
    makeRef,
    now,
    setTime: (at) => {
      if (at <= now()) return
      ahead += at - now()
      store.keepFact('ahead', String(ahead))
    },
    endpoint: () => store.fact('endpoint'),
    setEndpoint: (url) => {
      if (store.fact('endpoint') !== url) store.keepFact('endpoint', url)
    },
    plan: { calls: [], notices: [], decisions: [] },
    wake: () => wakes(),
    onWake: (work) => {
      wakes = work
    },
  }
}

const makeOwnRef = (kind: RefKind): string => `${kind}_${randomUUID().replaceAll('-', '')}`

/** A definite refusal by the company. */
export class Refusal extends Error {
  readonly refused: string
  readonly status: number
  constructor(refused: string, status = 400) {
    super(refused)
    this.refused = refused
    this.status = status
  }
}

export const sendByHttp: Send = async (url, headers, body, signal) => {
  const reply = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() }
}
