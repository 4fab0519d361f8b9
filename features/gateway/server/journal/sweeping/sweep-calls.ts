import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { readGatewayConfig } from '../../config.ts'
import { pingDatabase } from '../../keys/data.ts'
import { resolveCallOutcome } from './resolve-outcome.ts'
import { sweepTakes } from '../../quota/data-quota.ts'
import { sweepDeadLeases } from './sweeper.ts'
import { createUpstreams } from '../../upstreams/upstreams.ts'
import type { Upstreams } from '../../upstreams/upstreams.ts'

interface Watch {
  readonly upstreams: Upstreams
  steadySince: number
  lastAt: number
}
const watches = new WeakMap<Deps['db'], Watch>()

/**
 * Runs one sweep. Starts only after sweeping has run steadily for as long as a process may be silent: while the database was down, no
 * process could send a heartbeat.
 */
export async function sweepCalls(deps: Deps): Promise<void> {
  const config = readGatewayConfig(deps.config)
  const now = Date.now()
  let watch = watches.get(deps.db)
  if (!watch) watches.set(deps.db, (watch = { upstreams: createUpstreams(deps), steadySince: now, lastAt: now }))
  if (now - watch.lastAt > config.GATEWAY_NODE_DEAD_MS / 2) watch.steadySince = now
  watch.lastAt = now
  const { upstreams } = watch
  try {
    // A successful ping proves that the database is reachable.
    await pingDatabase(deps.db)
    if (now - watch.steadySince < config.GATEWAY_NODE_DEAD_MS) return
    // Read only if a process has died with calls open, and once for all of them.
    let read: Promise<void> | undefined
    await sweepDeadLeases({
      db: deps.db,
      log: deps.log,
      deadMs: config.GATEWAY_NODE_DEAD_MS,
      returnMs: config.GATEWAY_RETURN_MS,
      silentMs: config.GATEWAY_SILENT_MS,
      fateOf: async (call) => {
        await (read ??= upstreams.reload(deps.db, false))
        return resolveCallOutcome(deps.db, upstreams, call)
      },
    })
    const { strays } = await sweepTakes(deps.db, config.GATEWAY_NODE_DEAD_MS)
    if (strays) {
      countEvent('gateway.stray_takes')
      deps.log.warn({ strays }, 'places within limits were held by calls that are not open')
    }
  } catch (error) {
    watch.steadySince = Date.now()
    throw error
  }
}
