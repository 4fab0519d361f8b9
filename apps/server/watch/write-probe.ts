import { connect } from '#platform/server/database/db.ts'
import { endBeat, writeBeat } from '#platform/server/database/beats.ts'
import type { Log } from '#platform/server/log.ts'

/** Result of the last write. */
export interface WriteResult {
  /** Start of the current failure; undefined while writes succeed. */
  readonly failingSince: number | undefined
  /** Time of the last successful write, and the age of the last alarm check at that time. */
  readonly at: number
  readonly lookAgeMs: number | undefined
}

export interface WriteProbe {
  last(): WriteResult
  stop(): Promise<void>
}

const PROBE_MS = 2_000
/** Failures are retried sooner, so that a recovered service is ready at once. */
const RETRY_MS = 500
/** Time limit for connecting and for the statement: a hung database counts as down. */
export const WRITE_TIMEOUT_MS = 1_000

interface ProbeOptions {
  readonly databaseUrl: string
  /** Stable over restarts, so that one process leaves one row. */
  readonly name: string
  readonly roles: readonly string[]
  readonly log: Pick<Log, 'warn' | 'info'>
  readonly onResult?: (written: WriteResult) => void
}

/** Writes one row every two seconds on a dedicated session: a full or hung pool says nothing about the database. */
export function startWriteProbe({ databaseUrl, name, roles, log, onResult }: ProbeOptions): WriteProbe {
  const db = connect(databaseUrl, { max: 1, name: 'mingxi-ready', answerMs: WRITE_TIMEOUT_MS })
  let last: WriteResult = { failingSince: undefined, at: performance.now(), lookAgeMs: undefined }
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const write = async (): Promise<void> => {
    try {
      const { lookAgeMs } = await writeBeat(db, name, roles)
      if (last.failingSince !== undefined) log.info({}, 'the database can be written again')
      last = { failingSince: undefined, at: performance.now(), lookAgeMs }
    } catch (error) {
      if (last.failingSince === undefined) log.warn({ err: error }, 'the database cannot be written')
      last = { ...last, failingSince: last.failingSince ?? performance.now() }
    }
    onResult?.(last)
  }
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = write().then(() => {
      if (!stopped) timer = setTimeout(run, last.failingSince === undefined ? PROBE_MS : RETRY_MS).unref()
    })
  }
  run()
  return {
    last: () => last,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
      await endBeat(db, name).catch(() => {})
      await db.close()
    },
  }
}
