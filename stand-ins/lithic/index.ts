import { randomBytes, randomUUID } from 'node:crypto'
import { createCompany, sendByHttp } from '../card-network/company.ts'
import type { Company, Send } from '../card-network/company.ts'
import { openStore } from '../card-network/data.ts'
import { deskOf } from '../card-network/desk.ts'
import { startStandInServer } from '../kit/server.ts'
import type { Oracle, StandInServer } from '../kit/server.ts'
import { createLithicEndpoints } from './endpoints.ts'
import { createLithicFormat } from './messages.ts'
import type { LithicSecrets } from './messages.ts'
import type { LithicFacts } from './objects.ts'
import { LITHIC_ASA } from './rules.ts'

export interface LithicOptions {
  /** Compares every message with the published interface; in tests. */
  readonly oracle?: Oracle
  /** Replaces HTTP for events and ASA requests. */
  readonly send?: Send
  readonly decideWithinMs?: number
  readonly file?: string
  readonly wall?: () => number
  /** Refuses requests beyond the rates of production. */
  readonly hasRates?: boolean
}
export interface LithicStandIn {
  readonly url: string
  readonly apiKey: string
  readonly secrets: LithicSecrets
  readonly company: Company
  /** Controls of merchants, schemes and time. */
  readonly desk: ReturnType<typeof deskOf>
  readonly server: StandInServer
  close(): Promise<void>
}

/** Lithic: its interface, events and auth stream over the card network. Enrol an endpoint with `company.setEndpoint`. */
export async function startLithic(options: LithicOptions = {}): Promise<LithicStandIn> {
  const { oracle, send = sendByHttp, decideWithinMs = LITHIC_ASA.withinMs, file = ':memory:', wall = Date.now, hasRates = false } = options
  const apiKey = randomUUID()
  const secrets = { asa: makeSecret(), events: makeSecret() }
  const facts: LithicFacts = { cards: new Map(), holders: new Map(), disputes: new Map(), evidences: new Map() }
  const company = createCompany({
    store: openStore(file),
    send,
    decideWithinMs,
    wall,
    format: createLithicFormat(facts, secrets, oracle),
    makeRef: () => randomUUID(),
  })
  const handle = createLithicEndpoints({ company, facts, apiKey, url: () => server.url, hasRates })
  const server = await startStandInServer(handle, oracle ? { oracle } : {})
  return {
    url: server.url,
    apiKey,
    secrets,
    company,
    desk: deskOf(company),
    server,
    close: async () => {
      await server.close().finally(() => company.store.close())
    },
  }
}

const makeSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`
