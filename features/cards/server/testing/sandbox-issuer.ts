import { hkdfSync } from 'node:crypto'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { Send } from '#stand-ins/card-network/company.ts'
import { deskOf } from '#stand-ins/card-network/desk.ts'
import { keepGoing, openCompany } from '#stand-ins/card-network/bank/serve.ts'
import { listen } from '#stand-ins/card-network/web/http.ts'
import type { Issuer, IssuerTools, RawRequest } from '../vendors/port.ts'
import { NOTICE_KEY, TOKEN } from '../vendors/sandbox/client.ts'
import { sandbox } from '../vendors/sandbox/index.ts'

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

/** Delivers notices to an in-process app: `send: sendInto(() => app.inject)`. */
export const sendInto =
  (
    inject: () => (call: {
      method: 'POST'
      url: string
      headers: Record<string, string>
      payload: string
    }) => Promise<{ statusCode: number; headers?: Record<string, string>; body: string }>,
  ): Send =>
  async (url, headers, body) => {
    const reply = await inject()({ method: 'POST', url: new URL(url).pathname, headers: { ...headers }, payload: body })
    return { status: reply.statusCode, headers: reply.headers ?? {}, body: reply.body }
  }

/** A notice as the platform's route gets it. */
export function rawOf(headers: Readonly<Record<string, string>>, body: string): RawRequest {
  return { params: { issuer: 'sandbox' }, query: {}, headers, body: Buffer.from(body), ip: '127.0.0.1', requestId: 'test' }
}
