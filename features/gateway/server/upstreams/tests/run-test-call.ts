import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { callOut } from '#platform/server/http/http-client.ts'
import type { OutReply } from '#platform/server/http/http-client.ts'
import { post, systemAccount } from '#features/wallet/server/door.ts'
import { modelsNow } from '../../catalogue/data.ts'
import { pricesOf } from '../../catalogue/price-classes.ts'
import type { Dialect } from '../../hot/deps.ts'
import { amountOf, linesFor } from '../../hot/settlement/pricing.ts'
import { totalInput } from '../../hot/settlement/usage.ts'
import type { Usage } from '../../hot/settlement/usage.ts'
import { withoutVersion } from '../environment.ts'
import { createUpstreams } from '../upstreams.ts'
import { beginTestCall, endTestCall } from './data.ts'
import type { TestCallRow, TestEnd } from './data.ts'
import { smallCall, usageIn } from './small-call.ts'

const DEADLINE_MS = 60_000
const BASIS_POINTS = 10_000n
const SHOWN = 500

/**
 * Job: sends a test call, once. Killed after that it is not sent again: the upstream may have answered and billed it, and what is
 * known of it stays unknown. Its cost is the house's, in the ledger and in the comparison of books.
 */
export async function runTestCall(deps: Deps, id: string, send: typeof fetch = fetch): Promise<void> {
  const row = await transact(deps.db, SYSTEM, async (tx) => {
    const begun = await beginTestCall(tx, id, deps.clock.now())
    if (begun) await tx.audit('gateway.test-sent', `upstream:${begun.upstream_id}`, { test: id, model: begun.model_id })
    return begun
  })
  if (!row) return
  crashPoint('gateway.test-before-call')
  const end = await outcomeOf(deps, row, send)
  crashPoint('gateway.test-after-call')
  await transact(deps.db, SYSTEM, async (tx) => {
    if (!(await endTestCall(tx, id, end))) return
    const amount = end.cost ?? 0n
    if (amount > 0n) await post(tx, { kind: 'gateway.test', ref: id, legs: [{ from: systemAccount('own_use'), to: systemAccount('revenue'), amount }] })
    await tx.audit('gateway.test-ended', `upstream:${row.upstream_id}`, { test: id, state: end.state, status: end.status, latencyMs: end.latencyMs })
  })
}

async function outcomeOf(deps: Deps, row: TestCallRow, send: typeof fetch): Promise<TestEnd> {
  const begun = performance.now()
  const over = (end: Omit<TestEnd, 'at' | 'latencyMs'>): TestEnd => ({ ...end, at: deps.clock.now(), latencyMs: Math.round(performance.now() - begun) })
  const none = { status: null, tokens: undefined, cost: null }
  const upstreams = createUpstreams(deps)
  try {
    await upstreams.reload(deps.db, false)
    const server = upstreams.vendorOf(row.upstream_id)
    if (!server) return over({ ...none, state: 'failed', answer: 'no key' })
    const { path, headers, body } = smallCall(row.dialect as Dialect, row.upstream_model)
    const auth = server.vendor.authHeaders(server.key)
    const pairs = Object.fromEntries(auth.flatMap((name, at) => (at % 2 ? [] : [[name, auth[at + 1]!]])))
    const url = `${withoutVersion(server.baseUrl)}${path}`
    const reply = await callOut(send, { method: 'POST', url, headers: { ...headers, ...pairs }, body, deadlineMs: DEADLINE_MS })
    return over(await read(deps, row, reply, server.key))
  } catch (error) {
    // `callOut` says it in words of our own: no header, no key
    return over({ ...none, state: 'failed', answer: (error as Error).message.slice(0, SHOWN) })
  } finally {
    await upstreams.stop()
  }
}

async function read(deps: Deps, row: TestCallRow, reply: OutReply, key: string): Promise<Omit<TestEnd, 'at' | 'latencyMs'>> {
  const answer = reply.body.toString('utf8').replaceAll(key, '…').replaceAll('\u0000', '').slice(0, SHOWN)
  const usage = reply.status === 200 ? usageIn(row.dialect as Dialect, reply.body) : undefined
  if (!usage) return { state: 'failed', status: reply.status, answer, tokens: undefined, cost: null }
  return { state: 'done', status: reply.status, answer, tokens: tokensOf(usage), cost: await costOf(deps, row, usage) }
}

/** In the classes of the books. */
const tokensOf = (usage: Usage) => ({ input: totalInput(usage), cached: usage.cachedInput, output: usage.output + usage.reasoning })

/** What the upstream asks for it: its share of the list price, begun nano-dollars counted. */
async function costOf(deps: Deps, row: TestCallRow, usage: Usage): Promise<bigint | null> {
  const model = (await modelsNow(deps.db)).find(({ model_id }) => model_id === row.model_id)
  if (!model) return null
  const list = amountOf(linesFor(pricesOf(model.version, model), usage, () => undefined))
  return (list * BigInt(row.cost_bp) + BASIS_POINTS - 1n) / BASIS_POINTS
}
