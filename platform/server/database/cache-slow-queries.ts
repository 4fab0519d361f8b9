import type { Sql } from './db.ts'

const KEEP_FACTOR = 100
const SLOW_MS = 500

interface CachedResult {
  readonly answer: Promise<unknown>
  /** Infinity while the query runs. */
  until: number
}

/**
 * Caches the results of slow queries: one that took 500 ms or more is kept for a hundred times its duration, so it uses at most a hundredth of the
 * database's time however often pages ask. Concurrent calls share one query; fast results are not cached. `now` is for tests.
 */
export function cacheSlowQueries<A>(ask: (sql: Sql, ...of: readonly string[]) => Promise<A>, now: () => number = () => performance.now()) {
  const known = new WeakMap<Sql, Map<string, CachedResult>>()
  return (sql: Sql, ...of: readonly string[]): Promise<A> => {
    const kept = known.get(sql) ?? new Map<string, CachedResult>()
    known.set(sql, kept)
    for (const [key, { until }] of kept) if (until <= now()) kept.delete(key)
    const key = JSON.stringify(of)
    const held = kept.get(key)
    if (held) return held.answer as Promise<A>
    const began = now()
    const mine: CachedResult = { answer: ask(sql, ...of), until: Infinity }
    kept.set(key, mine)
    const settled = (until: number) => {
      mine.until = until
      if (until <= now()) kept.delete(key)
    }
    mine.answer.then(
      () => settled(now() - began < SLOW_MS ? 0 : now() + (now() - began) * KEEP_FACTOR),
      () => settled(0),
    )
    return mine.answer as Promise<A>
  }
}
