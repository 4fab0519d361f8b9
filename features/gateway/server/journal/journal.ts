import { newId } from '#platform/shared/ids.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Log } from '#platform/server/log.ts'
import type { Journal, ReservedCall, SettledCall } from '../hot/deps.ts'
import { createPosting, createSummation } from './after-flush.ts'
import { boundRisk } from './leases/at-risk.ts'
import { createCommitter } from './writing/committer.ts'
import { every } from './every.ts'
import { createPurses } from './leases/purses.ts'
import { addNode, beat, removeNode } from './data-nodes.ts'

export interface RunningJournal extends Journal {
  readonly node: string
  /** News that another process wants this account's money: `<account> <node>`. */
  recalled(payload: string): void
  backlog(): number
  /** Moves what was charged into the ledger now; it happens by itself every POST_MS to POST_MOST_MS. */
  post(): Promise<void>
  /** Writes what is under way and gives back what is free. Calls still open are left to the sweeper. */
  stop(): Promise<void>
}

const BEAT_MS = 1000
const TEND_MS = 500
/** Settlements waiting for the database before no more calls are taken on. */
const BACKLOG = 200_000

/**
 * `deadMs`: after this long without a heartbeat the sweeper takes over; this process stops promising at half of it.
 * `atRisk`: the most that calls under way may hold of one account here; undefined: its balance alone bounds it.
 */
export async function createJournal(sql: Sql, log: Log, deadMs: number, atRisk: () => Nano | undefined = () => undefined): Promise<RunningJournal> {
  const node = newId('node')
  const purses = boundRisk(createPurses(sql, node, log), atRisk)
  const committer = createCommitter(sql, node, log)
  /** Calls that were promised money and have not ended in this process. */
  const live = new Set<string>()
  let beatAt = 0
  let stopped = false

  const beatOnce = async () => {
    const asked = Date.now()
    if (!(await beat(sql, node))) {
      log.warn({ node }, 'this process was taken for dead: its leases are gone')
      purses.loseAll()
      await addNode(sql, node)
    }
    beatAt = asked
  }
  await addNode(sql, node)
  beatAt = Date.now()
  const posting = createPosting(sql)
  const summation = createSummation(sql)
  const stops = [
    every(posting.pause, posting.run, log, 'charges could not be posted'),
    every(summation.pause, summation.run, log, 'calls could not be added up'),
    every(() => Math.min(BEAT_MS, deadMs / 5), beatOnce, log, 'heartbeat failed'),
    every(
      () => TEND_MS,
      () => purses.tend(),
      log,
      'leases could not be tended',
    ),
  ]

  const settle = async (call: SettledCall) => {
    const ours = live.delete(call.callId)
    if (ours) purses.end(call.leaseId, call.held, call.amount)
    await committer.settle(call)
    posting.mark()
    summation.mark()
    if (ours) purses.posted(call.leaseId)
  }
  const release = (call: ReservedCall, outcome: SettledCall['outcome'], status: number) => settle({ ...NOTHING_USED, ...call, outcome, status })

  return {
    node,
    admit: (key, amount, least) =>
      stopped || Date.now() - beatAt > deadMs / 2 || committer.backlog() > BACKLOG ? 'unavailable' : purses.admit(key, amount, least),
    free: (accountId) => purses.free(accountId),
    forgo: (lease, amount) => {
      purses.end(lease.leaseId, amount, 0n)
      purses.posted(lease.leaseId)
    },
    reserve: async (call, soon) => {
      live.add(call.callId)
      try {
        await committer.open(call, soon)
      } catch (error) {
        void release(call, 'upstream_failed', 503)
        throw error
      }
    },
    isWaiting: (callId) => committer.isWaiting(callId),
    settle,
    release,
    giveBack: (leaseId, amount) => purses.giveBack(leaseId, amount),
    recalled: (payload) => {
      const [account, from] = payload.split(' ')
      if (account && from !== node) purses.recall(BigInt(account))
    },
    backlog: () => committer.backlog(),
    post: posting.run,
    stop: async () => {
      stopped = true
      for (const stop of stops) await stop()
      await committer.drain()
      await posting.run()
      await summation.run()
      await purses.closeAll()
      await removeNode(sql, node)
    },
  }
}

/** A call that came to nothing is a row all the same: people look for it. */
const NOTHING_USED = {
  dialect: 'openai-chat',
  stream: false,
  provenance: 'upstream',
  lines: [],
  amount: 0n,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  upstreamRequestId: '',
  requestId: '',
  firstByteMs: 0,
  totalMs: 0,
} as const
