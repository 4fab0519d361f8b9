import { newId } from '#platform/shared/ids.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Log } from '#platform/server/log.ts'
import type { Journal, ReservedCall, SettledCall } from '../hot/deps.ts'
import { boundRisk } from './at-risk.ts'
import { createCommitter } from './committer.ts'
import { createPurses } from './purses.ts'
import { addNode, beat, postAll, removeNode, sumUsage } from './statements.ts'

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
/** How long charges wait in their lease before one posting takes them all to the ledger. */
const POST_MS = 100
/**
 * A posting costs by the account, not by the call: where there are many accounts it takes long, and then waits for four times as long, up
 * to here, so that more calls of each share one.
 */
const POST_MOST_MS = 2000
/**
 * How long calls wait to be added to the sums of their hour, day, model and key: ten times as long as that takes, within these bounds. A process
 * with nothing of its own looks for what others left at the upper one.
 */
const SUM_MS = 200
const SUM_MOST_MS = 15_000
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
  const repeat = (pause: () => number, work: () => Promise<void>, what: string) => {
    let timer: NodeJS.Timeout
    let running: Promise<void> = Promise.resolve()
    const again = () => {
      timer = setTimeout(() => {
        running = work()
          .catch((error: unknown) => log.warn({ err: error }, what))
          .finally(() => {
            if (!stopped) again()
          })
      }, pause())
      timer.unref()
    }
    again()
    return async () => {
      clearTimeout(timer)
      await running
    }
  }
  await addNode(sql, node)
  beatAt = Date.now()
  let charged = false
  let posting: Promise<unknown> = Promise.resolve()
  let postTook = 0
  /** One at a time: who asks while one runs waits for it, and then for the rest. */
  const post = async (): Promise<void> => {
    await posting.catch(() => {})
    if (!charged) return
    charged = false
    const began = performance.now()
    posting = postAll(sql)
    await posting.catch((error: unknown) => {
      charged = true
      throw error
    })
    postTook = performance.now() - began
  }
  let unsummed = false
  let summedAt = 0
  let sumTook = 0
  const addUp = async (): Promise<void> => {
    const began = performance.now()
    if (!unsummed && began - summedAt < SUM_MOST_MS) return
    unsummed = false
    await sumUsage(sql).catch((error: unknown) => {
      unsummed = true
      throw error
    })
    summedAt = performance.now()
    sumTook = summedAt - began
  }
  const stops = [
    repeat(() => Math.min(POST_MOST_MS, Math.max(POST_MS, 4 * postTook)), post, 'charges could not be posted'),
    repeat(() => Math.min(SUM_MOST_MS, Math.max(SUM_MS, 10 * sumTook)), addUp, 'calls could not be added up'),
    repeat(() => Math.min(BEAT_MS, deadMs / 5), beatOnce, 'heartbeat failed'),
    repeat(() => TEND_MS, purses.tend, 'leases could not be tended'),
  ]

  const settle = async (call: SettledCall) => {
    const ours = live.delete(call.callId)
    if (ours) purses.end(call.leaseId, call.held, call.amount)
    await committer.settle(call)
    charged = true
    unsummed = true
    if (ours) purses.posted(call.leaseId)
  }
  const release = (call: ReservedCall, outcome: SettledCall['outcome'], status: number) => settle({ ...NOTHING_USED, ...call, outcome, status })

  return {
    node,
    admit: (key, amount, least) =>
      stopped || Date.now() - beatAt > deadMs / 2 || committer.backlog() > BACKLOG ? 'unavailable' : purses.admit(key, amount, least),
    free: purses.free,
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
    isWaiting: committer.isWaiting,
    settle,
    release,
    giveBack: purses.giveBack,
    recalled: (payload) => {
      const [account, from] = payload.split(' ')
      if (account && from !== node) purses.recall(BigInt(account))
    },
    backlog: committer.backlog,
    post,
    stop: async () => {
      stopped = true
      for (const stop of stops) await stop()
      await committer.drain()
      await post()
      await addUp()
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
