import { aSupplierTools } from '#platform/testing/http.ts'
import type { Company, Send } from '#stand-ins/card-network/company.ts'
import { startLithic } from '#stand-ins/lithic/index.ts'
import { signLithicMessage } from '#stand-ins/lithic/messages.ts'
import { createLithicOracle } from '#stand-ins/lithic/oracle.ts'
import type { RawRequest } from '../vendors/port.ts'
import { issuerRegistry } from '../vendors/index.ts'
import { answerInProcess, changedBodies } from './played.ts'
import type { Hear, Played } from './played.ts'

interface LithicPlayOptions {
  readonly decideWithinMs?: number
  /** Replaces the hand-over in this process. */
  readonly send?: Send
}

/** The adapter of Lithic, connected to its stand-in. */
export async function aLithicIssuer({ decideWithinMs = 150, send }: LithicPlayOptions = {}): Promise<Played & { readonly company: Company }> {
  const sent: RawRequest[] = []
  let hear: Hear = () => undefined
  const lithic = await startLithic({
    oracle: await createLithicOracle(),
    decideWithinMs,
    send: send ?? ((_url, headers, body) => answerInProcess(issuer, { headers, body, sent, hear: (notice, raw) => hear(notice, raw) })),
  })
  const { company, secrets, server } = lithic
  company.setEndpoint('http://platform.invalid/notify/card/lithic')
  const issuer = issuerRegistry.vendors
    .find(({ name }) => name === 'lithic')!
    .connect(
      {
        LITHIC_API_KEY: lithic.apiKey,
        LITHIC_ASA_SECRET: secrets.asa,
        LITHIC_WEBHOOK_SECRETS: `${secrets.events}, whsec_${Buffer.from('tomorrow').toString('base64')}`,
        LITHIC_API_BASE: lithic.url,
      },
      { ...aSupplierTools(), now: () => new Date(company.wall()), noticeUrl: () => '', secrets: () => [Buffer.alloc(32)] },
    )!

  return {
    issuer,
    bank: lithic.desk,
    company,
    hear: (next) => {
      hear = next
    },
    sent,
    forgeries: (raw) => {
      const body = raw.body.toString('utf8')
      const id = String(raw.headers['webhook-id'])
      const at = Number(raw.headers['webhook-timestamp'])
      const secret = issuer.readNotice(raw)?.kind === 'decide' ? secrets.asa : secrets.events
      const signed = (over: { secret?: string; at?: number }) => ({
        ...raw,
        headers: { ...raw.headers, ...signLithicMessage(over.secret ?? secret, { id, at: over.at ?? at, body }) },
      })
      return {
        ...changedBodies(raw),
        'wrong secret': signed({ secret: `whsec_${Buffer.from('another secret').toString('base64')}` }),
        'stale': signed({ at: at - 302 }),
        'ahead': signed({ at: at + 302 }),
        'another id': { ...raw, headers: { ...raw.headers, 'webhook-id': 'msg_other' } },
        'another time': { ...raw, headers: { ...raw.headers, 'webhook-timestamp': String(at + 1) } },
        'the body alone is signed': {
          ...raw,
          headers: { ...raw.headers, 'webhook-signature': signLithicMessage(secret, { id: '', at, body })['webhook-signature']! },
        },
        'twice': { ...raw, headers: { ...raw.headers, 'webhook-signature': ['v1,a', String(raw.headers['webhook-signature'])] } },
      }
    },
    misbehave: (fault) => server.misbehave(fault, 1000),
    behave: () => server.behave(),
    refOf: ({ ref, authorization }) => `${authorization ?? ref}.${ref}`,
    asked: () => server.seen.map(({ url, body }) => `${url} ${body}`),
    close: () => lithic.close(),
  }
}
