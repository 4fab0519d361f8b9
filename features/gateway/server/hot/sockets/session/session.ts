import { findModelRefusal, isStopped, formatKeyUrl, findAccessRefusal } from '../../admission/limits.ts'
import type { ApiKey } from '../../deps.ts'
import type { DialledSocket } from '../dial.ts'
import type { SocketSession } from '../hub.ts'
import { openPipe } from '../pipe.ts'
import { addLoads } from '../rules.ts'
import type { ClientFrame, VendorEvent } from '../rules.ts'
import { sendFrame } from '../send-frames.ts'
import { weighFrame } from '../intake/weigh-frame.ts'
import { MAX_FURTHER_RESPONSES, countFurtherResponses, recordReceivedSpeech, recordForwardedSpeech } from './ahead.ts'
import { requestResponse, handleVendorRefusal, cancelResponseRequest } from './response-requests.ts'
import { schedulePing, recordSilence, recordFrameWithoutPong, isUpstreamLost, startPings } from './echo.ts'
import { finishSession, isSessionBusy, isSessionQuiet, closeWhenQuiet } from './ending.ts'
import { beginResponse, billSeparateModel, endResponse, recordOutput } from './response.ts'
import { isSecured, secureNextResponse, secureFurther, toCloseCause } from './secure.ts'
import type { Denial, VendorSession } from './talk.ts'
import { renewTickets } from './ticket.ts'
import { waitForSessionChange, notifySessionChange } from './session-changes.ts'

/** Maximum session length of an hour, like OpenAI's. Google ends its sessions itself, earlier. */
const MAX_SESSION_MS = 3_600_000
/** Idle time: neither side sends anything. */
const IDLE_MS = 900_000
/** Time that a response is read after its client disconnects, so that the vendor's own figures are billed. */
const READ_ON_AFTER_LEAVE_MS = 120_000
/** Tolerance for timers that fire early. */
const TIMER_TOLERANCE_MS = 10
/** Time that a frame waits for money beside running responses. */
const MAX_FRAME_WAIT_MS = 60_000

/** Connects a client to a vendor's open socket; the stake for the first response is already set aside. */
export function connectSession(talk: VendorSession, dialled: DialledSocket): SocketSession {
  const { client, upstream, visit } = talk
  // Running responses are settled when the vendor's socket closes; both sides stay unread.
  const failed = (error: unknown): void => {
    visit.deps.log.error({ error, requestId: visit.requestId }, 'session failed')
    talk.ending ??= 'unavailable'
    upstream.terminate()
  }
  client.on('message', openPipe(client, (frame, isBinary) => weighAndHandle(talk, frame, isBinary), failed).feed)
  client.on('error', () => undefined)
  client.on('close', () => handleClientGone(talk))
  upstream.on('error', () => undefined)
  const pipe = openPipe(upstream, (frame, isBinary) => handleUpstreamFrame(talk, frame, isBinary), failed)
  const unsettled = (error: unknown): void => {
    visit.deps.log.error({ error, requestId: visit.requestId }, 'session failed; the sweeper will resolve its calls')
    client.terminate()
  }
  // messages that the vendor sent before it closed are handled first
  upstream.on('close', (code, reason) => pipe.inTurn(() => handleUpstreamGone(talk, code, reason).catch(unsettled)))
  if (talk.lid !== undefined) sendOutputCap(talk)
  dialled.listen(pipe.feed)
  startPings(talk, pipe.inTurn)
  visit.deps.metrics.stream(1)
  return { socket: client, look: (now) => checkSession(talk, now), drain: () => closeWhenQuiet(talk, 'draining'), isOver: () => talk.over }
}

function checkSession(talk: VendorSession, now: number): void {
  if (talk.over) return
  recordSilence(talk, now)
  notifySessionChange(talk)
  renewTickets(talk, now)
  if (talk.gone) return isSessionQuiet(talk) ? finishSession(talk) : undefined
  if (!isSessionBusy(talk) && isUpstreamLost(talk, now)) return talk.upstream.terminate()
  if (talk.stake.isLost) closeWhenQuiet(talk, 'unavailable')
  if (talk.ending !== undefined) closeWhenQuiet(talk, talk.ending)
  if (now - talk.startedAt >= MAX_SESSION_MS) return closeWhenQuiet(talk, 'longest')
  if (now - talk.lastAt >= IDLE_MS && !isSessionBusy(talk)) return closeWhenQuiet(talk, 'idle')
  const found = talk.visit.deps.findKey(talk.visit.secret)
  if (found instanceof Promise)
    found.then(
      (key) => applyKeyChanges(talk, key, now),
      () => undefined,
    )
  else applyKeyChanges(talk, found, now)
}

/** Applies the owner's changes to the key, from the next response on. */
function applyKeyChanges(talk: VendorSession, key: ApiKey | undefined, now: number): void {
  if (key === undefined || isStopped(key, now)) return closeWhenQuiet(talk, 'revoked')
  const { visit, model } = talk
  visit.key = key
  const { limits, keyId } = key
  if (
    limits !== undefined &&
    (findAccessRefusal(visit.req, visit.deps, keyId, limits) ?? findModelRefusal(limits, model, formatKeyUrl(visit.deps, keyId))) !== undefined
  )
    closeWhenQuiet(talk, 'barred')
}

/** Process a large frame only after it is walked. */
function weighAndHandle(talk: VendorSession, frame: Buffer, isBinary: boolean): void | Promise<void> {
  const walk = weighFrame(frame)
  if (walk === undefined) return handleClientFrame(talk, frame, isBinary)
  return walk.then((problem) => (problem === undefined ? handleClientFrame(talk, frame, isBinary) : talk.protocol.refuse(talk.client, problem.message)))
}

function handleClientFrame(talk: VendorSession, frame: Buffer, isBinary: boolean): void | Promise<void> {
  if (talk.stake.isLost) closeWhenQuiet(talk, 'unavailable')
  if (talk.over || talk.gone || talk.ending !== undefined) return
  talk.lastAt = Date.now()
  const heard = talk.protocol.heard(frame, isBinary)
  if (heard.refusal !== undefined) return sendFrame(talk.client, heard.refusal, false)
  talk.fresh = addLoads(talk.fresh, heard.load)
  if (heard.begins === true && heard.asks !== true) schedulePing(talk)
  if (heard.speech !== undefined) recordReceivedSpeech(talk, heard.speech)
  if (heard.begins === true && (isSessionBusy(talk) || countFurtherResponses(talk, heard) > 0)) return handleOverlappingFrame(talk, heard, frame, isBinary)
  const refusal = isSessionBusy(talk) ? undefined : secureNextResponse(talk, heard.cap)
  if (refusal instanceof Promise) return refusal.then((later) => forwardFrame(talk, later, heard, frame, isBinary))
  return forwardFrame(talk, refusal, heard, frame, isBinary)
}

/**
 * Handles a frame that may trigger a response beside a running or requested one. The vendor may finish it before sending anything,
 * so the frame waits for money for both, or for the end of the other. Later frames wait too.
 */
async function handleOverlappingFrame(talk: VendorSession, heard: ClientFrame, frame: Buffer, isBinary: boolean): Promise<void> {
  const until = Math.max(Date.now(), talk.heardTo) + MAX_FRAME_WAIT_MS
  const isWaitable = (): boolean => !talk.over && !talk.gone && talk.ending === undefined && Date.now() < until
  while (((heard.asks === true && talk.asked !== undefined) || countFurtherResponses(talk, heard) > MAX_FURTHER_RESPONSES) && isWaitable())
    await waitForSessionChange(talk)
  const refused = async (): Promise<Denial | undefined> =>
    (await secureNextResponse(talk, heard.cap)) ?? secureFurther(talk, countFurtherResponses(talk, heard), heard.asks === true ? heard : undefined)
  let refusal = await refused()
  while (refusal !== undefined && (isSessionBusy(talk) || countFurtherResponses(talk, heard) > 0) && isWaitable()) {
    await waitForSessionChange(talk)
    refusal = await refused()
  }
  if (!talk.over && talk.ending === undefined) await forwardFrame(talk, refusal, heard, frame, isBinary)
}

function forwardFrame(talk: VendorSession, refusal: Denial | undefined, heard: ClientFrame, frame: Buffer, isBinary: boolean): void | Promise<void> {
  if (refusal !== undefined) return closeWhenQuiet(talk, toCloseCause(refusal))
  // No client is left to receive it.
  if (talk.over || talk.gone) return undefined
  sendOutputCap(talk)
  if (heard.asks === true ? !requestResponse(talk, heard) : heard.begins === true && !isSecured(talk, countFurtherResponses(talk, heard)))
    return handleOverlappingFrame(talk, heard, frame, isBinary)
  if (heard.begins === true && heard.asks !== true) talk.stirredAt = Date.now()
  if (heard.speech !== undefined) recordForwardedSpeech(talk, heard.speech)
  return sendFrame(talk.upstream, frame, isBinary)
}

/** The vendor must receive this before anything that it could answer at greater length. */
function sendOutputCap(talk: VendorSession): void {
  if (talk.lid === undefined || talk.lid === talk.toldLid) return
  talk.toldLid = talk.lid
  void sendFrame(talk.upstream, talk.protocol.limit!(talk.lid), false)
}

async function handleUpstreamFrame(talk: VendorSession, frame: Buffer, isBinary: boolean): Promise<void> {
  talk.lastAt = Date.now()
  recordFrameWithoutPong(talk)
  const isContinuing = await handleVendorEvents(talk, talk.protocol.told(frame))
  if (!isContinuing) return talk.ending === undefined ? undefined : closeWhenQuiet(talk, talk.ending)
  if (!talk.gone && !talk.over) await sendFrame(talk.client, frame, isBinary)
  else if (!talk.over && isSessionQuiet(talk)) finishSession(talk)
  if (isSessionBusy(talk) || talk.over) return
  if (talk.ending !== undefined) return closeWhenQuiet(talk, talk.ending)
  const refusal = await secureNextResponse(talk)
  if (refusal !== undefined) closeWhenQuiet(talk, toCloseCause(refusal))
  else sendOutputCap(talk)
}

/** Processes all that the frame reports, even if the client disconnects meanwhile. False if the frame must be dropped. */
async function handleVendorEvents(talk: VendorSession, all: readonly VendorEvent[]): Promise<boolean> {
  talk.isActing = true
  try {
    for (const told of all) if (told.kind !== 'pass' && !(await handleVendorEvent(talk, told))) return false
    return true
  } finally {
    talk.isActing = false
  }
}

/** Processes one event. False if the frame must be dropped. */
async function handleVendorEvent(talk: VendorSession, told: Exclude<VendorEvent, { kind: 'pass' }>): Promise<boolean> {
  switch (told.kind) {
    case 'begin':
      return beginResponse(talk, told.id)
    case 'more':
      return recordOutput(talk, told.id, told.tokens, told.isAudio)
    case 'end':
      await endResponse(talk, told.id, told.isAside, {
        raw: told.raw,
        outcome: talk.gone ? 'client_gone' : told.isFailed ? 'upstream_failed' : 'completed',
        status: talk.gone ? 499 : told.isFailed ? 502 : 200,
      })
      return true
    case 'apart':
      await billSeparateModel(talk, told.model, told.raw)
      return true
    case 'refused':
      handleVendorRefusal(talk, told)
      return true
  }
}

/** Asks the vendor to stop, and reads on until it has reported the usage; then closes. */
function handleClientGone(talk: VendorSession): void {
  if (talk.gone || talk.over) return
  talk.gone = true
  notifySessionChange(talk)
  talk.upstream.resume()
  // Wait for responses that the vendor may begin itself (look).
  if (isSessionQuiet(talk)) return finishSession(talk)
  const { key } = talk.visit
  talk.leaveAt = Date.now() + (talk.visit.deps.limits.drainMs ?? READ_ON_AFTER_LEAVE_MS)
  if (key.onDisconnect === 'abort' && talk.protocol.cancel !== undefined) void sendFrame(talk.upstream, talk.protocol.cancel, false)
  setTimeout(() => talk.upstream.terminate(), talk.leaveAt - Date.now()).unref()
}

async function handleUpstreamGone(talk: VendorSession, code: number, reason: Buffer): Promise<void> {
  const isLimit = talk.gone && Date.now() + TIMER_TOLERANCE_MS >= talk.leaveAt
  // The wait reached its limit; the response may still be running.
  if (isLimit && talk.asked !== undefined) await beginResponse(talk, talk.callId)
  for (const id of talk.running.keys())
    await endResponse(talk, id, false, { raw: undefined, outcome: talk.gone ? 'client_gone' : 'upstream_cut', status: talk.gone ? 499 : 502, isLimit })
  talk.stirredAt = 0
  cancelResponseRequest(talk)
  if (talk.ending !== undefined) closeWhenQuiet(talk, talk.ending)
  if (talk.over) return
  finishSession(talk)
  // 1005, 1006 and 1015 are never sent; they mean that no code was received.
  if (!talk.gone) talk.client.close(code === 1005 || code === 1006 || code === 1015 ? 1011 : code, reason)
}
