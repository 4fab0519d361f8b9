import type { Log } from '#platform/server/log.ts'
import type { RefusedCallRecord } from '../hot/deps.ts'

/** One write to the database: some refused calls as rows, all of them counted by account, hour, key and model. */
export interface RefusedBatch {
  readonly rows: readonly RefusedCallRecord[]
  readonly counts: readonly RefusedCount[]
}
export interface RefusedCount {
  readonly accountId: bigint
  /** Unix milliseconds. */
  readonly hour: number
  readonly keyId: string
  readonly model: string
  calls: number
  /** Number of these calls that are stored as rows. */
  kept: number
}

interface RecorderOptions {
  readonly write: (batch: RefusedBatch) => Promise<void>
  readonly log: Pick<Log, 'warn'>
}

/** Limits on rows that a process stores per key and minute, and per account and hour; further calls are only counted. */
export const MAX_ROWS_PER_MINUTE = 20
export const MAX_ROWS_PER_HOUR = 300
/** Limit on counts by key and model that a process creates per account and hour; further calls are counted without their model. */
export const MAX_NAMES_PER_HOUR = 500
/** Limits on waiting rows and counts; while they are reached, further calls are dropped. */
const MAX_QUEUED_ROWS = 2_000
const MAX_QUEUED_COUNTS = 5_000
const WRITE_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Queues refused calls for the database, off the path of calls. Recording one takes a few lookups; a million of them cost 20 rows a
 * minute and one statement a second. Unwritten ones are lost when the process dies.
 */
export function createRefusalRecorder({ write, log }: RecorderOptions) {
  let rows: RefusedCallRecord[] = []
  let counts = new Map<string, RefusedCount>()
  const byKey = createRateCap(MINUTE_MS, MAX_ROWS_PER_MINUTE)
  const byAccount = createRateCap(HOUR_MS, MAX_ROWS_PER_HOUR)
  const names = createNameCap()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const flush = async () => {
    timer = undefined
    const batch = { rows, counts: [...counts.values()] }
    rows = []
    counts = new Map()
    if (batch.counts.length === 0) return
    await write(batch).catch((error: unknown) => log.warn({ err: error, rows: batch.rows.length }, 'refused calls were not written'))
  }
  const countOf = (call: RefusedCallRecord): RefusedCount | undefined => {
    const hour = Math.floor(call.at / HOUR_MS) * HOUR_MS
    const model = names.has(call) ? call.model : ''
    const name = `${hour} ${call.keyId} ${model}`
    const known = counts.get(name)
    if (known !== undefined || counts.size >= MAX_QUEUED_COUNTS) return known
    const made = { accountId: call.accountId, hour, keyId: call.keyId, model, calls: 0, kept: 0 }
    counts.set(name, made)
    return made
  }

  return {
    note(call: RefusedCallRecord): void {
      const count = countOf(call)
      if (count === undefined) return
      count.calls++
      if (rows.length < MAX_QUEUED_ROWS && byKey.takes(call.keyId, call.at) && byAccount.takes(String(call.accountId), call.at)) {
        count.kept++
        rows.push(call)
      }
      timer ??= setTimeout(() => {
        writing = writing.then(flush)
      }, WRITE_MS).unref()
    },
    /** Writes the waiting rows and counts. */
    async stop(): Promise<void> {
      clearTimeout(timer)
      await writing
      await flush()
    },
  }
}

/** Creates a rate limiter: at most `most` per name and period; names of past periods are forgotten. */
function createRateCap(ms: number, most: number) {
  let until = 0
  let taken = new Map<string, number>()
  return {
    takes(name: string, at: number): boolean {
      if (at >= until) {
        taken = new Map()
        until = (Math.floor(at / ms) + 1) * ms
      }
      const now = taken.get(name) ?? 0
      if (now >= most) return false
      taken.set(name, now + 1)
      return true
    },
  }
}

/** Models of keys with their own counts this hour; bounded, so that trying every model with every key does not fill the table. */
function createNameCap() {
  let hour = 0
  let known = new Map<bigint, Set<string>>()
  return {
    has({ accountId, keyId, model, at }: RefusedCallRecord): boolean {
      const now = Math.floor(at / HOUR_MS)
      if (now !== hour) {
        hour = now
        known = new Map()
      }
      let names = known.get(accountId)
      if (names === undefined) known.set(accountId, (names = new Set()))
      const name = `${keyId} ${model}`
      if (names.size < MAX_NAMES_PER_HOUR) names.add(name)
      return names.has(name)
    },
  }
}
