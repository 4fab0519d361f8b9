import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '#platform/server/log.ts'
import { sweep } from '#features/gateway/server/journal/sweeping/sweeper.ts'
import type { Attacker } from '../attacker.ts'
import { CHAT, RESPONSES, user } from './strategy.ts'
import type { Strategy } from './strategy.ts'

const expensive = { model: 'gpt-6.2-sol', max_completion_tokens: 2_000, messages: user(), stream: true }
const CALLS = 30
/** Longer than every node may be silent: the one that stands still is declared dead by its name. */
const NEVER_MS = 2_000_000
const log = createLog('silent')

/** The sweeper of a worker, at a vendor that cannot be asked about a call. */
const sweepAs = (attacker: Attacker, silentMs: number) => sweep({ db: attacker.db, log, deadMs: NEVER_MS, silentMs, fateOf: async () => ({ kind: 'unknown' }) })

/** Declares the node dead that holds the attacker's open calls; false where none is open there any more. */
async function declareDead({ db, userId }: Attacker): Promise<boolean> {
  const rows = await db.query(
    `update gateway_nodes n set dead_at = now() where n.dead_at is null and n.node in (
       select c.node from gateway_calls c where c.user_id = $1) returning 1`,
    [userId],
  )
  return rows.length > 0
}

/**
 * Many calls are open at a node of the attacker's own that stands still. It is declared dead, its calls keep or pay what they hold, the attacker spends what is
 * left elsewhere, and it comes back with whole answers.
 */
async function pauseAndReturn(attacker: Attacker, silentMs: number): Promise<void> {
  const spare = await attacker.spareNode()
  do {
    const open = Array.from({ length: CALLS }, (_, n) =>
      n % 3
        ? attacker.ask(CHAT, expensive, { at: spare.url })
        : attacker.ask(RESPONSES, { model: expensive.model, max_output_tokens: 2_000, input: 'hello', stream: n % 2 === 0 }, { at: spare.url }),
    )
    await sleep(60)
    spare.pause()
    await sleep(100)
    const isDead = await declareDead(attacker)
    if (isDead) await sweepAs(attacker, silentMs)
    await Promise.all(Array.from({ length: CALLS }, (_, node) => attacker.ask(CHAT, expensive, { node })))
    spare.resume()
    await Promise.all(open)
  } while (!attacker.isOver())
}

/** Nodes that stand still and come back. */
export const PAUSES: readonly Strategy[] = [
  {
    name: 'paused-node-soon',
    tries: 'calls open at a node that stands still and is back before they are charged what they hold',
    run: (attacker) => pauseAndReturn(attacker, NEVER_MS),
  },
  {
    name: 'paused-node-late',
    tries: 'calls open at a node that stands still and is back after they were charged what they held',
    run: (attacker) => pauseAndReturn(attacker, 0),
  },
]
