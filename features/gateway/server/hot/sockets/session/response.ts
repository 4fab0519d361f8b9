import { addNano } from '#platform/shared/money.ts'
import type { GatewayModel } from '../../deps.ts'
import { sumUsageLines, buildUsageLines } from '../../settlement/pricing.ts'
import { sumInput, sumOutput } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import { NO_LOAD } from '../rules.ts'
import { sendFrame } from '../send-frames.ts'
import { recordAutoAnswer } from './ahead.ts'
import { endResponseRequest, promiseResponse } from './response-requests.ts'
import { mayAutoAnswer } from './echo.ts'
import { closeWhenQuiet } from './ending.ts'
import { computeLoadAfter, computeOutputCost } from './need.ts'
import { settleRunning, readVendorUsage } from './running.ts'
import type { ResponseEnding, PromisedResponse, RunningResponse } from './running.ts'
import { createResponseName, computeNextCost, computeNextOutput, secureNextResponse, computeCoveredOutput, toCloseCause } from './secure.ts'
import type { VendorSession } from './talk.ts'
import { releaseTicket } from './ticket.ts'
import { notifySessionChange } from './session-changes.ts'

/** Begins a response: its open row is durable before the client sees any of it. False if the frame must be dropped. */
export async function beginResponse(talk: VendorSession, id: string): Promise<boolean> {
  if (talk.running.has(id)) return true
  const asked = endResponseRequest(talk)
  // It may answer earlier speech: the requested response is then still to come.
  if (asked !== undefined && mayAutoAnswer(talk)) talk.stirredAt = Math.max(talk.stirredAt, asked.saidAt)
  // The vendor began it by itself and bills it in any case, so reserve the money that is available.
  const refusal = asked === undefined ? await secureNextResponse(talk) : undefined
  if (asked === undefined) await talk.stake.scrape(computeNextCost(talk, computeNextOutput(talk)))
  const promised = asked ?? promiseResponse(talk, computeNextOutput(talk))
  // not earlier: until its money is promised, waiting frames would also count on it
  if (asked === undefined) recordAutoAnswer(talk)
  if (promised === undefined) {
    // The client receives nothing of a response without money.
    await cancelAtVendor(talk)
    closeWhenQuiet(talk, toCloseCause(refusal ?? 'unavailable'))
    return false
  }
  const running = buildRunningResponse(talk, promised.ticket?.callId ?? createResponseName(talk), talk.model, id, promised)
  talk.running.set(id, running)
  notifySessionChange(talk)
  const { journal, log } = talk.visit.deps
  try {
    await journal.reserve(running.reserved, true)
  } catch (error) {
    // The journal released its own part; the client has received nothing of it, and will not.
    log.error({ error, callId: running.reserved.callId }, 'reservation failed')
    talk.running.delete(id)
    running.taken.rest()
    await releaseTicket(talk.visit, running.ticket, 0)
    closeWhenQuiet(talk, 'unavailable')
    return false
  }
  if (refusal !== undefined) closeWhenQuiet(talk, toCloseCause(refusal))
  if (talk.gone || refusal !== undefined) await cancelAtVendor(talk)
  return true
}

/** Asks the vendor to stop, if the protocol can; it still reports the usage. */
async function cancelAtVendor(talk: VendorSession): Promise<void> {
  if (talk.protocol.cancel !== undefined) await sendFrame(talk.upstream, talk.protocol.cancel, false)
}

function buildRunningResponse(
  talk: VendorSession,
  callId: string,
  model: GatewayModel,
  id: string,
  { taken, ticket, load, covered }: PromisedResponse,
): RunningResponse {
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
export async function recordOutput(talk: VendorSession, id: string, tokens: number, isAudio: boolean): Promise<boolean> {
  const running = talk.running.get(id)
  if (running === undefined) return true
  running.firstByteAt ||= Date.now()
  if (isAudio) running.audio += tokens
  else running.text += tokens
  const output = running.audio + running.text
  if (output <= running.covered || talk.ending !== undefined) return true
  const step = computeCoveredOutput(talk)
  if (running.covered >= (talk.model.maxOutputTokens ?? Infinity)) return true
  const refusal = await running.taken.raise(addNano(running.taken.held, computeOutputCost(talk.model, step)))
  if (refusal === undefined) {
    running.covered += step
    return true
  }
  // The vendor stops here and reports the usage; then the client receives the reason.
  talk.ending = toCloseCause(refusal)
  if (talk.protocol.cancel === undefined) talk.upstream.close(1000)
  else await cancelAtVendor(talk)
  return true
}

/** A response has ended: its row is durable when this resolves. */
export async function endResponse(talk: VendorSession, id: string, isAside: boolean, ending: ResponseEnding): Promise<void> {
  const running = talk.running.get(id)
  if (running === undefined) return
  talk.running.delete(id)
  // before the wait: the vendor treats this response as input of anything it answers meanwhile
  const told = readVendorUsage(talk.protocol, running.model, ending.raw)
  if (!isAside && told !== undefined && sumInput(told) > 0) talk.load = computeLoadAfter(told)
  notifySessionChange(talk)
  const usage = await settleRunning(talk.visit, talk.protocol, running, id, ending)
  await releaseTicket(talk.visit, running.ticket, usage === undefined ? 0 : sumInput(usage) + sumOutput(usage))
  talk.visit.deps.metrics.call(talk.model.id, ending.status, Date.now() - running.startedAt)
}

/** Bills another model that the vendor charges separately, as its own row. */
export async function billSeparateModel(talk: VendorSession, id: string, raw: Raw): Promise<void> {
  const { deps } = talk.visit
  const model = deps.findModel(id)
  const usage = talk.protocol.usageOf(raw)
  if (model === undefined || usage === undefined) return
  const amount = sumUsageLines(buildUsageLines(model.prices, usage, deps.findModel))
  const refusal = await talk.ears.raise(amount)
  if (refusal !== undefined) await talk.ears.scrape(amount)
  const taken = talk.ears.take(amount)
  if (taken !== undefined) {
    const running = buildRunningResponse(talk, `${talk.callId}_a${++talk.apart}`, model, '', { taken, ticket: undefined, load: NO_LOAD, covered: 0 })
    running.firstByteAt = running.startedAt
    await deps.journal.reserve(running.reserved, true)
    await settleRunning(talk.visit, talk.protocol, running, '', { raw, outcome: 'completed', status: 200 })
  }
  if (refusal === undefined && taken !== undefined) return
  deps.log.warn({ model: id, requestId: talk.visit.requestId }, 'too little money for a transcription that was made')
  closeWhenQuiet(talk, toCloseCause(refusal ?? 'unavailable'))
}
