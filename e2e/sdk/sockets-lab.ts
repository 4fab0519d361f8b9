import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { TEST_KEY, aModel, anUpstream } from '#features/gateway/server/hot/testing/fake-deps.ts'
import { openLab, waitForCondition } from '#features/gateway/server/hot/testing/lab.ts'
import type { Lab } from '#features/gateway/server/hot/testing/lab.ts'
import type { Dialect } from '#features/gateway/server/hot/deps.ts'
import { startModelStandIn } from '#stand-ins/models/test-server.ts'
import type { RunningModelStandIn } from '#stand-ins/models/test-server.ts'

/** The relay with its journal in memory, connected to the sandbox's sockets, and an account with a balance. */
export interface SocketLab {
  readonly lab: Lab
  readonly box: RunningModelStandIn
  readonly purse: { balance: bigint; least: bigint }
  readonly stop: () => Promise<void>
}

export async function openSocketLab(balance = 10n ** 12n): Promise<SocketLab> {
  const lab = await openLab({ limits: { drainMs: 2_000 } })
  const box = await startModelStandIn()
  const { origin, pathname } = new URL(box.url)
  const upstream = anUpstream(origin, { id: 'box', basePath: pathname, authHeaders: ['authorization', 'Bearer sandbox'], callIdHeader: 'x-mingxi-call-id' })
  const add = (id: string, dialect: Dialect, upstreamModel = id) =>
    lab.models.set(id, aModel(id, [{ upstream, upstreamModel }], { kind: 'realtime', dialects: new Set([dialect]), maxOutputTokens: 32_000 }))
  add('gpt-realtime-2.1', 'openai-realtime')
  add('missing-upstream', 'openai-realtime')
  add('gpt-4o-transcribe', 'openai-chat')
  add('gemini-live', 'gemini-live')
  const purse = { balance, least: balance }
  const change = (by: bigint) => {
    purse.balance += by
    if (purse.balance < purse.least) purse.least = purse.balance
  }
  const { journal } = lab.deps
  const { settle, release } = journal
  Object.assign(journal, {
    admit: (_key: unknown, amount: bigint) => {
      if (purse.balance < amount) return 'insufficient_balance'
      change(-amount)
      return { leaseId: 1n }
    },
    giveBack: (_lease: bigint, amount: bigint) => change(amount),
    isLost: () => false,
    settle: async (call: Parameters<typeof settle>[0]) => {
      change(call.held - call.amount)
      await settle(call)
    },
    release: async (call: Parameters<typeof release>[0], outcome: Parameters<typeof release>[1], status: number) => {
      change(call.held)
      await release(call, outcome, status)
    },
  })
  return {
    lab,
    box,
    purse,
    stop: async () => {
      await lab.close()
      await upstream.client.close()
      await box.stop()
    },
  }
}

/** Lets the vendor's client, which insists on wss, connect to a plain TCP port. */
export const usePlainTcp = (port: number) => ({ createConnection: () => connect(port, '127.0.0.1') })

export interface RawClient {
  readonly ws: WebSocket
  readonly frames: Record<string, any>[]
  closed: { readonly code: number; readonly reason: string } | undefined
  say(event: object): void
  /** Waits for the n-th event of this type. */
  heard(type: string, n?: number): Promise<Record<string, any>>
}

export async function openRawClient(
  port: number,
  path: string,
  { headers = { authorization: `Bearer ${TEST_KEY}` }, protocols = [] }: { readonly headers?: Record<string, string>; readonly protocols?: string[] } = {},
): Promise<RawClient> {
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, { headers })
  const client: RawClient = {
    ws,
    frames: [],
    closed: undefined,
    say: (event) => ws.send(JSON.stringify(event)),
    async heard(type, n = 1) {
      const found = () => client.frames.filter((frame) => frame['type'] === type || type in frame)
      await waitForCondition(() => found().length >= n)
      return found()[n - 1]!
    },
  }
  ws.on('message', (data) => client.frames.push(JSON.parse((data as Buffer).toString()) as Record<string, any>))
  ws.on('close', (code, reason) => {
    client.closed = { code, reason: reason.toString() }
  })
  await new Promise<void>((resolve, reject) => {
    ws.on('open', () => resolve())
    ws.on('unexpected-response', (_req, res) => {
      let text = ''
      res.on('data', (part: Buffer) => (text += part.toString())).on('end', () => reject(new Error(`${res.statusCode} ${text}`)))
    })
    ws.on('error', reject)
  })
  return client
}
