import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { NOTHING, type Counts, type Dialect } from '../read/ask.ts'
import type { JsonObject } from '../read/json.ts'
import { systemClock, type Clock } from '../clock.ts'

/**
 * The sandbox vendor's own book: what was generated and what it bills, independent of our ledger, so that the two can
 * be compared. Append-only JSON lines, two a call. Each line is one completed write() with O_APPEND: it survives
 * kill -9 of the process (not a power cut: there is no fsync). A call still running when the process died is closed at
 * the next start as `failed` and billed nothing: the vendor itself broke down.
 */
export interface Entry {
  /** Unique for each request the sandbox saw; a retried call has several. */
  readonly requestId: string
  /** Our own call id from the header, else the request id. */
  readonly callId: string
  readonly dialect: Dialect | 'openai-realtime' | 'gemini-live'
  readonly model: string
  readonly stream: boolean
  /** aborted: the caller left before the end. failed: the sandbox broke it off or refused. */
  readonly status: 'running' | 'finished' | 'aborted' | 'failed'
  readonly httpStatus: number
  readonly fault: string | undefined
  readonly generated: Counts
  readonly billed: Counts
  /** Billed usage in the vendor's own form, where counts alone do not suffice (sockets). */
  readonly usage?: JsonObject
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number | undefined
}

export interface ModelBook {
  start(entry: Omit<Entry, 'status' | 'httpStatus' | 'generated' | 'billed' | 'usage' | 'endedAt'>): void
  /** Once per request; a second end is ignored. */
  end(requestId: string, end: Pick<Entry, 'status' | 'httpStatus' | 'generated' | 'billed' | 'usage'>): void
  find(callId: string): readonly Entry[]
  /** Entries started at or after `since`, oldest first, at most `limit`. */
  list(since: number, limit?: number): readonly Entry[]
  close(): void
}

/** Entries kept in memory; older ones stay in the file. */
const REMEMBERED = 50_000
const TAIL_BYTES = 64 * 1024 * 1024

/** Without a path the book lives in memory only. */
export function openBook(path?: string, clock: Clock = systemClock): ModelBook {
  const entries = new Map<string, Entry>()
  const byCall = new Map<string, string[]>()
  const file = path === undefined ? undefined : openSync(path, 'a', 0o600)

  function remember(entry: Entry): void {
    if (!entries.has(entry.requestId)) {
      const ids = byCall.get(entry.callId)
      if (ids) ids.push(entry.requestId)
      else byCall.set(entry.callId, [entry.requestId])
    }
    entries.set(entry.requestId, entry)
    if (entries.size > REMEMBERED) forgetOldest()
  }
  function forgetOldest(): void {
    for (const entry of entries.values()) {
      entries.delete(entry.requestId)
      byCall.delete(entry.callId)
      return
    }
  }
  function write(entry: Entry): void {
    remember(entry)
    if (file !== undefined) writeSync(file, `${JSON.stringify(entry)}\n`)
  }

  if (path !== undefined && file !== undefined) {
    const text = tailOf(path)
    for (const line of text.split('\n')) {
      const entry = parse(line)
      if (entry) remember(entry)
    }
    // A torn line must not swallow the next one.
    if (text && !text.endsWith('\n')) writeSync(file, '\n')
    const open = Array.from(entries.values()).filter((entry) => entry.status === 'running')
    for (const entry of open) {
      write({ ...entry, status: 'failed', httpStatus: 500, endedAt: clock.now().getTime() })
    }
  }

  return {
    start(entry) {
      write({ ...entry, status: 'running', httpStatus: 0, generated: NOTHING, billed: NOTHING, endedAt: undefined })
    },
    end(requestId, end) {
      const entry = entries.get(requestId)
      if (entry?.status === 'running') write({ ...entry, ...end, endedAt: clock.now().getTime() })
    },
    find: (callId) => (byCall.get(callId) ?? []).flatMap((id) => entries.get(id) ?? []),
    list: (since, limit = 10_000) => [...entries.values()].filter((entry) => entry.startedAt >= since).slice(0, limit),
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

/** The newest lines; what lies further back stays in the file, unread. */
function tailOf(path: string): string {
  const { size } = statSync(path)
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
  const file = openSync(path, 'r')
  readSync(file, tail, 0, tail.length, size - tail.length)
  closeSync(file)
  return tail.toString()
}

/** A torn last line (a write cut by the kernel's own end) is skipped. */
function parse(line: string): Entry | undefined {
  if (!line) return undefined
  try {
    return JSON.parse(line) as Entry
  } catch {
    return undefined
  }
}
