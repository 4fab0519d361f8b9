import { setTimeout as sleep } from 'node:timers/promises'
import { answerTo } from './answer.ts'
import { NOTHING, type Ask, type Counts } from './read/ask.ts'
import type { ModelBook } from './book/book.ts'
import type { Clock } from './clock.ts'
import { createDialects } from './write/dialects.ts'
import type { Prepared } from './write/prepared.ts'
import { Refused, refusal, type Cause } from './write/errors.ts'
import { writeJson } from './write/http-answer.ts'
import type { ModelFault, Knobs } from './read/knobs.ts'
import { play, type Played } from './play.ts'
import { createPromptCache } from './prompt-cache.ts'
import { countsOf } from './write/reply.ts'
import type { Body, Visit } from './visit.ts'

export interface GeneratorOptions {
  readonly book: ModelBook
  readonly clock: Clock
  readonly chunkMs: number
  readonly twin?: string | undefined
}

/** Bodies whose faults are counted for `times`. */
const COUNTED = 5_000
const STATUS_FAULTS: readonly ModelFault[] = [
  'bad-request',
  'unauthorized',
  'no-credit',
  'forbidden',
  'not-found',
  'too-large',
  'rate-limit',
  'error',
  'unavailable',
  'overloaded',
  'timeout',
]

export function createGenerator({
  book,
  clock,
  chunkMs,
  twin,
}: GeneratorOptions): (visit: Visit, body: Body, headers: Record<string, string>) => Promise<void> {
  const cache = createPromptCache(clock)
  const dialects = createDialects(chunkMs)
  const tries = new Map<string, number>()
  let serial = 0

  /** The fault of this request; `times` lets it happen to the first few requests with the same body only. */
  function faultOf(knobs: Knobs, hash: string): ModelFault | undefined {
    if (knobs.at !== undefined && knobs.at !== twin) return undefined
    if (!knobs.fault || knobs.times === undefined) return knobs.fault
    const seen = tries.get(hash) ?? 0
    tries.set(hash, seen + 1)
    if (tries.size > COUNTED) tries.delete(tries.keys().next().value!)
    return seen < knobs.times ? knobs.fault : undefined
  }

  return async (visit, body, headers) => {
    const prepared = dialects.prepare(visit, body)
    if ('json' in prepared) return writeJson(visit.res, 200, headers, prepared.json)
    const { ask } = prepared
    const fault = faultOf(ask.knobs, body.hash)
    book.start({
      requestId: visit.requestId,
      callId: visit.callId,
      dialect: ask.dialect,
      model: ask.model,
      stream: ask.stream,
      fault,
      startedAt: clock.now().getTime(),
    })
    const end = (played: Played, httpStatus: number) => book.end(visit.requestId, { ...played, httpStatus })
    const nothing = (status: Played['status']): Played => ({ status, generated: NOTHING, billed: NOTHING })
    try {
      const refused = await early(visit, ask.knobs, fault, headers)
      if (refused !== undefined) return end(nothing('failed'), refused)
      const calm: Ask = { ...ask, knobs: { ...ask.knobs, fault } }
      const now = clock.now().getTime()
      const reply = prepared.write(calm, countsFor(prepared, calm, visit), { id: `${body.hash} ${now} ${serial++}`, created: Math.floor(now / 1000) })
      if (!ask.stream && (fault === 'mid-error' || fault === 'mid-failed')) throw new Refused('error')
      end(await play(visit.res, { reply, stream: ask.stream, knobs: ask.knobs, fault, headers, billsAfterAbort: visit.endpoint.surface === 'gemini' }), 200)
    } catch (error) {
      end(nothing('failed'), 500)
      throw error
    }
  }

  function countsFor(prepared: Prepared, ask: Ask, visit: Visit): { answers: ReturnType<typeof answerTo>[]; counts: Counts } {
    const input = ask.blocks.reduce((sum, block) => sum + block.tokens, 0)
    if (prepared.counts !== undefined) return { answers: [], counts: prepared.counts }
    if (!prepared.answers) return { answers: [], counts: { ...NOTHING, input } }
    const answers = Array.from({ length: ask.answers }, (_, variant) => answerTo(ask, variant))
    const scope = `${visit.key}\0${ask.model}`
    const read = ask.dialect === 'anthropic-messages' ? cache.marked(scope, ask.blocks) : cache.implicit(scope, ask.blocks)
    return { answers, counts: countsOf(input, read, answers) }
  }
}

/** Faults that come before any answer. Returns the HTTP status it ended with, or undefined to go on. */
async function early(
  { res, endpoint, requestId }: Visit,
  knobs: Knobs,
  fault: ModelFault | undefined,
  headers: Record<string, string>,
): Promise<number | undefined> {
  if (!fault) return undefined
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  const wait = (ms: number) => sleep(ms, undefined, { signal: gone.signal, ref: false }).catch(() => undefined)
  if (fault === 'close') {
    res.socket?.destroy()
    return 0
  }
  if (fault === 'hang') {
    await wait(900_000)
    res.destroy()
    return 0
  }
  if (fault !== 'html' && !STATUS_FAULTS.includes(fault)) return undefined
  if (knobs.first) await wait(knobs.first)
  if (res.destroyed) return 0
  if (fault === 'html') {
    res.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' })
    res.end('<!doctype html><title>Bad gateway</title><h1>502 Bad Gateway</h1>\n')
    return 200
  }
  const { status, body } = refusal(endpoint.surface, fault as Cause, { requestId })
  const retry = knobs.retry ?? (fault === 'rate-limit' ? 1 : undefined)
  writeJson(res, status, retry === undefined ? headers : { ...headers, 'retry-after': String(retry) }, body)
  return status
}
