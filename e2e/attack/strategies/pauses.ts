import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '#platform/server/log.ts'
import { sweepDeadLeases } from '#features/gateway/server/journal/sweeping/sweeper.ts'
import type { SilenceLimits } from '#features/gateway/server/journal/sweeping/data-sweep.ts'
import type { Attacker } from '../attacker.ts'
import { CHAT_PATH, RESPONSES_PATH, buildUserMessages } from './strategy.ts'
import type { Strategy } from './strategy.ts'

const expensiveBody = { model: 'gpt-6.2-sol', max_completion_tokens: 2_000, messages: buildUserMessages(), stream: true }
const CALLS = 30
/** Node timeout that is never reached: the paused node is declared dead by its id. */
const NEVER_DEAD_MS = 2_000_000
const POLL_INTERVAL_MS = 150
const log = createLog('silent')

/** A worker's sweeper, with a vendor that cannot be queried about a call. */
const sweepAsWorker = ({ db }: Attacker, silence: SilenceLimits) =>
  sweepDeadLeases({ db, log, deadMs: NEVER_DEAD_MS, ...silence, fateOf: async () => ({ kind: 'unknown' }) })

/** Declares the node dead that holds a key's open calls; false if no call of the key is open. */
async function declareDead({ db }: Attacker, keyId: string): Promise<boolean> {
  const rows = await db.query(
    `update gateway_nodes n set dead_at = now() where n.dead_at is null and n.node in (
       select c.node from gateway_calls c where c.key_id = $1) returning 1`,
    [keyId],
  )
  return rows.length > 0
}

/** Waits until no more open rows appear: a call that was just dialled exists only in the memory of its process. */
async function waitUntilWritten({ db }: Attacker, keyId: string): Promise<void> {
  const count = async (): Promise<number> => (await db.query('select 1 from gateway_calls where key_id = $1', [keyId])).length
  for (let before = -1, now = await count(); now !== before; now = await count()) {
    before = now
    await sleep(POLL_INTERVAL_MS)
  }
}

/**
 * Opens many calls at a separate node and pauses it. The node is declared dead, its calls are charged or released, the attacker spends the
 * rest elsewhere, and then the node resumes with complete responses.
 */
async function pauseAndReturn(attacker: Attacker, silence: SilenceLimits): Promise<void> {
  const spare = await attacker.spareNode()
  const { secret: key, keyId } = await attacker.newKey()
  const there = { at: spare.url, key }
  do {
    const open = Array.from({ length: CALLS }, (_, n) =>
      n % 3
        ? attacker.ask(CHAT_PATH, expensiveBody, there)
        : attacker.ask(RESPONSES_PATH, { model: expensiveBody.model, max_output_tokens: 2_000, input: 'hello', stream: n % 2 === 0 }, there),
    )
    await sleep(60)
    if (silence.returnMs === 0) await waitUntilWritten(attacker, keyId)
    spare.pause()
    await sleep(100)
    const isDead = await declareDead(attacker, keyId)
    if (isDead) await sweepAsWorker(attacker, silence)
    await Promise.all(Array.from({ length: CALLS }, (_, node) => attacker.ask(CHAT_PATH, expensiveBody, { node })))
    spare.resume()
    await Promise.all(open)
  } while (!attacker.isOver())
}

/** Strategies with nodes that pause and resume. */
export const PAUSE_STRATEGIES: readonly Strategy[] = [
  {
    name: 'paused-node-soon',
    tries: 'calls open at a node that stands still and is back while it is awaited',
    run: (attacker) => pauseAndReturn(attacker, { returnMs: NEVER_DEAD_MS, silentMs: NEVER_DEAD_MS }),
  },
  {
    name: 'paused-node-later',
    tries: 'calls open at a node that stands still and is back before they are charged what they hold',
    run: (attacker) => pauseAndReturn(attacker, { returnMs: 0, silentMs: NEVER_DEAD_MS }),
  },
  {
    name: 'paused-node-late',
    tries: 'calls open at a node that stands still and is back after they were charged what they held',
    run: (attacker) => pauseAndReturn(attacker, { returnMs: 0, silentMs: 0 }),
  },
]
