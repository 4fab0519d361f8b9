import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { sendOutgoingRequest, NoReplyError } from '#platform/server/http/http-client.ts'
import type { OutgoingReply } from '#platform/server/http/http-client.ts'
import { selectCurrentModels } from '../../catalogue/data.ts'
import type { ModelWithPrice } from '../../catalogue/data.ts'
import type { Dialect } from '../../hot/deps.ts'
import { stripVersion } from '../environment.ts'
import { createUpstreams } from '../upstreams.ts'
import { computeMaximumBill, computeTestBill, boundTestCost } from './costs.ts'
import { beginTestCall, lockTestCall } from './data.ts'
import type { TestCostBound, TestCallRow, TestEnd } from './data.ts'
import { bookTestCall } from './end-test-call.ts'
import { buildSmallCall, parseTestUsage } from './small-call.ts'

const DEADLINE_MS = 60_000
const SHOWN_CHARS = 500

interface StartedTest {
  readonly row: TestCallRow
  readonly model: ModelWithPrice
  readonly most: TestCostBound
}
type TestResult = Omit<TestEnd, 'at' | 'latencyMs'>

/**
 * Job: sends a test call, once, after recording its maximum cost. If the process dies after that, the call is not sent again: the upstream
 * may have answered and billed it, and the sweep books the maximum (`sweepTestCalls`).
 */
export async function runTestCall(deps: Deps, id: string, send: typeof fetch = fetch): Promise<void> {
  const begun = await startTest(deps, id)
  if (!begun) return
  crashPoint('gateway.test-before-call')
  const from = performance.now()
  const end = await performTest(deps, begun, send)
  const latencyMs = Math.round(performance.now() - from)
  crashPoint('gateway.test-after-call')
  await transact(deps.db, SYSTEM, (tx) => bookTestCall(tx, begun.row, { ...end, at: deps.clock.now(), latencyMs }))
}

async function startTest(deps: Deps, id: string): Promise<StartedTest | undefined> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const row = await lockTestCall(tx, id)
    if (!row) return undefined
    const at = deps.clock.now()
    const model = (await selectCurrentModels(tx)).find(({ modelId }) => modelId === row.modelId)
    if (!model) {
      // the model left the price list since the request: its cost cannot be determined
      await bookTestCall(tx, row, { ...notSent('no price'), at, latencyMs: null })
      return undefined
    }
    const most = boundTestCost(model, row)
    await beginTestCall(tx, id, { at, most })
    await tx.audit('gateway.test-sent', `upstream:${row.upstreamId}`, { test: id, model: row.modelId })
    return { row, model, most }
  })
}

/** Nothing was sent, so nothing is billed. */
const notSent = (answer: string): TestResult => ({ state: 'failed', status: null, answer, bill: undefined })

async function performTest(deps: Deps, begun: StartedTest, send: typeof fetch): Promise<TestResult> {
  const { row, most } = begun
  const upstreams = createUpstreams(deps)
  let isSent = false
  try {
    await upstreams.reload(deps.db, false)
    const server = upstreams.vendorOf(row.upstreamId)
    if (!server) return notSent('no key')
    const { path, headers, body } = buildSmallCall(row.dialect as Dialect, row.upstreamModel)
    const auth = server.vendor.authHeaders(server.key)
    const pairs = Object.fromEntries(auth.flatMap((name, at) => (at % 2 ? [] : [[name, auth[at + 1]!]])))
    const url = `${stripVersion(server.baseUrl)}${path}`
    isSent = true
    const reply = await sendOutgoingRequest(send, { method: 'POST', url, headers: { ...headers, ...pairs }, body, deadlineMs: DEADLINE_MS })
    return judgeAnswer(begun, reply, server.key)
  } catch (error) {
    // the message of `sendOutgoingRequest` holds no header and no key
    const answer = (error as Error).message.slice(0, SHOWN_CHARS)
    const isBilled = error instanceof NoReplyError ? error.hasLeft : isSent
    return isBilled ? { state: 'unknown', status: null, answer, bill: computeMaximumBill(most) } : notSent(answer)
  } finally {
    await upstreams.stop()
  }
}

/** A refusal is free. An answer without usage, or a server error, may have been billed. */
function judgeAnswer({ row, model, most }: StartedTest, { status, body }: OutgoingReply, key: string): TestResult {
  const answer = body.toString('utf8').replaceAll(key, '…').replaceAll('\u0000', '').slice(0, SHOWN_CHARS)
  const usage = status === 200 ? parseTestUsage(row.dialect as Dialect, body) : undefined
  if (usage) return { state: 'done', status, answer, bill: computeTestBill(model, row, { usage, most }) }
  return { state: 'failed', status, answer, bill: status >= 300 && status < 500 ? undefined : computeMaximumBill(most) }
}
