import type { Entry, ModelBook } from './book.ts'
import type { Json, JsonObject } from '../read/json.ts'
import { refuse } from '../write/errors.ts'
import { usageFor } from '../usage.ts'

/**
 * `?call=ID`: what became of a call, LookedUpCall plus its entries (a retried call has several; the usage is that of
 * the last one that was billed). `?since=MS&limit=N`: entries from then on, oldest first.
 */
export function answerBook(book: ModelBook, query: URLSearchParams): Json {
  const call = query.get('call')
  if (call !== null) return lookedUp(book.find(call))
  const since = Number(query.get('since') ?? Number.NaN)
  if (!Number.isFinite(since)) refuse('call or since is required')
  const limit = Math.min(50_000, Math.max(1, Number(query.get('limit') ?? 10_000) || 10_000))
  return { entries: book.list(since, limit).map(asJson) }
}

function lookedUp(entries: readonly Entry[]): JsonObject {
  const last =
    entries.findLast(({ billed }) => billed.input + billed.output + (billed.characters ?? 0) + (billed.seconds ?? 0) + (billed.searches ?? 0) > 0) ??
    entries.at(-1)
  const finished = entries.length > 0 && entries.every((entry) => entry.status !== 'running')
  return {
    known: entries.length > 0,
    finished,
    dialect: last?.dialect ?? null,
    usage: last && finished ? usageOf(last) : null,
    entries: entries.map(asJson),
  }
}

function usageOf({ usage, dialect, billed }: Entry): JsonObject {
  if (usage !== undefined) return usage
  // Sockets always say their usage; what is left is billed nothing.
  return dialect === 'openai-realtime' || dialect === 'gemini-live' ? {} : usageFor(dialect, billed)
}

function asJson(entry: Entry): JsonObject {
  return { ...entry, fault: entry.fault ?? null, endedAt: entry.endedAt ?? null, generated: { ...entry.generated }, billed: { ...entry.billed } }
}
