import { plus } from '#platform/shared/money.ts'
import type { Model } from '../../deps.ts'
import { amountOf, linesFor } from '../../settlement/pricing.ts'
import { totalInput, totalOutput } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import { NO_LOAD } from '../rules.ts'
import { sayFrame } from '../say.ts'
import { answered } from './ahead.ts'
import { begun, promise } from './asking.ts'
import { isStirred } from './echo.ts'
import { leave } from './ending.ts'
import { loadAfter, outputNeed } from './need.ts'
import { settleRunning, usageTold } from './running.ts'
import type { Ending, Promised, Running } from './running.ts'
import { nextName, nextNeed, nextOutput, secure, slice, whyOf } from './secure.ts'
import type { Talk } from './talk.ts'
import { endTicket } from './ticket.ts'
import { changed } from './waking.ts'

/** Begins a response: its open row is durable before the client sees any of it. False if the frame must be dropped. */
export async function begin(talk: Talk, id: string): Promise<boolean> {
  if (talk.running.has(id)) return true
  const asked = begun(talk)
  // It may be the answer to earlier speech: the requested one is then still to come.
  if (asked !== undefined && isStirred(talk)) talk.stirredAt = Math.max(talk.stirredAt, asked.saidAt)
  // Begun by the vendor itself: it is billed in any case, so take what money there is.
  const refusal = asked === undefined ? await secure(talk) : undefined
  if (asked === undefined) await talk.stake.scrape(nextNeed(talk, nextOutput(talk)))
  const promised = asked ?? promise(talk, nextOutput(talk))
  // not earlier: until its money is promised, waiting frames would count on it too
  if (asked === undefined) answered(talk)
  if (promised === undefined) {
    // The client sees nothing of a response without money.
    await cancel(talk)
    leave(talk, whyOf(refusal ?? 'unavailable'))
    return false
  }
  const running = runningOf(talk, promised.ticket?.callId ?? nextName(talk), talk.model, id, promised)
  talk.running.set(id, running)
  changed(talk)
  const { journal, log } = talk.visit.deps
  try {
    await journal.reserve(running.reserved, true)
  } catch (error) {
    // The journal gave its own part back; the client has seen nothing, and sees nothing of it.
    log.error({ error, callId: running.reserved.callId }, 'reservation failed')
    talk.running.delete(id)
    running.taken.rest()
    await endTicket(talk.visit, running.ticket, 0)
    leave(talk, 'unavailable')
    return false
  }
  if (refusal !== undefined) leave(talk, whyOf(refusal))
  if (talk.gone || refusal !== undefined) await cancel(talk)
  return true
}

/** Asks the vendor to stop, if the protocol can; it still reports the usage. */
async function cancel(talk: Talk): Promise<void> {
  if (talk.protocol.cancel !== undefined) await sayFrame(talk.upstream, talk.protocol.cancel, false)
}

function runningOf(talk: Talk, callId: string, model: Model, id: string, { taken, ticket, load, covered }: Promised): Running {
  const { key } = talk.visit
  const startedAt = Date.now()
  return {
    taken,
    ticket,
    load,
    covered,
    id,
    model,
    startedAt,
    firstByteAt: 0,
    audio: 0,
    text: 0,
    reserved: {
      callId,
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
    },
  }
}

/** Records more output of a response. False if the frame must be dropped. */
export async function more(talk: Talk, id: string, tokens: number, isAudio: boolean): Promise<boolean> {
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
  if (talk.protocol.cancel === undefined) talk.upstream.close(1000)
  else await cancel(talk)
  return true
}

/** A response has ended: its row is durable when this resolves. */
export async function end(talk: Talk, id: string, isAside: boolean, ending: Ending): Promise<void> {
  const running = talk.running.get(id)
  if (running === undefined) return
  talk.running.delete(id)
  // before the wait: the vendor answers what is said meanwhile with this response as its input
  const told = usageTold(talk.protocol, running.model, ending.raw)
  if (!isAside && told !== undefined && totalInput(told) > 0) talk.load = loadAfter(told)
  changed(talk)
  const usage = await settleRunning(talk.visit, talk.protocol, running, id, ending)
  await endTicket(talk.visit, running.ticket, usage === undefined ? 0 : totalInput(usage) + totalOutput(usage))
  talk.visit.deps.metrics.call(talk.model.id, ending.status, Date.now() - running.startedAt)
}

/** Bills another model that the vendor charges separately, as its own row. */
export async function billApart(talk: Talk, id: string, raw: Raw): Promise<void> {
  const { deps } = talk.visit
  const model = deps.findModel(id)
  const usage = talk.protocol.usageOf(raw)
  if (model === undefined || usage === undefined) return
  const amount = amountOf(linesFor(model.prices, usage, deps.findModel))
  const refusal = await talk.ears.raise(amount)
  if (refusal !== undefined) await talk.ears.scrape(amount)
  const taken = talk.ears.take(amount)
  if (taken !== undefined) {
    const running = runningOf(talk, `${talk.callId}_a${++talk.apart}`, model, '', { taken, ticket: undefined, load: NO_LOAD, covered: 0 })
    running.firstByteAt = running.startedAt
    await deps.journal.reserve(running.reserved, true)
    await settleRunning(talk.visit, talk.protocol, running, '', { raw, outcome: 'completed', status: 200 })
  }
  if (refusal === undefined && taken !== undefined) return
  deps.log.warn({ model: id, requestId: talk.visit.requestId }, 'too little money for a transcription that was made')
  leave(talk, whyOf(refusal ?? 'unavailable'))
}
