import type { Db, Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { openListenConnection, selectKeysByHash } from './data.ts'
import { selectCallFreezes } from '#features/account/server/door.ts'
import { addKeyStops } from './data-limits.ts'
import type { ApiKey } from '../hot/deps.ts'

/**
 * Keys by hex hash whose users may act; marked if only the user's calls are frozen. Users are read after the keys, and a freeze
 * notifies every process (`account_status`), so no key slips in between.
 */
export async function loadLiveKeys(sql: Sql, hashes: readonly string[]): Promise<ReadonlyMap<string, ApiKey>> {
  const keys = await selectKeysByHash(sql, hashes)
  if (!keys.size) return keys
  const frozen = await selectCallFreezes(sql, [...new Set([...keys.values()].map((key) => key.userId))])
  if (frozen.size)
    for (const [hash, key] of keys) {
      const why = frozen.get(key.userId)
      if (why === 'account') keys.delete(hash)
      if (why === 'calls') keys.set(hash, { ...key, limits: addKeyStops(key.limits, { callsFrozen: true }) })
    }
  return keys
}

/** Receives notifications from the database on a dedicated connection. */
export interface Listener {
  /** True while delivery is certain: the last round trip began less than `FRESH_MS` ago. */
  sure(): boolean
  stop(): Promise<void>
}

export type ChannelHandlers = Readonly<Record<string, (payload: string) => void>>

const PING_MS = 200
const FRESH_MS = 700
const RETRY_MS = 200

/** Connects, and reconnects until stopped; `onGap` runs after each connection, since notifications may have been missed before it. */
export function startListener(db: Db, channels: ChannelHandlers, { onGap, log }: { readonly onGap: () => void; readonly log: Log }): Listener {
  let sureSince = 0
  let stopped = false
  let close: (() => Promise<void>) | undefined
  const pause = (ms: number) =>
    new Promise<void>((done) => {
      setTimeout(done, ms).unref()
    })

  const run = async () => {
    while (!stopped) {
      try {
        const connection = await openListenConnection(db, Object.keys(channels), (channel, payload) => channels[channel]?.(payload))
        close = connection.close
        onGap()
        while (!stopped) {
          const asked = Date.now()
          await connection.ping(FRESH_MS)
          sureSince = asked
          await pause(PING_MS)
        }
      } catch (error) {
        if (!stopped) log.warn({ err: error }, 'gateway LISTEN connection lost')
      }
      sureSince = 0
      await close?.()
      close = undefined
      if (!stopped) await pause(RETRY_MS)
    }
  }
  const running = run()
  return {
    sure: () => Date.now() - sureSince < FRESH_MS,
    stop: async () => {
      stopped = true
      await close?.()
      await running
    },
  }
}
