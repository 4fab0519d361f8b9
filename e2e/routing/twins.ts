import type { ServerResponse } from 'node:http'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { changeRoutes, changeUpstream, removeRoutes } from '#features/gateway/server/upstreams/change-routes.ts'
import type { RouteChange, UpstreamChange } from '#features/gateway/server/upstreams/change-routes.ts'
import { startModelStandIn } from '#stand-ins/models/test-server.ts'
import type { RunningModelStandIn } from '#stand-ins/models/test-server.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { startFundedServer } from '../server.ts'
import type { FundedServer } from '../server.ts'

/** A sandbox upstream with its own id, port and book. */
export interface Twin {
  readonly id: string
  readonly box: RunningModelStandIn
  /** Replacement for its normal response while it is faulty. */
  ill: ((res: ServerResponse) => void) | undefined
  seen: number
  open: number
  mostOpen: number
}

export interface TwinServer {
  readonly server: FundedServer
  readonly db: Db
  readonly twins: readonly [Twin, Twin, Twin]
  /** Creates a key of a new account with a hundred dollars. */
  newKey(): Promise<string>
  /** Serves `model` only from these twins, from the next call on. */
  serve(model: string, routes: Readonly<Record<string, RouteChange>>): Promise<void>
  change(id: string, change: UpstreamChange): Promise<void>
  ask(model: string, text: string, more?: TwinRequest): Promise<TwinReply>
  stop(): Promise<void>
}

export interface TwinRequest {
  readonly key?: string
  readonly body?: object
}
export interface TwinReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly cached: number
  readonly input: number
}

const operator = { kind: 'operator', id: 'e2e' } as const
/** A model that no test uses. */
const MARKER = 'gpt-5.2'

export async function startTwins(): Promise<TwinServer> {
  const keys = { UPSTREAM_TWIN_A_KEY: 'sandbox', UPSTREAM_TWIN_B_KEY: 'sandbox', UPSTREAM_TWIN_C_KEY: 'sandbox' }
  const server = await startFundedServer({ roles: 'gateway,worker', env: { SANDBOX_UPSTREAM_KEY: 'sandbox', ...keys } })
  const db = connect(server.databaseUrl, { max: 2 })
  const twins = [await startTwin('twin-a'), await startTwin('twin-b'), await startTwin('twin-c')] as const
  for (const { id, box } of twins)
    await changeUpstream(db, operator, { id, change: { vendor: 'sandbox-openai', baseUrl: `${box.url}/openai` }, reason: 'test' })

  const ask = async (model: string, text: string, { key = server.apiKey, body = {} }: TwinRequest = {}): Promise<TwinReply> => {
    const response = await fetch(`${server.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: text }], ...body }),
    })
    const answer = await response.text()
    const usage = response.headers.get('content-type')?.startsWith('application/json') ? (JSON.parse(answer) as { usage?: Usage }).usage : undefined
    return {
      status: response.status,
      headers: response.headers,
      text: answer,
      input: usage?.prompt_tokens ?? 0,
      cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    }
  }
  /**
   * Notifications of changes reach the gateway within moments and in order: once it serves a marker under its newest name, it has read all
   * earlier changes.
   */
  let marker = 0
  const heard = async (): Promise<void> => {
    const name = `marker-${++marker}`
    await changeRoutes(db, operator, { upstream: 'twin-c', models: [MARKER], change: { upstreamModel: name }, reason: 'test' })
    await waitForValue(async () => {
      await ask(MARKER, 'ping')
      return twins[2].box.book.list(0).some((entry) => entry.model === name) || undefined
    }, 'the gateway to hear of its routes')
  }
  return {
    server,
    db,
    twins,
    ask,
    async newKey() {
      const userId = await aFundedUser(db)
      return (await aKey(db, userId)).secret
    },
    async serve(model, routes) {
      for (const [id, change] of Object.entries(routes)) await changeRoutes(db, operator, { upstream: id, models: [model], change, reason: 'test' })
      const others = await db.query<{ upstreamId: string }>('select upstream_id from gateway_routes where model_id = $1 and not upstream_id = any($2)', [
        model,
        Object.keys(routes),
      ])
      for (const { upstreamId: id } of others) await removeRoutes(db, operator, { upstream: id, models: [model], reason: 'test' })
      await heard()
      for (const twin of twins) Object.assign(twin, { seen: 0, mostOpen: 0 })
    },
    change: async (id, change) => {
      await changeUpstream(db, operator, { id, change, reason: 'test' })
      await heard()
    },
    async stop() {
      await db.close()
      await server.stop()
      for (const { box } of twins) await box.stop()
    },
  }
}

interface Usage {
  readonly prompt_tokens: number
  readonly prompt_tokens_details?: { readonly cached_tokens?: number }
}

async function startTwin(id: string): Promise<Twin> {
  const twin = { id, ill: undefined, seen: 0, open: 0, mostOpen: 0 } as Omit<Twin, 'box'>
  const box = await startModelStandIn({}, (req, res) => {
    if (req.method !== 'POST') return false
    twin.seen++
    twin.mostOpen = Math.max(twin.mostOpen, ++twin.open)
    res.once('close', () => {
      twin.open--
    })
    if (!twin.ill) return false
    req.resume()
    twin.ill(res)
    return true
  })
  return Object.assign(twin, { box })
}
