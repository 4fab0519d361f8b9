import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { Company } from '#stand-ins/card-network/company.ts'
import { BANK_SIGNATURE as SIGNATURE, signBankNotice } from '#stand-ins/card-network/signature.ts'
import { NOTICE_KEY } from '../vendors/sandbox/client.ts'
import { aSandboxIssuer, rawOf } from './sandbox-issuer.ts'
import { changedBodies } from './played.ts'
import type { Hear, Played } from './played.ts'

/** The sandbox issuer behind a connection that can be made to fail. */
export async function aPlayedSandbox({ decideWithinMs = 150 }: { decideWithinMs?: number } = {}): Promise<Played & { readonly company: Company }> {
  const sent: ReturnType<typeof rawOf>[] = []
  let hear: Hear = () => undefined
  const bank = await aSandboxIssuer({
    decideWithinMs,
    send: async (_url, headers, body) => {
      const raw = rawOf(headers, body)
      sent.push(raw)
      const decision = await hear(issuer.readNotice(raw), raw)
      if (!body.includes('"authorization.request"')) return { status: 200, body: 'ok' }
      return decision ? { status: 200, body: String(issuer.answer(decision).body) } : { status: 500, body: '' }
    },
  })
  const line = await startStandInServer(async ({ method, url, headers, body }) => {
    const kept = ['authorization', 'notice-url', 'idempotency-key', 'content-type'].flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []))
    const reply = await fetch(`${bank.url}${url}`, { method, headers: Object.fromEntries(kept) as Record<string, string>, ...(body ? { body } : {}) })
    return { status: reply.status, headers: { 'content-type': 'application/json' }, body: await reply.text() }
  })
  const issuer = bank.issuer({}, line.url)
  bank.company.setEndpoint('http://platform.invalid/')
  return {
    issuer,
    bank,
    company: bank.company,
    hear: (next) => {
      hear = next
    },
    sent,
    forgeries: (raw) => {
      const [key] = bank.secrets(NOTICE_KEY)
      const now = bank.company.wall()
      const withHeader = (value: string) => ({ ...raw, headers: { [SIGNATURE]: value } })
      return {
        ...changedBodies(raw),
        'wrong key': withHeader(signBankNotice(Buffer.alloc(32, 1), now, raw.body)),
        'stale': withHeader(signBankNotice(key, now - 302_000, raw.body)),
        'ahead': withHeader(signBankNotice(key, now + 302_000, raw.body)),
        'another scheme': withHeader(String(raw.headers[SIGNATURE]).replace('v1=', 'v0=')),
        'no time': withHeader(String(raw.headers[SIGNATURE]).replace(/t=\d+,/, '')),
      }
    },
    misbehave: (fault) => line.misbehave(fault, 1000),
    behave: () => line.behave(),
    refOf: ({ ref }) => ref,
    asked: () => line.seen.map(({ url, body }) => `${url} ${body}`),
    close: async () => {
      await line.close()
      await bank.close()
    },
  }
}
