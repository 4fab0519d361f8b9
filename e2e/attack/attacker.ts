import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, subtractNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { captureHold, placeHold, systemAccount } from '#features/wallet/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { sendAttackRequest } from './send-request.ts'
import type { AttackRequestOptions, AttackReply } from './send-request.ts'
import type { SpareNode, AttackStage } from './stage.ts'

/** A customer with a balance of five dollars who tries to get more than that. */
export interface Attacker {
  readonly name: string
  readonly userId: string
  readonly db: Db
  readonly nodes: readonly string[]
  readonly counts: { asked: number; served: number; refused: number }
  /** Replies by status, each with the beginning of one body, for the report. */
  readonly replies: Map<string, number>
  key: string
  isOver(): boolean
  newKey(): Promise<{ readonly secret: string; readonly keyId: string }>
  /** Starts a separate gateway, which the strategy may pause. */
  spareNode(): Promise<SpareNode>
  /** Sends a request as this attacker to the nodes in turn, or to the one `at` an address. Bodies other than text and buffers are sent as JSON. */
  ask(
    path: string,
    body: unknown,
    asking?: AttackRequestOptions & { readonly key?: string | undefined; readonly node?: number; readonly at?: string },
  ): Promise<AttackReply>
  /** Repeats `work`, `atOnce` in parallel, until the time is over or every call is refused. */
  loop(atOnce: number, work: (n: number) => Promise<AttackReply | void>): Promise<void>
}

const PAID_NANO = 5n * NANO_PER_USD
const PACE_MS = 20
/** Consecutive refusals after which an attacker slows down, and the pause. */
const REFUSALS_BEFORE_PAUSE = 6
const SLOW_MS = 400
/** Minimum number of calls per strategy, also on a slow machine whose time is over earlier. */
const MIN_CALLS = 30

/** Joins any bytes into one printable line. */
export const toPrintableLine = (text: string): string => text.replace(/[^\x20-\x7e]+/g, ' ')

/** Withdraws up to `amount` of the balance, as a completed withdrawal would. */
export async function withdrawBalance(db: Db, userId: string, amount: Nano): Promise<void> {
  await transact(db, SYSTEM, async (tx) => {
    const id = createId('hold')
    const held = await placeHold(tx, { id, userId, amount, atLeast: 1n, ttlSeconds: 600, purpose: 'attack', onlyPurchased: true })
    await tx.audit('wallet.held', `hold:${id}`)
    if (held.status === 'pending')
      await captureHold(tx, { holdId: id, amount: held.amount, kind: 'test.attack_withdrawn', ref: id, to: systemAccount('in_transit') })
  })
}

/** Creates an attacker. All but `left` is withdrawn before the attack, so that a small leak shows. */
export async function anAttacker(
  { db, nodes, spareNode }: AttackStage,
  name: string,
  { until, left = PAID_NANO }: { readonly until: number; readonly left?: Nano },
): Promise<Attacker> {
  const userId = await aFundedUser(db, { userId: createId('user'), purchased: PAID_NANO })
  if (left < PAID_NANO) await withdrawBalance(db, userId, subtractNano(PAID_NANO, left))
  const newKey = async () => {
    const made = await aKey(db, userId, { name })
    return { secret: made.secret, keyId: made.key.keyId }
  }
  const counts = { asked: 0, served: 0, refused: 0 }
  const replies = new Map<string, number>()
  const isOver = (): boolean => Date.now() >= until
  const attacker: Attacker = {
    name,
    userId,
    db,
    nodes,
    counts,
    replies,
    key: (await newKey()).secret,
    isOver,
    newKey,
    spareNode,
    async ask(path, body, asking = {}) {
      const { key = attacker.key, node = counts.asked, at = nodes[node % nodes.length], headers, ...rest } = asking
      counts.asked++
      const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      const reply = await sendAttackRequest(`${at}${path}`, bytes, {
        ...rest,
        headers: {
          'authorization': `Bearer ${key}`,
          'content-type': 'application/json',
          'user-agent': `attack:${name}`,
          'x-stainless-helper': `attack:${name}`,
          ...headers,
        },
      })
      if (reply.status === 200 || reply.left) counts.served++
      else counts.refused++
      const line = reply.left ? 'left' : `${reply.status} ${reply.status === 200 ? '' : toPrintableLine(reply.text).slice(0, 160)}`
      if (replies.size < 12 || replies.has(line)) replies.set(line, (replies.get(line) ?? 0) + 1)
      return reply
    },
    async loop(atOnce, work) {
      let n = 0
      let refusals = 0
      const worker = async (): Promise<void> => {
        while (!isOver() || (n < MIN_CALLS && refusals <= REFUSALS_BEFORE_PAUSE)) {
          const reply = await work(n++)
          refusals = reply !== undefined && reply.status !== 200 && !reply.left ? refusals + 1 : 0
          await sleep(refusals > REFUSALS_BEFORE_PAUSE && !isOver() ? SLOW_MS : PACE_MS)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
    },
  }
  return attacker
}
