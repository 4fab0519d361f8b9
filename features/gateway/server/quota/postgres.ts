import { subtractNano } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Db } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import type { Gauge, KeyQuota, QuotaAnswer, QuotaRequest } from '../hot/deps.ts'
import { recordBudgetRefusal } from '../alerts/data-alerts.ts'
import { probeTake, endTakes, renewTakes, takeCalls } from './data-quota.ts'
import type { EndedCall, TakeRow } from './data-quota.ts'

/** Batches work: items that arrive while a round trip is under way join the next one. */
interface Batcher<T, R> {
  add(item: T): Promise<R>
  /** Number of items without a result. */
  readonly size: number
}

interface WaitingItem<T, R> {
  readonly item: T
  readonly answer: (value: R | Promise<never>) => void
}

/**
 * Creates a batcher. `run` returns results in the order of its items, an error for each that failed. At most `flights` run at once, each
 * with at most `most` items.
 */
function createBatcher<T, R>(run: (items: readonly T[]) => Promise<readonly (R | Error)[]>, flights = 2, most = 500): Batcher<T, R> {
  let queue: WaitingItem<T, R>[] = []
  let flying = 0
  let size = 0
  let scheduled = false

  const fly = async (batch: readonly WaitingItem<T, R>[]) => {
    try {
      const answers = await run(batch.map((one) => one.item))
      for (const [i, one] of batch.entries()) {
        const answer = answers[i]!
        one.answer(answer instanceof Error ? Promise.reject(answer) : answer)
      }
    } catch (error) {
      for (const one of batch) one.answer(Promise.reject(error as Error))
    } finally {
      flying--
      size -= batch.length
      start()
    }
  }
  const start = () => {
    scheduled = false
    while (queue.length && flying < flights) {
      const batch = queue.slice(0, most)
      queue = queue.slice(most)
      flying++
      void fly(batch)
    }
  }
  return {
    add: (item) =>
      new Promise<R>((answer) => {
        size++
        queue.push({ item, answer })
        if (scheduled) return
        scheduled = true
        // Start at the end of this turn, so that items from the same socket read share a batch.
        setImmediate(start)
      }),
    get size() {
      return size
    },
  }
}

export interface RunningQuota extends KeyQuota {
  /** Resolves when all reported ends are written, or after 5 s. */
  stop(): Promise<void>
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = '23505'
const BACKOFF_MS = [50, 200, 1000, 3000]
const STOP_MS = 5000
const NOTED_MS = 60_000

/** Counts in PostgreSQL: one round trip for all waiting calls at their start, another at their end. */
export function createPostgresQuota(sql: Db, node: () => string, log: Log): RunningQuota {
  const owed = createEndQueue(sql)
  const budgetRefused = createBudgetRefusalLog(sql, log)
  const takeAll = async (asks: readonly QuotaRequest[]): Promise<(QuotaAnswer | Error)[]> => {
    try {
      const answers: QuotaAnswer[] = []
      for (const row of await takeCalls(sql, node(), asks)) {
        answers[row.n - 1] = toQuotaAnswer(asks[row.n - 1]!, row)
        if ((row.verdict === 'day' || row.verdict === 'month') && !canTakeLess(asks[row.n - 1]!, row)) budgetRefused(asks[row.n - 1]!, row.verdict)
      }
      return answers
    } catch (error) {
      if (!isNameTaken(error)) {
        // Possibly taken, but not used: end them later.
        owed.add(asks.map((ask) => ({ callId: ask.callId, tokens: 0 })))
        return asks.map(() => error as Error)
      }
      // Nothing was taken, because one of the ids exists already. Keep that one; retry the others one by one.
      if (asks.length === 1) return [error as Error]
      const answers: (QuotaAnswer | Error)[] = []
      for (const ask of asks) answers.push(...(await takeAll([ask])))
      return answers
    }
  }
  const takes = createBatcher<QuotaRequest, QuotaAnswer>(takeAll)
  const ends = createBatcher<EndedCall, void>(async (ended) => {
    await endTakes(sql, ended).catch((error: unknown) => {
      log.warn({ err: error, calls: ended.length }, 'ends of counted calls wait for the database')
      owed.add(ended)
    })
    return ended.map(() => undefined)
  })
  const keeps = createBatcher<string, boolean>(async (callIds) => {
    try {
      const kept = await renewTakes(sql, callIds)
      if (kept.size < callIds.length) log.warn({ calls: callIds.length - kept.size }, 'places of calls to come were taken for lost')
      return callIds.map((callId) => kept.has(callId))
    } catch (error) {
      log.warn({ err: error, calls: callIds.length }, 'places of calls to come were not kept')
      return callIds.map(() => true)
    }
  })

  return {
    take: takes.add,
    ask: async (ask) => toQuotaAnswer(ask, await probeTake(sql, node(), ask)),
    keep: ({ callId }) => keeps.add(callId),
    end: (taken, tokens) => ends.add({ callId: taken.callId, tokens }),
    stop: async () => {
      const until = Date.now() + STOP_MS
      while (ends.size && Date.now() < until)
        await new Promise((done) => {
          setTimeout(done, 10)
        })
      await owed.stop()
    },
  }
}

/** Ends not yet written to the database; retried until they are. */
function createEndQueue(sql: Db): { add(ended: readonly EndedCall[]): void; stop(): Promise<void> } {
  let owed: EndedCall[] = []
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const add = (ended: readonly EndedCall[]) => {
    owed.push(...ended)
    countEvent('gateway.quota_retry')
    timer ??= setTimeout(() => void pay(), BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)]).unref()
  }
  const pay = async (): Promise<void> => {
    timer = undefined
    const due = owed
    owed = []
    if (!due.length) return
    try {
      await endTakes(sql, due)
      failures = 0
    } catch {
      if (stopped) owed.push(...due)
      else add(due)
    }
  }
  return {
    add,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await pay()
    },
  }
}

/** Records refusing budgets for the alerts, at most once a minute: each is alerted only once. */
function createBudgetRefusalLog(sql: Db, log: Log): (ask: QuotaRequest, period: 'day' | 'month') => void {
  let noted = new Map<string, number>()
  return (ask, period) => {
    const name = `${ask.key.keyId} ${period}`
    const now = Date.now()
    if (now - (noted.get(name) ?? 0) < NOTED_MS) return
    if (noted.size > 10_000) noted = new Map()
    noted.set(name, now)
    const day = toShanghaiDay(ask.startedAt)
    recordBudgetRefusal(sql, ask.key.keyId, { period, starts: period === 'day' ? day : `${day.slice(0, 7)}-01` }).catch((error: unknown) => {
      log.warn({ err: error }, 'a budget that refused was not noted')
    })
  }
}

const isNameTaken = (error: unknown): boolean => (error as { readonly code?: unknown }).code === UNIQUE_VIOLATION

const canTakeLess = (ask: QuotaRequest, row: TakeRow): boolean =>
  ask.least !== undefined && ask.least < ask.held && subtractNano(row.bound!, row.used!) >= ask.least

function toQuotaAnswer(ask: QuotaRequest, row: TakeRow): QuotaAnswer {
  const standing = {
    requests: toGauge(row.requestsLimit, row.requestsLeft, row.requestsResetMs),
    tokens: toGauge(row.tokensLimit, row.tokensLeft, row.tokensResetMs),
  }
  if (row.verdict === 'taken') {
    const taken = { callId: ask.callId, keyId: ask.key.keyId, store: 'postgres', tokens: ask.tokens, second: Number(row.second) } as const
    return { taken, refusal: undefined, standing }
  }
  return {
    taken: undefined,
    refusal: { by: row.verdict, limit: row.bound!, used: row.used!, retryMs: row.retryMs === null ? undefined : Number(row.retryMs) },
    standing,
  }
}

function toGauge(limit: bigint | null, left: bigint | null, resetMs: bigint | null): Gauge | undefined {
  return limit === null ? undefined : { limit: Number(limit), left: Number(left ?? 0n), resetMs: Number(resetMs ?? 0n) }
}
