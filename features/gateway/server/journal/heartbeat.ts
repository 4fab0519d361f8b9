import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { createId } from '#platform/shared/ids.ts'
import { recordHeartbeat, takeOverNode } from './data-nodes.ts'
import { withWriteTimeout } from './writing/database-errors.ts'

/** The name under which this process is known to others, and its heartbeat. */
export interface Heartbeat {
  node(): string
  /** Beats once; learns from the database when this process was declared dead, and continues under a new name. */
  beat(): Promise<void>
  /** Ms until the next beat. */
  pause(): number
  /** The last beat is so old that another process may declare this one dead before the next. */
  isUnsure(): boolean
}

const BEAT_MS = 1000
/** While calls are refused for want of a beat. */
const UNSURE_BEAT_MS = 200
/** A beat that is not answered in this time is tried again on another connection. */
const BEAT_TIMEOUT_MS = 5000

/** `onDeath`: leases drawn under the old name promise nothing from now on; calls under way keep theirs. */
export function createHeartbeat({ sql, log, deadMs, onDeath }: { sql: Sql; log: Log; deadMs: number; onDeath: () => void }): Heartbeat {
  let node = createId('node')
  /** Chosen once a death, so that a return whose reply was lost can be repeated. */
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

/** By both clocks: the monotonic one stands still while a machine is suspended, the other may be set back. */
interface ClockReading {
  readonly wall: number
  readonly steady: number
}
const readClocks = (): ClockReading => ({ wall: Date.now(), steady: performance.now() })
const isOlder = ({ wall, steady }: ClockReading, ms: number): boolean => Date.now() - wall > ms || performance.now() - steady > ms
