import { minus } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import type { Db } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import type { Gauge, Quota, QuotaAnswer, QuotaAsk } from '../hot/deps.ts'
import { noteRefused } from '../alerts/data-alerts.ts'
import { askTake, endTakes, takeCalls } from './data-quota.ts'
import type { EndedCall, TakeRow } from './data-quota.ts'
import { createGatherer } from './gather.ts'

export interface RunningQuota extends Quota {
  /** Resolves when every end that was told is written, or after some seconds. */
  stop(): Promise<void>
}

const BACKOFF_MS = [50, 200, 1000, 3000]
const STOP_MS = 5000
const NOTED_MS = 60_000

/** Counts in PostgreSQL: a round trip for all that wait at its beginning, another at its end. */
export function createPostgresQuota(sql: Db, node: string, log: Log): RunningQuota {
  /** Ends that the database did not hear of yet; told until it does. */
  let owed: EndedCall[] = []
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  /** For the alerts: a budget that refuses is told of once, so it is noted once a minute at most. */
  let noted = new Map<string, number>()
  const budgetRefused = (ask: QuotaAsk, period: 'day' | 'month') => {
    const name = `${ask.key.keyId} ${period}`
    const now = Date.now()
    if (now - (noted.get(name) ?? 0) < NOTED_MS) return
    if (noted.size > 10_000) noted = new Map()
    noted.set(name, now)
    const day = shanghaiDay(ask.startedAt)
    noteRefused(sql, ask.key.keyId, period, period === 'day' ? day : `${day.slice(0, 7)}-01`).catch((error: unknown) => {
      log.warn({ err: error }, 'a budget that refused was not noted')
    })
  }

  const takes = createGatherer<QuotaAsk, QuotaAnswer>(async (asks) => {
    try {
      const rows = await takeCalls(sql, node, asks)
      const answers: QuotaAnswer[] = []
      for (const row of rows) {
        answers[row.n - 1] = answerOf(asks[row.n - 1]!, row)
        if ((row.verdict === 'day' || row.verdict === 'month') && !asksAgain(asks[row.n - 1]!, row)) budgetRefused(asks[row.n - 1]!, row.verdict)
      }
      return answers
    } catch (error) {
      // Taken or not, nobody will use it.
      owe(asks.map((ask) => ({ callId: ask.callId, tokens: 0 })))
      throw error
    }
  })
  const ends = createGatherer<EndedCall, void>(async (ended) => {
    await endTakes(sql, ended).catch((error: unknown) => {
      log.warn({ err: error, calls: ended.length }, 'ends of counted calls wait for the database')
      owe(ended)
    })
    return ended.map(() => undefined)
  })

  const owe = (ended: readonly EndedCall[]) => {
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
      else owe(due)
    }
  }

  return {
    take: takes.add,
    ask: async (ask) => answerOf(ask, await askTake(sql, node, ask)),
    end: (taken, tokens) => ends.add({ callId: taken.callId, tokens }),
    stop: async () => {
      const until = Date.now() + STOP_MS
      while (ends.size && Date.now() < until)
        await new Promise((done) => {
          setTimeout(done, 10)
        })
      stopped = true
      clearTimeout(timer)
      await pay()
    },
  }
}

const asksAgain = (ask: QuotaAsk, row: TakeRow): boolean => ask.least !== undefined && ask.least < ask.held && minus(row.bound!, row.used!) >= ask.least

function answerOf(ask: QuotaAsk, row: TakeRow): QuotaAnswer {
  const standing = {
    requests: gaugeOf(row.requests_limit, row.requests_left, row.requests_reset_ms),
    tokens: gaugeOf(row.tokens_limit, row.tokens_left, row.tokens_reset_ms),
  }
  if (row.verdict === 'taken') {
    const taken = { callId: ask.callId, keyId: ask.key.keyId, store: 'postgres', tokens: ask.tokens, second: Number(row.second) } as const
    return { taken, refusal: undefined, standing }
  }
  return {
    taken: undefined,
    refusal: { by: row.verdict, limit: row.bound!, used: row.used!, retryMs: row.retry_ms === null ? undefined : Number(row.retry_ms) },
    standing,
  }
}

function gaugeOf(limit: bigint | null, left: bigint | null, resetMs: bigint | null): Gauge | undefined {
  return limit === null ? undefined : { limit: Number(limit), left: Number(left ?? 0n), resetMs: Number(resetMs ?? 0n) }
}
