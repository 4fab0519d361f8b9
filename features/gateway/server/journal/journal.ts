import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Log } from '#platform/server/log.ts'
import type { ApiKey, Journal, Lease, FundsRefusal, ReservedCall, SettledCall } from '../hot/deps.ts'
import { boundRisk } from './leases/at-risk.ts'
import { createCommitter } from './writing/committer.ts'
import type { Committer } from './writing/committer.ts'
import { createLeasePool } from './leases/lease-pool.ts'
import type { LeasePool } from './leases/lease-pool.ts'
import { addNode, removeNode } from './data-nodes.ts'
import { createHeartbeat } from './heartbeat.ts'
import type { Heartbeat } from './heartbeat.ts'
import { postAllCharges, sumUsage } from './data-posting.ts'

/** Deferred work of flushes, batched over many calls: posting charges to the ledger, adding rows to the sums. */
interface DeferredTask {
  /** Marks that a flush left work. */
  mark(): void
  run(): Promise<void>
  /** Milliseconds until the next run, based on the duration of the last one. */
  pause(): number
}

/** Delay before one posting moves all waiting charges of a lease to the ledger. */
const MIN_POST_WAIT_MS = 100
/**
 * Maximum delay of a posting. Its cost grows with accounts, not calls: with many accounts a posting takes long, and the next one waits four
 * times as long, up to this limit, so that it covers more calls of each account.
 */
const MAX_POST_WAIT_MS = 2000
/**
 * Bounds of the delay before calls are added to the sums of their hour, day, model and key: ten times the duration of the last run. A
 * process without own rows looks for those that others left at the upper bound.
 */
const MIN_SUM_WAIT_MS = 200
const MAX_SUM_WAIT_MS = 15_000

/**
 * Creates the task that posts charges to the ledger. One posting runs at a time: a caller that arrives during a run waits for it, and then
 * for the rest.
 */
function createPosting(sql: Sql): DeferredTask {
  let charged = false
  let posting: Promise<unknown> = Promise.resolve()
  let took = 0
  return {
    mark: () => {
      charged = true
    },
    run: async () => {
      await posting.catch(() => {})
      if (!charged) return
      charged = false
      const began = performance.now()
      posting = postAllCharges(sql)
      await posting.catch((error: unknown) => {
        charged = true
        throw error
      })
      took = performance.now() - began
    },
    pause: () => Math.min(MAX_POST_WAIT_MS, Math.max(MIN_POST_WAIT_MS, 4 * took)),
  }
}

/** Creates the task that adds usage rows to their sums. */
function createSummation(sql: Sql): DeferredTask {
  let unsummed = false
  let summedAt = 0
  let took = 0
  return {
    mark: () => {
      unsummed = true
    },
    run: async () => {
      const began = performance.now()
      if (!unsummed && began - summedAt < MAX_SUM_WAIT_MS) return
      unsummed = false
      await sumUsage(sql).catch((error: unknown) => {
        unsummed = true
        throw error
      })
      summedAt = performance.now()
      took = summedAt - began
    },
    pause: () => Math.min(MAX_SUM_WAIT_MS, Math.max(MIN_SUM_WAIT_MS, 10 * took)),
  }
}

/**
 * Repeats `work`, `pause()` ms after the end of each run; a failure is logged. The returned function stops it and waits for the current
 * run.
 */
function runPeriodically(
  pause: () => number,
  work: () => Promise<void>,
  { log, failed }: { readonly log: Pick<Log, 'warn'>; readonly failed: string },
): () => Promise<void> {
  let timer: NodeJS.Timeout
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  const again = () => {
    timer = setTimeout(() => {
      running = work()
        .catch((error: unknown) => log.warn({ err: error }, failed))
        .finally(() => {
          if (!stopped) again()
        })
    }, pause())
    timer.unref()
  }
  again()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

export interface RunningJournal extends Journal {
  /** Current name of this process as a node; it changes when the process was declared dead. */
  readonly node: string
  /** Handles the notification that another process wants this account's money: `<account> <node>`. */
  recalled(payload: string): void
  backlog(): number
  /** True while new calls are refused: the database accepts no rows, or this process may have been declared dead. */
  isRefusing(): boolean
  /** Posts charges to the ledger now; a timer does this every MIN_POST_WAIT_MS to MAX_POST_WAIT_MS. */
  post(): Promise<void>
  /** Writes pending rows and returns unused money. Calls that are still open are left to the sweeper. */
  stop(): Promise<void>
}

const TEND_MS = 500
/** Number of settlements waiting for the database beyond which new calls are refused. */
const MAX_BACKLOG = 200_000

interface State {
  readonly sql: Sql
  readonly log: Log
  readonly heart: Heartbeat
  readonly leasePool: LeasePool
  readonly committer: Committer
  readonly posting: DeferredTask
  readonly summation: DeferredTask
  /** Ids of calls with reserved money that have not ended in this process. */
  readonly live: Set<string>
  stopped: boolean
}

export interface JournalOptions {
  /** Silence without a heartbeat after which the sweeper takes over; this process stops admitting calls at half of it. */
  readonly deadMs: number
  /** Longest wait of a new call for the database, then it is refused; undefined: until this process stops admitting calls. */
  readonly refuseMs?: number
  /** Limit on the money of one account held by calls under way here; undefined: limited by its balance only. */
  readonly atRisk?: () => Nano | undefined
}

export async function createJournal(sql: Sql, log: Log, options: JournalOptions): Promise<RunningJournal> {
  const { deadMs, refuseMs = deadMs / 2, atRisk = () => undefined } = options
  const heart: Heartbeat = createHeartbeat({ sql, log, deadMs, onDeath: () => leasePool.loseAll() })
  const leasePool = boundRisk(createLeasePool({ sql, node: heart.node, log, refuseMs }), atRisk)
  const committer = createCommitter({ sql, node: heart.node, log, refuseMs })
  await addNode(sql, heart.node())
  const posting = createPosting(sql)
  const summation = createSummation(sql)
  const s: State = { sql, log, heart, leasePool, committer, posting, summation, live: new Set(), stopped: false }
  const stops = startTasks(s)
  return {
    get node() {
      return heart.node()
    },
    admit: (key, amount, least) => admit(s, key, { amount, floor: least }),
    free: (accountId) => leasePool.free(accountId),
    forgo: (lease, amount) => {
      leasePool.end(lease.leaseId, amount, 0n)
      leasePool.posted(lease.leaseId)
    },
    reserve: (call, soon) => reserve(s, call, soon),
    isWaiting: (callId) => committer.isWaiting(callId),
    settle: (call) => settle(s, call),
    release: (call, outcome, status) => release(s, call, { outcome, status }),
    giveBack: (leaseId, amount) => leasePool.giveBack(leaseId, amount),
    split: (leaseId) => leasePool.split(leaseId),
    isLost: (leaseId) => leasePool.isLost(leaseId),
    recalled: (payload) => {
      const [account, from] = payload.split(' ')
      if (account && from !== heart.node()) leasePool.recall(BigInt(account))
    },
    backlog: () => committer.backlog(),
    isRefusing: () => isUnsure(s) || committer.isStuck(),
    post: posting.run,
    stop: () => stop(s, stops),
  }
}

/** Starts the periodic tasks; each returned function stops one. */
const startTasks = (s: State): (() => Promise<void>)[] => [
  runPeriodically(s.posting.pause, s.posting.run, { log: s.log, failed: 'charges could not be posted' }),
  runPeriodically(s.summation.pause, s.summation.run, { log: s.log, failed: 'calls could not be added up' }),
  runPeriodically(s.heart.pause, s.heart.beat, { log: s.log, failed: 'heartbeat failed' }),
  runPeriodically(
    () => TEND_MS,
    () => s.leasePool.tend(),
    { log: s.log, failed: 'leases could not be tended' },
  ),
]

/** True while no call may be admitted: the journal is stopped, the sweeper may consider it dead, or the database does not keep up. */
const isUnsure = (s: State): boolean => s.stopped || s.heart.isUnsure() || s.committer.backlog() > MAX_BACKLOG

function admit(s: State, key: ApiKey, { amount, floor }: { readonly amount: Nano; readonly floor?: Nano }): ReturnType<Journal['admit']> {
  if (isUnsure(s)) return 'unavailable'
  return s.committer.isSlow() ? admitOnceQuick(s, key, { amount, floor }) : s.leasePool.admit(key, amount, floor)
}

async function admitOnceQuick(s: State, key: ApiKey, { amount, floor }: { readonly amount: Nano; readonly floor?: Nano }): Promise<Lease | FundsRefusal> {
  return (await s.committer.whenQuick()) && !isUnsure(s) ? s.leasePool.admit(key, amount, floor) : 'unavailable'
}

async function reserve(s: State, call: ReservedCall, soon: boolean): Promise<void> {
  s.live.add(call.callId)
  try {
    await s.committer.open(call, soon)
  } catch (error) {
    void release(s, call, { outcome: 'upstream_failed', status: 503 })
    throw error
  }
}

async function settle(s: State, call: SettledCall): Promise<void> {
  const ours = s.live.delete(call.callId)
  if (ours) s.leasePool.end(call.leaseId, call.held, call.amount)
  await s.committer.settle(call)
  s.posting.mark()
  s.summation.mark()
  if (ours) s.leasePool.posted(call.leaseId)
}

const release = (s: State, call: ReservedCall, { outcome, status }: { readonly outcome: SettledCall['outcome']; readonly status: number }): Promise<void> =>
  settle(s, { ...NOTHING_USED, ...call, outcome, status })

async function stop(s: State, stops: readonly (() => Promise<void>)[]): Promise<void> {
  s.stopped = true
  for (const end of stops) await end()
  await s.committer.drain()
  await s.posting.run()
  await s.summation.run()
  await s.leasePool.closeAll()
  await removeNode(s.sql, s.heart.node())
}

/** A call without use gets a row too, because customers look for it. */
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
