import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '#platform/server/log.ts'
import { sweepDeadLeases } from '#features/gateway/server/journal/sweeping/sweeper.ts'
import type { SilenceLimits } from '#features/gateway/server/journal/sweeping/data-sweep.ts'
import type { Attacker } from '../attacker.ts'
import { CHAT_PATH, RESPONSES_PATH, buildUserMessages } from './strategy.ts'
import type { Strategy } from './strategy.ts'

const expensiveBody = { model: 'gpt-6.2-sol', max_completion_tokens: 2_000, messages: buildUserMessages(), stream: true }
const CALLS = 30
/** Longer than every node may be silent: the one that stands still is declared dead by its name. */
const NEVER_DEAD_MS = 2_000_000
const POLL_INTERVAL_MS = 150
const log = createLog('silent')

/** The sweeper of a worker, at a vendor that cannot be asked about a call. */
const sweepAsWorker = ({ db }: Attacker, silence: SilenceLimits) =>
  sweepDeadLeases({ db, log, deadMs: NEVER_DEAD_MS, ...silence, fateOf: async () => ({ kind: 'unknown' }) })

/** Declares the node dead that holds the open calls of a key; false where none is open there any more. */
async function declareDead({ db }: Attacker, keyId: string): Promise<boolean> {
  const rows = await db.query(
    `update gateway_nodes n set dead_at = now() where n.dead_at is null and n.node in (
       select c.node from gateway_calls c where c.key_id = $1) returning 1`,
    [keyId],
  )
  return rows.length > 0
}

/** Until no more open rows come: of a call that was dialled a moment ago only its process knows. */
async function waitUntilWritten({ db }: Attacker, keyId: string): Promise<void> {
  const count = async (): Promise<number> => (await db.query('select 1 from gateway_calls where key_id = $1', [keyId])).length
  for (let before = -1, now = await count(); now !== before; now = await count()) {
    before = now
    await sleep(POLL_INTERVAL_MS)
  }
}

/**
 * Many calls are open at a node of the attacker's own that stands still. It is declared dead, its calls keep or pay what they hold, the attacker spends what is
 * left elsewhere, and it comes back with whole answers.
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

/** Nodes that stand still and come back. */
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
