import { randomUUID } from 'node:crypto'
import type { Store } from './data.ts'
import type { CallFault, DecisionFault, NoticeFault } from './magic-inputs.ts'

/** Sends a webhook and returns the response. */
export type Send = (url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal) => Promise<{ status: number; body: string }>

export interface CompanyOptions {
  readonly store: Store
  readonly send: Send
  /** Signing keys of notices, the one in use first. */
  readonly noticeKey: Buffer
  /** Wall clock; the company's time is this plus manual shifts. */
  readonly wall?: () => number
  /** Time that it waits for a decision. */
  readonly decideWithinMs?: number
}

/** The card company: its store, its clock, its post. */
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

export const DECIDE_WITHIN_MS = 2_000

export function createCompany({ store, send, noticeKey, wall = Date.now, decideWithinMs = DECIDE_WITHIN_MS }: CompanyOptions): Company {
  let ahead = Number(store.fact('ahead') ?? 0)
  let wakes = () => {}
  const now = () => wall() + ahead
  return {
    store,
    send,
    noticeKey,
    wall,
    decideWithinMs,
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

export const makeRef = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`

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
