import { plus } from '#platform/shared/money.ts'
import type { ApiKey } from '../deps.ts'
import { amountOf, linesFor } from '../settlement/pricing.ts'
import { totalInput, totalOutput } from '../settlement/usage.ts'
import type { Dialled } from './dial.ts'
import type { Session } from './hub.ts'
import { loadAfter, outputNeed } from './need.ts'
import { openPipe } from './pipe.ts'
import { NO_LOAD, addLoads } from './rules.ts'
import type { Heard, Told, Why } from './rules.ts'
import { settleRunning } from './running.ts'
import type { Ending, Running } from './running.ts'
import { sayFrame } from './say.ts'
import { letGo, secure, slice, whyOf } from './secure.ts'
import type { Denial, Talk } from './talk.ts'
import { endTicket } from './ticket.ts'

/** As OpenAI: an hour. Google ends its sessions itself, earlier. */
const LONGEST_MS = 3_600_000
/** Nothing said by either side. */
const IDLE_MS = 900_000
/** How long a response is read on after its client left, so that the vendor's own figures are what is billed. */
const FAREWELL_MS = 120_000
/** A timer may be early by this. */
const TIMER_MS = 10
/** A vendor that was asked for a response begins it within this, or not at all. */
const ASKED_MS = 120_000
/** How long a frame waits for money beside what runs. */
const WAIT_MS = 60_000

/** Joins a client and a vendor's open socket; the stake for the first response is there already. */
export function openSession(talk: Talk, dialled: Dialled): Session {
  const { client, upstream, visit } = talk
  // What runs is settled as the vendor's socket closes; nothing more is read of either side.
  const failed = (error: unknown): void => {
    visit.deps.log.error({ error, requestId: visit.requestId }, 'session failed')
    talk.ending ??= 'unavailable'
    upstream.terminate()
  }
  client.on(
    'message',
    openPipe(client, (frame, isBinary) => fromClient(talk, frame, isBinary), failed),
  )
  client.on('error', () => undefined)
  client.on('close', () => clientGone(talk))
  upstream.on('error', () => undefined)
  upstream.on('close', (code, reason) => {
    upstreamGone(talk, code, reason).catch((error: unknown) => {
      visit.deps.log.error({ error, requestId: visit.requestId }, 'session failed; the sweeper will resolve its calls')
      client.terminate()
    })
  })
  if (talk.lid !== undefined) tellLid(talk)
  dialled.listen(openPipe(upstream, (frame, isBinary) => fromUpstream(talk, frame, isBinary), failed))
  visit.deps.metrics.stream(1)
  return { socket: client, accountId: visit.key.accountId, look: (now) => look(talk, now), drain: () => leave(talk, 'draining') }
}

function look(talk: Talk, now: number): void {
  if (talk.over) return
  changed(talk)
  if (talk.ending !== undefined) leave(talk, talk.ending)
  if (talk.gone) {
    if (now >= talk.leaveAt) talk.upstream.terminate()
    return
  }
  if (now - talk.startedAt >= LONGEST_MS) return leave(talk, 'longest')
  if (now - talk.lastAt >= IDLE_MS && talk.running.size === 0) return leave(talk, 'idle')
  const found = talk.visit.deps.findKey(talk.visit.secret)
  const judge = (key: ApiKey | undefined): void => {
    if (key === undefined || (key.limits?.expiresAt ?? Infinity) <= now) leave(talk, 'revoked')
  }
  if (found instanceof Promise) found.then(judge, () => undefined)
  else judge(found)
}

/** Ends the session as soon as nothing runs: the client learns why, the vendor hears nothing more. */
export function leave(talk: Talk, why: Why): void {
  talk.ending ??= why
  if (isBusy(talk) || talk.over) return
  if (!talk.gone) talk.protocol.goodbye(talk.client, talk.ending)
  finish(talk)
}

function finish(talk: Talk): void {
  if (talk.over) return
  talk.over = true
  changed(talk)
  letGo(talk)
  talk.upstream.close(1000)
  // A socket that is not read does not see the other side's goodbye either.
  talk.upstream.resume()
  talk.client.resume()
  // Who does not answer a goodbye is not waited for.
  setTimeout(() => talk.upstream.terminate(), 5_000).unref()
  talk.visit.deps.metrics.stream(-1)
}

function fromClient(talk: Talk, frame: Buffer, isBinary: boolean): void | Promise<void> {
  if (talk.over || talk.ending !== undefined) return
  talk.lastAt = Date.now()
  const heard = talk.protocol.heard(frame, isBinary)
  if (heard.refusal !== undefined) return sayFrame(talk.client, heard.refusal, false)
  talk.fresh = addLoads(talk.fresh, heard.load)
  if (heard.begins === true && (talk.running.size > 0 || (heard.asks === true && isAsked(talk)))) return beside(talk, heard, frame, isBinary)
  const refusal = talk.running.size > 0 ? undefined : secure(talk, heard.cap)
  if (refusal instanceof Promise) return refusal.then((later) => pass(talk, later, heard, frame, isBinary))
  return pass(talk, refusal, heard, frame, isBinary)
}

/**
 * A frame at which another response may begin beside one that runs or was asked for: a vendor may make all of it before it says a word, so the
 * frame goes on once there is money for both, or once the other is over. What comes behind it waits too.
 */
async function beside(talk: Talk, heard: Heard, frame: Buffer, isBinary: boolean): Promise<void> {
  const until = Date.now() + WAIT_MS
  const goesOn = (): boolean => !talk.over && talk.ending === undefined && Date.now() < until
  while (heard.asks === true && isAsked(talk) && goesOn()) await change(talk)
  let refusal = await secure(talk, heard.cap)
  while (refusal !== undefined && talk.running.size > 0 && goesOn()) {
    await change(talk)
    refusal = await secure(talk, heard.cap)
  }
  if (!talk.over && talk.ending === undefined) await pass(talk, refusal, heard, frame, isBinary)
}

const isAsked = (talk: Talk): boolean => talk.askedAt > 0 && Date.now() - talk.askedAt < ASKED_MS
/** What was asked for is made, and billed, whoever leaves. */
const isBusy = (talk: Talk): boolean => talk.running.size > 0 || isAsked(talk)
const change = (talk: Talk): Promise<void> => new Promise((wake) => talk.waiting.push(wake))

function changed(talk: Talk): void {
  for (const wake of talk.waiting.splice(0)) wake()
}

function pass(talk: Talk, refusal: Denial | undefined, heard: Heard, frame: Buffer, isBinary: boolean): void | Promise<void> {
  if (refusal !== undefined) return leave(talk, whyOf(refusal))
  if (talk.over) return undefined
  tellLid(talk)
  if (heard.asks === true) talk.askedAt = Date.now()
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
  for (const told of talk.protocol.told(frame)) {
    if (told.kind === 'pass') continue
    if (!(await act(talk, told))) return
  }
  if (!talk.gone && !talk.over) await sayFrame(talk.client, frame, isBinary)
  else if (!talk.over && !isBusy(talk)) finish(talk)
  if (talk.running.size > 0 || talk.over) return
  if (talk.ending !== undefined) return leave(talk, talk.ending)
  const refusal = await secure(talk)
  if (refusal !== undefined) leave(talk, whyOf(refusal))
  else tellLid(talk)
}

/** False when the frame must not go on. */
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
      talk.askedAt = 0
      changed(talk)
      return true
  }
}

async function begin(talk: Talk, id: string): Promise<boolean> {
  if (talk.running.has(id)) return true
  const refusal = await secure(talk)
  const taken = refusal === undefined ? talk.stake.take() : undefined
  if (taken === undefined) {
    talk.askedAt = 0
    // Begun beside another one, and there is no money for two: the client sees nothing of it.
    if (talk.protocol.cancel !== undefined) await sayFrame(talk.upstream, talk.protocol.cancel, false)
    leave(talk, whyOf(refusal ?? 'unavailable'))
    return false
  }
  const { key, deps } = talk.visit
  const startedAt = Date.now()
  const running: Running = {
    id,
    model: talk.model,
    taken,
    ticket: talk.ticket,
    load: addLoads(talk.load, talk.fresh),
    startedAt,
    firstByteAt: 0,
    audio: 0,
    text: 0,
    covered: slice(talk),
    reserved: {
      callId: `${talk.callId}_${++talk.count}`,
      leaseId: taken.lease.leaseId,
      accountId: key.accountId,
      keyId: key.keyId,
      userId: key.userId,
      model: talk.model.id,
      upstream: talk.upstreamId,
      priceVersion: talk.model.prices.version,
      held: taken.first,
      startedAt,
      askedModel: talk.model.answersFor,
    },
  }
  talk.load = running.load
  talk.fresh = NO_LOAD
  talk.ticket = undefined
  talk.running.set(id, running)
  talk.askedAt = 0
  changed(talk)
  try {
    await deps.journal.reserve(running.reserved, true)
  } catch (error) {
    // The journal gave its own part back; the client has seen nothing, and sees nothing of it.
    deps.log.error({ error, callId: running.reserved.callId }, 'reservation failed')
    talk.running.delete(id)
    taken.rest()
    await endTicket(talk.visit, running.ticket, 0)
    leave(talk, 'unavailable')
    return false
  }
  if (talk.gone && talk.protocol.cancel !== undefined) await sayFrame(talk.upstream, talk.protocol.cancel, false)
  return true
}

async function more(talk: Talk, id: string, tokens: number, isAudio: boolean): Promise<boolean> {
  const running = talk.running.get(id)
  if (running === undefined) return true
  running.firstByteAt ||= Date.now()
  if (isAudio) running.audio += tokens
  else running.text += tokens
  const output = running.audio + running.text
  if (output <= running.covered || talk.ending !== undefined) return true
  const step = slice(talk)
  if (running.covered >= (talk.model.maxOutputTokens ?? Infinity)) return true
  const refusal = await running.taken.raise(plus(running.taken.held, outputNeed(talk.model, step)))
  if (refusal === undefined) {
    running.covered += step
    return true
  }
  // The vendor stops here and says what it came to; then the client learns why.
  talk.ending = whyOf(refusal)
  if (talk.protocol.cancel !== undefined) await sayFrame(talk.upstream, talk.protocol.cancel, false)
  else talk.upstream.close(1000)
  return true
}

async function end(talk: Talk, id: string, isAside: boolean, ending: Ending): Promise<void> {
  const running = talk.running.get(id)
  if (running === undefined) return
  talk.running.delete(id)
  changed(talk)
  const usage = await settleRunning(talk.visit, talk.protocol, running, id, ending)
  await endTicket(talk.visit, running.ticket, usage === undefined ? 0 : totalInput(usage) + totalOutput(usage))
  talk.visit.deps.metrics.call(talk.model.id, ending.status, Date.now() - running.startedAt)
  if (usage !== undefined && ending.raw !== undefined && !isAside) talk.load = loadAfter(usage)
}

/** What the vendor bills for another model beside the response: a row of its own. */
async function billApart(talk: Talk, id: string, raw: Record<string, unknown>): Promise<void> {
  const { key, deps } = talk.visit
  const model = deps.findModel(id)
  const usage = talk.protocol.usageOf(raw)
  if (model === undefined || usage === undefined) return
  const refusal = await talk.ears.raise(amountOf(linesFor(model.prices, usage, deps.findModel)))
  const taken = refusal === undefined ? talk.ears.take() : undefined
  if (taken === undefined) {
    deps.log.warn({ model: id, requestId: talk.visit.requestId }, 'no money for a transcription that was made')
    return leave(talk, 'no_money')
  }
  const startedAt = Date.now()
  const reserved = {
    callId: `${talk.callId}_${++talk.count}`,
    leaseId: taken.lease.leaseId,
    accountId: key.accountId,
    keyId: key.keyId,
    userId: key.userId,
    model: model.id,
    upstream: talk.upstreamId,
    priceVersion: model.prices.version,
    held: taken.first,
    startedAt,
    askedModel: model.answersFor,
  }
  const running: Running = {
    id: reserved.callId,
    reserved,
    taken,
    ticket: undefined,
    model,
    load: NO_LOAD,
    startedAt,
    firstByteAt: startedAt,
    audio: 0,
    text: 0,
    covered: 0,
  }
  await deps.journal.reserve(reserved, true)
  await settleRunning(talk.visit, talk.protocol, running, '', { raw, outcome: 'completed', status: 200 })
}

/** The vendor is told to stop, and read on until it has said what there was; then it is left. */
function clientGone(talk: Talk): void {
  if (talk.gone || talk.over) return
  talk.gone = true
  talk.upstream.resume()
  if (!isBusy(talk)) return finish(talk)
  const { key } = talk.visit
  talk.leaveAt = Date.now() + (talk.visit.deps.limits.drainMs ?? FAREWELL_MS)
  if (key.onDisconnect === 'abort' && talk.protocol.cancel !== undefined) void sayFrame(talk.upstream, talk.protocol.cancel, false)
  // The hub watches open sockets only, and this one's client is gone.
  setTimeout(() => talk.upstream.terminate(), talk.leaveAt - Date.now()).unref()
}

async function upstreamGone(talk: Talk, code: number, reason: Buffer): Promise<void> {
  for (const id of talk.running.keys())
    await end(talk, id, false, {
      raw: undefined,
      outcome: talk.gone ? 'client_gone' : 'upstream_cut',
      status: talk.gone ? 499 : 502,
      isLimit: talk.gone && Date.now() + TIMER_MS >= talk.leaveAt,
    })
  if (talk.ending !== undefined) leave(talk, talk.ending)
  if (talk.over) return
  finish(talk)
  // 1005, 1006 and 1015 are never sent; they say that nothing was said.
  if (!talk.gone) talk.client.close(code === 1005 || code === 1006 || code === 1015 ? 1011 : code, reason)
}
