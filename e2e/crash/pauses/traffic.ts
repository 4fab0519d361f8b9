import { waitForValue } from '#platform/testing/patience.ts'
import { openRawClient } from '../../sdk/sockets-lab.ts'
import type { RawClient } from '../../sdk/sockets-lab.ts'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { createTestDatabase } from '#platform/testing/db.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { selectSumDiscrepancies } from '#features/gateway/server/usage/data-sums.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { openCuttableConnection } from './cuttable-connection.ts'
import type { CuttableConnection } from './cuttable-connection.ts'
import { sumNano, computeTokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readSandboxBook } from '../../nodes/books.ts'
import type { SandboxBookEntry } from '../../nodes/books.ts'

/** A request whose charge differs from its vendor's bill. */
interface ChargeMismatch {
  readonly requestId: string
  readonly billed: Nano
  /** undefined if no row names the request */
  readonly charged: Nano | undefined
  readonly row: string
}

interface Row {
  readonly callId: string
  readonly model: string
  readonly tokens: number
  readonly upstreamRequestId: string
  readonly amount: Nano
  readonly outcome: string
  readonly provenance: string
  readonly open: boolean
}

/**
 * Compares both books to the nano-dollar by request: the vendor's own tokens at current prices, and the charges of our rows. Unsettled
 * provisional charges count as mismatches.
 */
async function compareCharges(db: Db, vendor: string): Promise<readonly ChargeMismatch[]> {
  const entries = new Map<string, SandboxBookEntry>()
  await readSandboxBook(vendor, entries)
  const running = [...entries.values()].filter(({ status }) => status === 'running')
  if (running.length) throw new Error(`${running.length} calls still run at the vendor`)
  const prices = await selectPrices(db)
  const rows = await db.query<Row>(
    `select u.call_id, u.model, (u.input_tokens + u.output_tokens)::int as tokens, u.upstream_request_id, u.amount, u.outcome, u.provenance, s.call_id is not null as open
     from gateway_usage u left join gateway_swept s on s.account_id = u.account_id and s.call_id = u.call_id and s.basis = 'hold' and s.resolved_at is null`,
  )
  const byId = new Map<string, Row>()
  for (const row of rows) byId.set(row.callId, row).set(row.upstreamRequestId, row)
  const found: ChargeMismatch[] = []
  const spoken: SandboxBookEntry[] = []
  for (const [requestId, entry] of entries) {
    const row = byId.get(requestId) ?? byId.get(entry.callId)
    if (SPOKEN_MODELS.test(entry.model)) {
      spoken.push(entry)
      continue
    }
    const billed = costOf(entry, prices)
    if ((row?.amount ?? 0n) !== billed) found.push({ requestId, billed, charged: row?.amount, row: row ? `${row.outcome} ${row.provenance}` : 'no row' })
  }
  found.push(...findSpokenMismatches(spoken, rows))
  for (const row of rows) if (row.open) found.push({ requestId: row.callId, billed: 0n, charged: row.amount, row: 'provisional' })
  return found
}

/** Responses of audio sessions share their session's request id and have prices by modality, so their tokens are compared. */
const SPOKEN_MODELS = /realtime/
function findSpokenMismatches(entries: readonly SandboxBookEntry[], rows: readonly Row[]): ChargeMismatch[] {
  const theirs = entries
    .map(({ billed }) => billed.input + billed.output)
    .filter((tokens) => tokens > 0)
    .toSorted((a, b) => a - b)
  const ours = rows
    .filter(({ model, tokens }) => SPOKEN_MODELS.test(model) && tokens > 0)
    .map(({ tokens }) => tokens)
    .toSorted((a, b) => a - b)
  return theirs.join() === ours.join()
    ? []
    : [{ requestId: 'spoken', billed: BigInt(theirs.length), charged: BigInt(ours.length), row: `${theirs.join()} / ${ours.join()}` }]
}

type PricesByModel = ReadonlyMap<string, { readonly input: Nano; readonly cached: Nano; readonly output: Nano }>

function costOf({ model, billed: { input, cached, output, reasoning } }: SandboxBookEntry, prices: PricesByModel): Nano {
  const price = prices.get(model)!
  return sumNano([
    computeTokenCost(input - cached, price.input),
    computeTokenCost(cached, price.cached),
    computeTokenCost(output - reasoning, price.output),
    computeTokenCost(reasoning, price.output),
  ])
}

async function selectPrices(db: Db): Promise<PricesByModel> {
  const rows = await db.query<{ modelId: string; classes: string[] }>(
    'select distinct on (model_id) model_id, classes from gateway_prices_kept where valid_from <= now() order by model_id, valid_from desc, version desc',
  )
  return new Map(
    rows.map(({ modelId: id, classes }) => [id, { input: BigInt(classes[0]!), cached: BigInt(classes[1] ?? classes[0]!), output: BigInt(classes[4]!) }]),
  )
}

/**
 * Gateways that can be stopped, blocked or cut off, with a worker and a vendor that cannot. The vendor is the sandbox, either at the
 * addresses of real vendors, so that it cannot be queried about a call, or at its own, so that it can.
 */
export interface PauseRig {
  readonly nodes: readonly RigNode[]
  readonly db: Db
  readonly secret: string
  readonly worker: TestServer
  /** Resolves when no call is open, pending or running; returns the requests whose charge differs from the vendor's bill. */
  settled(): Promise<readonly ChargeMismatch[]>
  stop(): Promise<void>
}
export interface RigNode {
  readonly server: TestServer
  readonly line: CuttableConnection
}

export interface PauseRigOptions {
  readonly nodes: number
  /** Time that a process may be silent before its holds are charged. */
  readonly silentMs: number
  readonly canBeAsked?: boolean
}

const NODE_DEAD_MS = 4000

export async function openPauseRig({ nodes: count, silentMs, canBeAsked = false }: PauseRigOptions): Promise<PauseRig> {
  const { url: databaseUrl } = await createTestDatabase()
  const env = {
    ...{
      STAGE: 'qa',
      ALLOW_SANDBOX: 'models,payment,mail',
      GATEWAY_NODE_DEAD_MS: String(NODE_DEAD_MS),
      GATEWAY_SILENT_MS: String(silentMs),
      SANDBOX_CHUNK_MS: '5',
    },
    LOG_LEVEL: 'info',
  }
  const outside = await startTestServer({ roles: 'sandbox', databaseUrl, env })
  const at = `${outside.baseUrl}/sandbox/upstream`
  const deaf: Record<string, string> = canBeAsked
    ? {}
    : { OPENAI_API_KEY: 'sandbox', OPENAI_BASE_URL: `${at}/openai`, ANTHROPIC_API_KEY: 'sandbox', ANTHROPIC_BASE_URL: `${at}/anthropic` }
  const upstream = { ...env, SANDBOX_UPSTREAM_URL: at, ...deaf }
  const aNode = async (): Promise<RigNode> => {
    const line = await openCuttableConnection(databaseUrl)
    return { line, server: await startTestServer({ roles: 'gateway', databaseUrl: line.url, env: upstream, crashes: true }) }
  }
  const [worker, ...nodes] = await Promise.all([
    startTestServer({ roles: 'worker', databaseUrl, env: upstream, crashes: true }),
    ...Array.from({ length: count }, aNode),
  ])
  const db = connect(databaseUrl, { max: 3 })
  const { secret } = await aKey(db, await aFundedUser(db, { userId: createId('user') }))
  return {
    ...{ nodes, db, secret, worker },
    settled: async () => {
      await waitForValue(() => isAtRest(db), 'all calls to be settled', 100)
      return waitUntilAtRest(db, outside.baseUrl)
    },
    stop: async () => {
      for (const { server, line } of nodes) {
        server.resume()
        line.mend()
      }
      worker.resume()
      await Promise.all([...nodes.map(({ server }) => server.stop()), worker.stop(), outside.stop()])
      await Promise.all(nodes.map(({ line }) => line.stop()))
      await db.close()
    },
  }
}

async function isAtRest(db: Db): Promise<boolean> {
  const [rest] = await db.query<{ busy: boolean }>(`select exists (select from gateway_calls) or exists (select from gateway_unposted)
    or exists (select from gateway_leases l where not exists (select from gateway_nodes n where n.node = l.node and n.dead_at is null)) as busy`)
  return !rest!.busy
}

async function waitUntilAtRest(db: Db, vendor: string): Promise<readonly ChargeMismatch[]> {
  const problems = (await verifyLedger(db)).problems
  if (problems.length) throw new Error(`the ledger does not verify: ${JSON.stringify(problems)}`)
  const faults = await selectSumDiscrepancies(db, toShanghaiDay(Date.now()), 10)
  if (faults.length) throw new Error(`sums differ from rows: ${faults.length}`)
  return compareCharges(db, vendor)
}

/**
 * Starts calls at one node that last for some seconds: whole and streamed, native and translated, of two vendors, and over sockets.
 * Resolves when each has a response or a broken connection.
 */
export async function sendCallsTo({ server }: RigNode, secret: string): Promise<void> {
  const say = (n: number) => `${n} ${Math.random()} [[sandbox:tokens=60]] [[sandbox:chunk=40]]`
  const call = async (path: string, body: object): Promise<void> => {
    const reply = await fetch(`${server.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(body),
    })
    await reply.text()
  }
  const chat = (model: string, stream: boolean, n: number) =>
    call('/v1/chat/completions', { model, stream, max_tokens: 200, messages: [{ role: 'user', content: say(n) }] })
  const messages = (stream: boolean, n: number) =>
    call('/v1/messages', { model: 'claude-haiku-5-5', stream, max_tokens: 200, messages: [{ role: 'user', content: say(n) }] })
  const port = Number(new URL(server.baseUrl).port)
  await Promise.allSettled([
    ...[chat('gpt-6-luna', true, 1), chat('gpt-6-luna', false, 2), messages(true, 3), messages(false, 4)],
    // a translated call, and one through the Responses API
    ...[chat('claude-haiku-5-5', true, 5), call('/v1/responses', { model: 'gpt-6-luna', stream: true, max_output_tokens: 200, input: say(6) })],
    callOverSocket(port, secret, {
      path: '/v1/responses',
      events: [{ type: 'response.create', model: 'gpt-6-luna', input: say(7), max_output_tokens: 200, store: false }],
      last: 'response.completed',
    }),
    callOverSocket(port, secret, {
      path: '/v1/realtime?model=gpt-realtime-2.1-mini',
      events: [
        { type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: say(8) }] } },
        { type: 'response.create' },
      ],
      last: 'response.done',
    }),
  ])
}

async function callOverSocket(
  port: number,
  secret: string,
  { path, events, last }: { readonly path: string; readonly events: readonly object[]; readonly last: string },
): Promise<void> {
  const client: RawClient = await openRawClient(port, path, { headers: { authorization: `Bearer ${secret}` } })
  for (const event of events) client.say(event)
  const isOver = () => client.closed !== undefined || client.frames.some(({ type }) => type === last || type === 'error')
  await waitForValue(() => isOver() || undefined, `the answer at ${path}`)
  client.ws.close()
}
