import { barred, isStopped, placeOf, unwelcome } from '../../admission/limits.ts'
import type { ApiKey } from '../../deps.ts'
import type { Dialled } from '../dial.ts'
import type { Session } from '../hub.ts'
import { openPipe } from '../pipe.ts'
import { addLoads } from '../rules.ts'
import type { Heard, Told } from '../rules.ts'
import { sayFrame } from '../say.ts'
import { weighFrame } from '../intake/weigh-frame.ts'
import { FURTHEST, further, hear, speak } from './ahead.ts'
import { ask, doubt, unask } from './asking.ts'
import { callAfter, countSilence, heardWithoutEcho, isLost, listenForEchoes } from './echo.ts'
import { finish, isBusy, isQuiet, leave } from './ending.ts'
import { begin, billApart, end, more } from './response.ts'
import { isSecured, secure, secureFurther, whyOf } from './secure.ts'
import type { Denial, Talk } from './talk.ts'
import { keepTickets } from './ticket.ts'
import { change, changed } from './waking.ts'

/** As OpenAI: an hour. Google ends its sessions itself, earlier. */
const LONGEST_MS = 3_600_000
/** Nothing said by either side. */
const IDLE_MS = 900_000
/** How long a response is read on after its client left, so that the vendor's own figures are what is billed. */
const FAREWELL_MS = 120_000
/** A timer may be early by this. */
const TIMER_MS = 10
/** How long a frame waits for money beside what runs. */
const WAIT_MS = 60_000

/** Connects a client to a vendor's open socket; the stake for the first response is set aside already. */
export function openSession(talk: Talk, dialled: Dialled): Session {
  const { client, upstream, visit } = talk
  // Running responses are settled when the vendor's socket closes; both sides stay unread.
  const failed = (error: unknown): void => {
    visit.deps.log.error({ error, requestId: visit.requestId }, 'session failed')
    talk.ending ??= 'unavailable'
    upstream.terminate()
  }
  client.on('message', openPipe(client, (frame, isBinary) => weighed(talk, frame, isBinary), failed).feed)
  client.on('error', () => undefined)
  client.on('close', () => clientGone(talk))
  upstream.on('error', () => undefined)
  const pipe = openPipe(upstream, (frame, isBinary) => fromUpstream(talk, frame, isBinary), failed)
  const unsettled = (error: unknown): void => {
    visit.deps.log.error({ error, requestId: visit.requestId }, 'session failed; the sweeper will resolve its calls')
    client.terminate()
  }
  // what the vendor said before it closed is heard first
  upstream.on('close', (code, reason) => pipe.inTurn(() => upstreamGone(talk, code, reason).catch(unsettled)))
  if (talk.lid !== undefined) tellLid(talk)
  dialled.listen(pipe.feed)
  listenForEchoes(talk, pipe.inTurn)
  visit.deps.metrics.stream(1)
  return { socket: client, look: (now) => look(talk, now), drain: () => leave(talk, 'draining'), isOver: () => talk.over }
}

function look(talk: Talk, now: number): void {
  if (talk.over) return
  countSilence(talk, now)
  changed(talk)
  keepTickets(talk, now)
  if (talk.gone) return isQuiet(talk) ? finish(talk) : undefined
  if (!isBusy(talk) && isLost(talk, now)) return talk.upstream.terminate()
  if (talk.stake.isLost) leave(talk, 'unavailable')
  if (talk.ending !== undefined) leave(talk, talk.ending)
  if (now - talk.startedAt >= LONGEST_MS) return leave(talk, 'longest')
  if (now - talk.lastAt >= IDLE_MS && !isBusy(talk)) return leave(talk, 'idle')
  const found = talk.visit.deps.findKey(talk.visit.secret)
  if (found instanceof Promise)
    found.then(
      (key) => judge(talk, key, now),
      () => undefined,
    )
  else judge(talk, found, now)
}

/** Applies the owner's changes to the key, from the next response on. */
function judge(talk: Talk, key: ApiKey | undefined, now: number): void {
  if (key === undefined || isStopped(key, now)) return leave(talk, 'revoked')
  const { visit, model } = talk
  visit.key = key
  const { limits, keyId } = key
  if (limits !== undefined && (unwelcome(visit.req, visit.deps, keyId, limits) ?? barred(limits, model, placeOf(visit.deps, keyId))) !== undefined)
    leave(talk, 'barred')
}

/** A large frame is looked at once it is walked over. */
function weighed(talk: Talk, frame: Buffer, isBinary: boolean): void | Promise<void> {
  const walk = weighFrame(frame)
  if (walk === undefined) return fromClient(talk, frame, isBinary)
  return walk.then((problem) => (problem === undefined ? fromClient(talk, frame, isBinary) : talk.protocol.refuse(talk.client, problem.message)))
}

function fromClient(talk: Talk, frame: Buffer, isBinary: boolean): void | Promise<void> {
  if (talk.stake.isLost) leave(talk, 'unavailable')
  if (talk.over || talk.gone || talk.ending !== undefined) return
  talk.lastAt = Date.now()
  const heard = talk.protocol.heard(frame, isBinary)
  if (heard.refusal !== undefined) return sayFrame(talk.client, heard.refusal, false)
  talk.fresh = addLoads(talk.fresh, heard.load)
  if (heard.begins === true && heard.asks !== true) callAfter(talk)
  if (heard.speech !== undefined) hear(talk, heard.speech)
  if (heard.begins === true && (isBusy(talk) || further(talk, heard) > 0)) return beside(talk, heard, frame, isBinary)
  const refusal = isBusy(talk) ? undefined : secure(talk, heard.cap)
  if (refusal instanceof Promise) return refusal.then((later) => pass(talk, later, heard, frame, isBinary))
  return pass(talk, refusal, heard, frame, isBinary)
}

/**
 * Handles a frame that may trigger a response beside a running or requested one. The vendor may finish it before sending anything,
 * so the frame waits for money for both, or for the end of the other. Later frames wait too.
 */
async function beside(talk: Talk, heard: Heard, frame: Buffer, isBinary: boolean): Promise<void> {
  const until = Math.max(Date.now(), talk.heardTo) + WAIT_MS
  const goesOn = (): boolean => !talk.over && !talk.gone && talk.ending === undefined && Date.now() < until
  while (((heard.asks === true && talk.asked !== undefined) || further(talk, heard) > FURTHEST) && goesOn()) await change(talk)
  const refused = async (): Promise<Denial | undefined> =>
    (await secure(talk, heard.cap)) ?? secureFurther(talk, further(talk, heard), heard.asks === true ? heard : undefined)
  let refusal = await refused()
  while (refusal !== undefined && (isBusy(talk) || further(talk, heard) > 0) && goesOn()) {
    await change(talk)
    refusal = await refused()
  }
  if (!talk.over && talk.ending === undefined) await pass(talk, refusal, heard, frame, isBinary)
}

function pass(talk: Talk, refusal: Denial | undefined, heard: Heard, frame: Buffer, isBinary: boolean): void | Promise<void> {
  if (refusal !== undefined) return leave(talk, whyOf(refusal))
  // No client is left to receive it.
  if (talk.over || talk.gone) return undefined
  tellLid(talk)
  if (heard.asks === true ? !ask(talk, heard) : heard.begins === true && !isSecured(talk, further(talk, heard))) return beside(talk, heard, frame, isBinary)
  if (heard.begins === true && heard.asks !== true) talk.stirredAt = Date.now()
  if (heard.speech !== undefined) speak(talk, heard.speech)
  return sayFrame(talk.upstream, frame, isBinary)
}

/** The vendor hears it before anything that it could answer at greater length. */
function tellLid(talk: Talk): void {
  if (talk.lid === undefined || talk.lid === talk.toldLid) return
  talk.toldLid = talk.lid
  void sayFrame(talk.upstream, talk.protocol.limit!(talk.lid), false)
}

async function fromUpstream(talk: Talk, frame: Buffer, isBinary: boolean): Promise<void> {
  talk.lastAt = Date.now()
  heardWithoutEcho(talk)
  const goesOn = await actOn(talk, talk.protocol.told(frame))
  if (!goesOn) return talk.ending === undefined ? undefined : leave(talk, talk.ending)
  if (!talk.gone && !talk.over) await sayFrame(talk.client, frame, isBinary)
  else if (!talk.over && isQuiet(talk)) finish(talk)
  if (isBusy(talk) || talk.over) return
  if (talk.ending !== undefined) return leave(talk, talk.ending)
  const refusal = await secure(talk)
  if (refusal !== undefined) leave(talk, whyOf(refusal))
  else tellLid(talk)
}

/** Processes all that the frame reports, even if the client disconnects meanwhile. False if the frame must be dropped. */
async function actOn(talk: Talk, all: readonly Told[]): Promise<boolean> {
  talk.isActing = true
  try {
    for (const told of all) if (told.kind !== 'pass' && !(await act(talk, told))) return false
    return true
  } finally {
    talk.isActing = false
  }
}

/** Processes one event. False if the frame must be dropped. */
async function act(talk: Talk, told: Exclude<Told, { kind: 'pass' }>): Promise<boolean> {
  switch (told.kind) {
    case 'begin':
      return begin(talk, told.id)
    case 'more':
      return more(talk, told.id, told.tokens, told.isAudio)
    case 'end':
      await end(talk, told.id, told.isAside, {
        raw: told.raw,
        outcome: talk.gone ? 'client_gone' : told.isFailed ? 'upstream_failed' : 'completed',
        status: talk.gone ? 499 : told.isFailed ? 502 : 200,
      })
      return true
    case 'apart':
      await billApart(talk, told.model, told.raw)
      return true
    case 'refused':
      doubt(talk, told)
      return true
  }
}

/** Asks the vendor to stop, and reads on until it has reported the usage; then closes. */
function clientGone(talk: Talk): void {
  if (talk.gone || talk.over) return
  talk.gone = true
  changed(talk)
  talk.upstream.resume()
  // Wait for responses that the vendor may begin itself (look).
  if (isQuiet(talk)) return finish(talk)
  const { key } = talk.visit
  talk.leaveAt = Date.now() + (talk.visit.deps.limits.drainMs ?? FAREWELL_MS)
  if (key.onDisconnect === 'abort' && talk.protocol.cancel !== undefined) void sayFrame(talk.upstream, talk.protocol.cancel, false)
  setTimeout(() => talk.upstream.terminate(), talk.leaveAt - Date.now()).unref()
}

async function upstreamGone(talk: Talk, code: number, reason: Buffer): Promise<void> {
  const isLimit = talk.gone && Date.now() + TIMER_MS >= talk.leaveAt
  // The wait reached its limit; the response may still be running.
  if (isLimit && talk.asked !== undefined) await begin(talk, talk.callId)
  for (const id of talk.running.keys())
    await end(talk, id, false, { raw: undefined, outcome: talk.gone ? 'client_gone' : 'upstream_cut', status: talk.gone ? 499 : 502, isLimit })
  talk.stirredAt = 0
  unask(talk)
  if (talk.ending !== undefined) leave(talk, talk.ending)
  if (talk.over) return
  finish(talk)
  // 1005, 1006 and 1015 are never sent; they say that nothing was said.
  if (!talk.gone) talk.client.close(code === 1005 || code === 1006 || code === 1015 ? 1011 : code, reason)
}
