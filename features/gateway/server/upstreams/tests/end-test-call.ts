import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { postTransaction, systemAccount } from '#features/wallet/server/door.ts'
import { computeMaximumBill } from './costs.ts'
import { endTestCall, selectLostTestCalls } from './data.ts'
import type { TestCallRow, TestEnd } from './data.ts'

/** Longer than any call may take: after this the process counts as dead, and the call is not sent again. */
const LOST_AFTER_MS = 120_000
const BATCH_SIZE = 50

/** Books a test call once: the end of its row and its cost in the ledger share a transaction. The cost is our own use. */
export async function bookTestCall(tx: Tx, row: Pick<TestCallRow, 'testId' | 'upstreamId'>, end: TestEnd): Promise<void> {
  if (!(await endTestCall(tx, row.testId, end))) return
  const amount = end.bill?.cost ?? 0n
  if (amount > 0n)
    await postTransaction(tx, { kind: 'gateway.test', ref: row.testId, legs: [{ from: systemAccount('own_use'), to: systemAccount('revenue'), amount }] })
  await tx.audit('gateway.test-ended', `upstream:${row.upstreamId}`, { test: row.testId, state: end.state, status: end.status, latencyMs: end.latencyMs })
}

/** Job: ends test calls whose process died. The vendor may have billed them, so the maximum is booked. */
export async function sweepTestCalls({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<void> {
  const at = clock.now()
  const swept = await transact(db, SYSTEM, async (tx) => {
    const lost = await selectLostTestCalls(tx, new Date(at.getTime() - LOST_AFTER_MS), BATCH_SIZE)
    for (const row of lost) {
      const bill = computeMaximumBill({ input: row.mostInput!, output: row.mostOutput!, cost: row.held! })
      await bookTestCall(tx, row, { state: 'unknown', at, status: null, latencyMs: null, answer: '', bill })
    }
    return lost.length
  })
  if (swept) log.warn({ calls: swept }, 'test calls of a dead process were booked at the most they can cost')
}
