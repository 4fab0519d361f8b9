import type { Attempt, StreamSink } from '../attempt.ts'
import { findEventEnd, isWholeEvent } from '../dialects/sse.ts'
import { beginAnswer, forwardEvents, releaseQueued, sendEvents, writeEvents } from './flow.ts'
import type { AnswerFlow } from './flow.ts'
import { decideReadOn } from './leave.ts'
import { isBillOwed } from '../settlement/owed.ts'
import { settle } from '../settlement/settle.ts'
import type { CallEnding } from '../settlement/settle.ts'
import { findElementEnd, createElementSplitter, createEventSplitter } from '../dialects/splitter.ts'
import { recordRelayed, tallyRelayed } from '../settlement/tally.ts'
import { openTranslator } from '../translate/call.ts'
import type { Translator } from '../translate/call.ts'
import { redactAccount, redactNames } from './vendor-errors.ts'
import { finishFailedAttempt, refuseUnsettled, UNANSWERED_MESSAGE } from './whole.ts'

/** Maximum size of an unfinished event; a larger one is malformed (an image inside one event is some megabytes). */
const EVENT_BYTES = 64 * 1024 * 1024
const WITHHELD_MESSAGE = 'The answer could not be accounted for; its end is withheld.'
const CUT_MESSAGE = "The model's provider ended this answer before its end. What was sent is billed; ask again for the rest."

/** Begins to relay events as they arrive; undefined if the answer is not a stream. */
export function openStream(attempt: Attempt, isEvents: boolean): StreamSink | undefined {
  const { call } = attempt
  const { translation } = call
  // A translated answer has the requested format or is malformed: the format is never guessed.
  if (translation !== undefined && (!isEvents || !call.facts!.stream)) return undefined
  const isArray = !isEvents && call.surface === 'gemini' && call.facts!.stream
  if (!isEvents && !isArray) return undefined
  call.isArray = isArray
  const flow: AnswerFlow = {
    attempt,
    call,
    rules: call.rules!.stream!,
    translator: translation && openTranslator(call, translation),
    splitter: isArray
      ? createElementSplitter(() => {
          flow.arrayClosed = true
        })
      : createEventSplitter(),
    held: [],
    queued: [],
    queuedBytes: 0,
    resting: false,
    arrayClosed: false,
    begun: false,
    over: false,
    turns: 0,
    due: 0,
    flush: () => releaseQueued(flow),
  }
  return {
    data: (chunk) => relayData(flow, chunk),
    end(clean) {
      attempt.stream = undefined
      attempt.over = true
      if (!flow.over) handleBodyEnd(flow, clean)
    },
  }
}

/** Handles all bytes of one read of the upstream's connection. */
function relayData(flow: AnswerFlow, data: Buffer): void {
  if (flow.over || flow.attempt.aborted) return
  const events = flow.splitter.feed(data)
  if (events !== undefined) relayEvents(flow, events)
  if (flow.call.readOn === 'input' && !flow.over) decideReadOn(flow.call)
  if (flow.splitter.waiting > EVENT_BYTES && !flow.over) {
    flow.attempt.abort()
    handleBodyEnd(flow, false)
  }
}

/** Meters each event as the upstream sent it and forwards it translated. The end of the answer stays in the translator. */
function translateEvents(flow: AnswerFlow, translator: Translator, events: Buffer): void {
  const { call, rules } = flow
  recordRelayed(call, events)
  rules.matters(events, false, call.meter)
  let out = ''
  for (let from = 0; from < events.length && !call.meter.ended && translator.error === '';) {
    const end = findEventEnd(events, from)
    const event = events.subarray(from, end)
    rules.onEvent(event, false, call.meter)
    out += translator.event(event)
    from = end
  }
  if (out !== '') forwardEvents(flow, Buffer.from(out))
  if (call.meter.ended || translator.error !== '') endTranslation(flow, translator, call.meter.failed || translator.error !== '' ? 'failed' : 'complete')
}

function endTranslation(flow: AnswerFlow, translator: Translator, ending: CallEnding): void {
  const last = ending === 'complete' ? translator.end() : translator.fail(ending === 'failed' ? redactNames(translator.error) || CUT_MESSAGE : CUT_MESSAGE)
  settleAndClose(flow, ending, Buffer.from(last))
}

function relayEvents(flow: AnswerFlow, events: Buffer): void {
  if (flow.translator !== undefined) {
    translateEvents(flow, flow.translator, events)
    return
  }
  const { call, rules } = flow
  if (!rules.matters(events, call.strip, call.meter)) {
    sendEvents(flow, flow.held.length === 0 ? events : Buffer.concat([...flow.held.splice(0), events]))
    return
  }
  const next = call.isArray ? findElementEnd : findEventEnd
  const out: Buffer[] = []
  /** Start of the run of events that pass unchanged and are sent as one. */
  let run = 0
  const flush = (to: number): void => {
    if (to > run) out.push(events.subarray(run, to))
  }
  for (let from = 0; from < events.length;) {
    const end = next(events, from)
    const event = events.subarray(from, end)
    const verdict = call.meter.ended ? 'end' : call.isArray && event.indexOf(123) < 0 ? 'hold' : rules.onEvent(event, call.strip, call.meter)
    if (verdict !== 'pass') {
      flush(from)
      run = end
    }
    // This event is not the end, so the event held before it was not the end either.
    if (flow.held.length > 0 && (verdict === 'pass' || typeof verdict !== 'string')) out.push(...flow.held.splice(0))
    if (verdict === 'hold' || verdict === 'end') flow.held.push(call.meter.failed ? redactAccount(event) : event)
    else if (typeof verdict !== 'string') out.push(verdict)
    from = end
  }
  flush(events.length)
  if (out.length > 0) sendEvents(flow, out.length === 1 ? out[0]! : Buffer.concat(out))
  // The vendor's end has arrived: the client need not wait for the connection to end.
  if (call.meter.ended) settleAndClose(flow, call.meter.failed ? 'failed' : 'complete', undefined)
}

/** Handles the end of the upstream's body, clean or not; the events determine whether the answer is complete. */
function handleBodyEnd(flow: AnswerFlow, clean: boolean): void {
  const { call } = flow
  const rest = flow.splitter.rest()
  // Some vendors omit the blank line after their last event.
  const isRestWhole = rest === undefined || (clean && !call.isArray && isWholeEvent(rest))
  if (rest !== undefined && call.isArray && flow.arrayClosed) flow.held.push(rest)
  else if (rest !== undefined && isRestWhole) {
    relayEvents(flow, rest)
    if (flow.over) return
  }
  tallyRelayed(call)
  if (!flow.begun && flow.held.length === 0 && !(flow.translator !== undefined && call.tally.finished)) {
    flow.over = true
    finishFailedAttempt(flow.attempt, flow.attempt.timedOut ? 'upstream_timeout' : 'upstream_failed')
    return
  }
  if (isBillOwed(flow.attempt)) {
    if (flow.translator !== undefined) settleAndClose(flow, 'limit', Buffer.from(flow.translator.fail(UNANSWERED_MESSAGE)))
    else settleAndClose(flow, 'limit', buildStreamCutEvent(flow, UNANSWERED_MESSAGE))
    return
  }
  // Some vendors omit their end mark: the finish reason was relayed.
  const isWhole = clean && (call.isArray ? flow.arrayClosed : isRestWhole) && ((call.meter.final && flow.held.length > 0) || call.tally.finished)
  if (flow.translator !== undefined) endTranslation(flow, flow.translator, isWhole ? 'complete' : 'cut')
  else settleAndClose(flow, isWhole ? 'complete' : 'cut', isWhole ? undefined : buildStreamCutEvent(flow))
}

function buildStreamCutEvent(flow: AnswerFlow, why = CUT_MESSAGE): Buffer {
  const event = flow.rules.cut(why, flow.call.requestId)
  if (!flow.call.isArray) return event
  const json = event.subarray(event.indexOf(123)).toString().trimEnd()
  return Buffer.from(`${flow.call.sent || flow.queued.length > 0 ? ',\n' : '['}${json}]`)
}

/** Settles, then sends the end to the client. */
function settleAndClose(flow: AnswerFlow, ending: CallEnding, last: Buffer | undefined): void {
  const { call } = flow
  flow.over = true
  if (!flow.begun) beginAnswer(flow)
  // Ignore further upstream data, and do not keep its connection waiting.
  flow.attempt.resume()
  const held = flow.held
  for (const event of held) recordRelayed(call, event)
  if (last !== undefined) held.push(last)
  settle(call, ending, flow.rules.rawUsage(call.meter), undefined).then(
    () => finishStream(flow, held),
    (error: unknown) => {
      if (!call.sent) {
        refuseUnsettled(call, error)
        return
      }
      call.deps.log.error({ error, requestId: call.requestId }, 'settlement failed: the end of the answer is withheld')
      finishStream(flow, [
        flow.translator === undefined ? flow.rules.cut(WITHHELD_MESSAGE, call.requestId) : Buffer.from(flow.translator.fail(WITHHELD_MESSAGE)),
      ])
    },
  )
}

export function finishStream(flow: AnswerFlow, held: readonly Buffer[]): void {
  const { call } = flow
  if (call.gone || call.res.destroyed || call.res.writableEnded) return
  const rest = flow.queued.length === 0 ? held : [...flow.queued, ...held]
  flow.queued = []
  // A response that was never begun has no socket yet.
  const socket = call.socket
  socket?.cork()
  if (rest.length > 0) writeEvents(flow, rest.length === 1 ? rest[0]! : Buffer.concat(rest))
  call.phase = 'closing'
  call.since = Date.now()
  call.res.end()
  socket?.uncork()
}
