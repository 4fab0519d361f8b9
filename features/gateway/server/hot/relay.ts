import { Attempt } from './attempt.ts'
import type { AttemptSink } from './attempt.ts'
import { isByteAnswer, openByteRelay } from './answer/bytes.ts'
import type { GatewayCall } from './call.ts'
import { confirmRoute } from './choice/choose.ts'
import type { Route } from './deps.ts'
import { buildForwardedQuery } from './http/query.ts'
import { settleUndialled } from './answer/leave.ts'
import { buildUpstreamBody } from './request/read-request.ts'
import { sendCallRefusal } from './reply/reply.ts'
import { cancelWait, enterOrWait } from './queue/queue.ts'
import { computeTimeouts } from './settlement/owed.ts'
import { abandonCall } from './settlement/settle.ts'
import { openStream } from './answer/stream.ts'
import { finishErrorAnswer, finishFailedAttempt, finishWholeAnswer } from './answer/whole.ts'

const SINK: AttemptSink = {
  stream: (attempt, isEvents) =>
    !isEvents && attempt.call.facts!.media !== undefined && isByteAnswer(attempt) ? openByteRelay(attempt) : openStream(attempt, isEvents),
  whole: finishWholeAnswer,
  error: finishErrorAnswer,
  failure: finishFailedAttempt,
  dial,
}

/** Dials the chosen route. The promise of money becomes durable meanwhile. */
export function relay(call: GatewayCall): void {
  call.reserving?.then(
    () => {
      call.durable = true
    },
    (error: unknown) => handleReserveFailure(call, error),
  )
  if (call.gone) {
    settleUndialled(call)
    return
  }
  const route = confirmRoute(call)
  if (route.upstream.gate === undefined || enterOrWait(call, route, dial)) dial(call, route)
}

/** Handles a promise that could not be written: the client gets only an error, and the upstream request is aborted. */
function handleReserveFailure(call: GatewayCall, error: unknown): void {
  call.deps.log.error({ error, callId: call.reserved!.callId }, 'reservation failed')
  call.attempt?.abort()
  cancelWait(call)
  abandonCall(call)
  sendCallRefusal(
    call,
    { cause: 'unavailable', message: 'The request could not be accounted for, so it was not made. Try again shortly; nothing was charged.' },
    '1',
  )
}

function dial(call: GatewayCall, route: Route): void {
  const attempt = new Attempt(call, route, SINK)
  const { upstream } = route
  call.route = route
  call.tried.push(route)
  call.attempt = attempt
  const { translation } = call
  // Headers of another vendor's client are meaningless there.
  const headers = upstream.authHeaders.concat(translation === undefined ? call.head.forward : ['content-type', 'application/json', ...translation.headers])
  if (upstream.callIdHeader !== undefined && call.reserved !== undefined) headers.push(upstream.callIdHeader, call.reserved.callId)
  try {
    attempt.exchange = upstream.client.send(
      {
        origin: upstream.origin,
        path: `${upstream.basePath}${call.rules!.upstreamPath(route.upstreamModel, translation?.method ?? call.target!.method)}${translation?.query ?? buildForwardedQuery(call.surface, call.located.query)}`,
        headers,
        body: buildUpstreamBody(call, route.upstreamModel),
        ...computeTimeouts(call, route),
      },
      attempt,
    )
  } catch (error) {
    // Headers and paths that HTTP does not allow; the upstream client may also be closed.
    call.deps.log.warn({ error, requestId: call.requestId }, 'dial refused')
    attempt.over = true
    attempt.leave()
    finishFailedAttempt(attempt, 'upstream_failed')
  }
}
