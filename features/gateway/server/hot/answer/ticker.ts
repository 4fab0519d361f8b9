import type { GatewayCall } from '../call.ts'
import type { HotDeps } from '../deps.ts'
import { DIALECTS } from '../dialects/index.ts'
import { requestsEvents } from '../http/query.ts'
import { isReadOnOver, stopReadingOn } from './leave.ts'
import { watchSilence } from '../settlement/owed.ts'
import { sendCallRefusal, writeChunk } from '../reply/reply.ts'
import { UNANSWERED_MESSAGE } from './whole.ts'

/** White space between the elements of a JSON array. */
const NEWLINE = Buffer.from('\n')

/** One timer for all calls: checks slow request bodies, silence towards clients, clients that do not read, and drains. */
export interface Ticker {
  wake(): void
}

export function createTicker(limits: HotDeps['limits'], calls: readonly GatewayCall[]): Ticker {
  const shortest = Math.min(limits.bodyMs, limits.keepaliveMs, limits.slowReaderMs, limits.drainMs ?? Infinity)
  const every = Math.max(10, Math.min(1_000, shortest / 4))
  let timer: NodeJS.Timeout | undefined
  const tick = (): void => {
    if (calls.length === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const now = Date.now()
    // Iterate backwards: a removed call is replaced by one that was already checked.
    for (let i = calls.length - 1; i >= 0; i--) if (i < calls.length) checkCall(calls[i]!, now)
  }
  return {
    wake() {
      timer ??= setInterval(tick, every).unref()
    },
  }
}

function checkCall(call: GatewayCall, now: number): void {
  const { limits } = call.deps
  if (call.gone) {
    if (isReadOnOver(call, now)) stopReadingOn(call, 'limit')
    return
  }
  if (call.phase === 'body') {
    if (now - call.since >= limits.bodyMs) sendCallRefusal(call, { cause: 'body_timeout', message: 'The request body took too long to arrive.' })
    return
  }
  if (call.phase === 'closing' || call.blockedSince > 0) {
    checkReader(call, now)
    return
  }
  if (call.phase === 'working' && !call.sent) {
    watchSilence(call, now, () => sendCallRefusal(call, { cause: 'upstream_unanswered', message: UNANSWERED_MESSAGE }))
    return
  }
  // Never insert keepalives into audio bytes.
  if (call.facts?.media !== undefined && call.facts.media.answer !== 'events') return
  if (call.phase === 'working' && now - call.since >= limits.keepaliveMs) {
    call.since = now
    writeChunk(call, call.surface === 'gemini' && !requestsEvents(call.located.query) ? NEWLINE : DIALECTS[call.target!.dialect].stream!.keepalive)
  }
}

/** Bytes that left this process count as reading; a client that reads none for too long counts as disconnected. */
function checkReader(call: GatewayCall, now: number): void {
  const { socket } = call.res
  const flushed = socket === null ? 0 : (socket.bytesWritten ?? 0) - socket.writableLength
  if (flushed !== call.progress) {
    call.progress = flushed
    call.since = now
    return
  }
  if (now - call.since >= call.deps.limits.slowReaderMs) call.res.destroy()
}
