import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { callOut, NoReply } from '#platform/server/http/http-client.ts'
import type { OutReply } from '#platform/server/http/http-client.ts'
import { modelsNow } from '../../catalogue/data.ts'
import type { ModelWithPrice } from '../../catalogue/data.ts'
import type { Dialect } from '../../hot/deps.ts'
import { withoutVersion } from '../environment.ts'
import { createUpstreams } from '../upstreams.ts'
import { billAtMost, billOf, mostOf } from './costs.ts'
import { beginTestCall, lockTestCall } from './data.ts'
import type { Most, TestCallRow, TestEnd } from './data.ts'
import { bookTestCall } from './end-test-call.ts'
import { smallCall, usageIn } from './small-call.ts'

const DEADLINE_MS = 60_000
const SHOWN = 500

interface Begun {
  readonly row: TestCallRow
  readonly model: ModelWithPrice
  readonly most: Most
}
type Ended = Omit<TestEnd, 'at' | 'latencyMs'>

/**
 * Job: sends a test call, once, when the most that it can cost is written down. Killed after that it is not sent again: the upstream
 * may have answered and billed it, and the sweep books that most (`sweepTestCalls`).
 */
export async function runTestCall(deps: Deps, id: string, send: typeof fetch = fetch): Promise<void> {
  const begun = await begin(deps, id)
  if (!begun) return
  crashPoint('gateway.test-before-call')
  const from = performance.now()
  const end = await outcomeOf(deps, begun, send)
  const latencyMs = Math.round(performance.now() - from)
  crashPoint('gateway.test-after-call')
  await transact(deps.db, SYSTEM, (tx) => bookTestCall(tx, begun.row, { ...end, at: deps.clock.now(), latencyMs }))
}

async function begin(deps: Deps, id: string): Promise<Begun | undefined> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const row = await lockTestCall(tx, id)
    if (!row) return undefined
    const at = deps.clock.now()
    const model = (await modelsNow(tx)).find(({ model_id }) => model_id === row.model_id)
    if (!model) {
      // the model left the price list since the request: its cost cannot be determined
      await bookTestCall(tx, row, { ...nothing('no price'), at, latencyMs: null })
      return undefined
    }
    const most = mostOf(model, row)
    await beginTestCall(tx, id, at, most)
    await tx.audit('gateway.test-sent', `upstream:${row.upstream_id}`, { test: id, model: row.model_id })
    return { row, model, most }
  })
}

/** Nothing was sent, so nothing is billed. */
const nothing = (answer: string): Ended => ({ state: 'failed', status: null, answer, bill: undefined })

async function outcomeOf(deps: Deps, begun: Begun, send: typeof fetch): Promise<Ended> {
  const { row, most } = begun
  const upstreams = createUpstreams(deps)
  let isSent = false
  try {
    await upstreams.reload(deps.db, false)
    const server = upstreams.vendorOf(row.upstream_id)
    if (!server) return nothing('no key')
    const { path, headers, body } = smallCall(row.dialect as Dialect, row.upstream_model)
    const auth = server.vendor.authHeaders(server.key)
    const pairs = Object.fromEntries(auth.flatMap((name, at) => (at % 2 ? [] : [[name, auth[at + 1]!]])))
    const url = `${withoutVersion(server.baseUrl)}${path}`
    isSent = true
    const reply = await callOut(send, { method: 'POST', url, headers: { ...headers, ...pairs }, body, deadlineMs: DEADLINE_MS })
    return answered(begun, reply, server.key)
  } catch (error) {
    // `callOut` says it in words of our own: no header, no key
    const answer = (error as Error).message.slice(0, SHOWN)
    const isBilled = error instanceof NoReply ? error.hasLeft : isSent
    return isBilled ? { state: 'unknown', status: null, answer, bill: billAtMost(most) } : nothing(answer)
  } finally {
    await upstreams.stop()
  }
}

/** A refusal is free. An answer without usage, or a server error, may have been billed. */
function answered({ row, model, most }: Begun, { status, body }: OutReply, key: string): Ended {
  const answer = body.toString('utf8').replaceAll(key, '…').replaceAll('\u0000', '').slice(0, SHOWN)
  const usage = status === 200 ? usageIn(row.dialect as Dialect, body) : undefined
  if (usage) return { state: 'done', status, answer, bill: billOf(model, row, usage, most) }
  return { state: 'failed', status, answer, bill: status >= 300 && status < 500 ? undefined : billAtMost(most) }
}
