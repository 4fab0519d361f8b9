import type { Deps, Handler } from '#platform/server/feature.ts'
import type { countsContract, IndexCount } from '../../contract-counts.ts'
import { indexCountsSetting } from '../settings.ts'

const KEEP_MS = 600_000
const cache = new WeakMap<Deps['db'], Map<IndexCount, { readonly until: number; readonly count: Promise<number> }>>()

/** Rounds down to two significant digits: 12,987 is 12,000. */
export function roundDown(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(count, 1))) - 1)
  return Math.floor(count / step) * step
}

export const indexCount: Handler<typeof countsContract.indexCount> = async (ctx, { type }) => {
  if (!(await ctx.settings.get(indexCountsSetting)).includes(type)) return { type, count: null }
  return { type, count: roundDown(await countCached(ctx, type)) }
}

/** Cached for ten minutes per process, whatever the number of visitors. A failure is not cached. */
function countCached(deps: Deps, type: IndexCount): Promise<number> {
  const mine = cache.get(deps.db) ?? new Map()
  cache.set(deps.db, mine)
  const now = deps.clock.now().getTime()
  const known = mine.get(type)
  if (known && known.until > now) return known.count
  const count = Promise.resolve(deps.counted?.get(type)?.(deps) ?? 0)
  mine.set(type, { until: now + KEEP_MS, count })
  count.catch(() => mine.delete(type))
  return count
}
