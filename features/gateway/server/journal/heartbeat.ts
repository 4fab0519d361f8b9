import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { createId } from '#platform/shared/ids.ts'
import { recordHeartbeat, takeOverNode } from './data-nodes.ts'
import { withWriteTimeout } from './writing/database-errors.ts'

/** Name of this process as a node, and its heartbeat. */
export interface Heartbeat {
  node(): string
  /** Sends one heartbeat. If the database reports that this process was declared dead, it continues under a new name. */
  beat(): Promise<void>
  /** Milliseconds until the next heartbeat. */
  pause(): number
  /** True if the last heartbeat is so old that another process may declare this one dead before the next. */
  isUnsure(): boolean
}

const BEAT_MS = 1000
/** Interval while calls are refused because the heartbeat is late. */
const UNSURE_BEAT_MS = 200
/** A heartbeat without a reply in this time is retried on another connection. */
const BEAT_TIMEOUT_MS = 5000

/** Creates the heartbeat. `onDeath`: leases drawn under the old name serve no new calls; calls under way keep theirs. */
export function createHeartbeat({ sql, log, deadMs, onDeath }: { sql: Sql; log: Log; deadMs: number; onDeath: () => void }): Heartbeat {
  let node = createId('node')
  /** Chosen once per death, so that a return whose reply was lost can be repeated. */
  let next: string | undefined
  let beatAt = readClocks()
  const isUnsure = () => isOlder(beatAt, deadMs / 2)
  const comeBack = async (): Promise<void> => {
    const was = node
    next ??= createId('node')
    onDeath()
    const taken = await withWriteTimeout(BEAT_TIMEOUT_MS, takeOverNode(sql, was, next))
    node = next
    next = undefined
    countEvent('gateway.node_returned')
    log.warn({ was, node, ...taken }, 'this process was declared dead: it continues under a new name and ends what it had begun')
  }
  return {
    node: () => node,
    pause: () => Math.min(isUnsure() ? UNSURE_BEAT_MS : BEAT_MS, deadMs / 5),
    isUnsure,
    beat: async () => {
      const asked = readClocks()
      if (!(await withWriteTimeout(BEAT_TIMEOUT_MS, recordHeartbeat(sql, node)))) await comeBack()
      beatAt = asked
    },
  }
}

/** Compares both clocks: the monotonic one stops while a machine is suspended, the other may be set back. */
interface ClockReading {
  readonly wall: number
  readonly steady: number
}
const readClocks = (): ClockReading => ({ wall: Date.now(), steady: performance.now() })
const isOlder = ({ wall, steady }: ClockReading, ms: number): boolean => Date.now() - wall > ms || performance.now() - steady > ms
