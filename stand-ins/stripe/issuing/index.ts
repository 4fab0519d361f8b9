import { randomBytes, randomUUID } from 'node:crypto'
import { createCompany, sendByHttp } from '../../card-network/company.ts'
import type { Company, RefKind, Send } from '../../card-network/company.ts'
import { openStore } from '../../card-network/data.ts'
import { deskOf } from '../../card-network/desk.ts'
import { startStandInServer } from '../../kit/server.ts'
import type { Oracle, StandInServer } from '../../kit/server.ts'
import { createIssuingEndpoints } from './endpoints.ts'
import { createIssuingFormat } from './messages.ts'
import type { IssuingFacts } from './objects.ts'
import { ISSUING_DECISION } from './rules.ts'

export interface StripeIssuingOptions {
  /** Compares every message with the published interface; in tests. */
  readonly oracle?: Oracle
  /** Replaces HTTP for events and questions. */
  readonly send?: Send
  readonly decideWithinMs?: number
  /** Countries of cardholders that the programme allows; default: any. */
  readonly countries?: readonly string[]
}
export interface StripeIssuingStandIn {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  readonly company: Company
  /** Controls of merchants, schemes and time. */
  readonly desk: ReturnType<typeof deskOf>
  readonly server: StandInServer
  close(): Promise<void>
}

const PREFIXES: Readonly<Record<RefKind, string>> = {
  hold: 'ich',
  card: 'ic',
  auth: 'iauth',
  txn: 'ipi',
  disp: 'idp',
  evt: 'evt',
  chal: 'chal',
  load: 'load',
  sub: 'sub',
}
const makeText = (): string => randomBytes(12).toString('hex')

/** Stripe Issuing: its interface and events over the card network. Enrol an endpoint with `company.setEndpoint`. */
export async function startStripeIssuing(options: StripeIssuingOptions = {}): Promise<StripeIssuingStandIn> {
  const { oracle, send = sendByHttp, decideWithinMs = ISSUING_DECISION.withinMs, countries } = options
  const secretKey = `sk_test_${makeText()}`
  const webhookSecret = `whsec_${makeText()}`
  const facts: IssuingFacts = { metadata: new Map(), holders: new Map(), cards: new Map(), evidence: new Map() }
  const company = createCompany({
    store: openStore(':memory:'),
    send,
    decideWithinMs,
    format: createIssuingFormat(facts, webhookSecret, oracle),
    makeRef: (kind) => `${PREFIXES[kind]}_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
  })
  const server = await startStandInServer(createIssuingEndpoints({ company, facts, secretKey, countries }), oracle ? { oracle } : {})
  return {
    url: server.url,
    secretKey,
    webhookSecret,
    company,
    desk: deskOf(company),
    server,
    close: async () => {
      await server.close().finally(() => company.store.close())
    },
  }
}
