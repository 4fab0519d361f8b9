import { Attempt } from './attempt.ts'
import type { Sink } from './attempt.ts'
import { isBytes, openBytes } from './answer/bytes.ts'
import type { Call } from './call.ts'
import { routeNow } from './choice/choose.ts'
import type { Route } from './deps.ts'
import { forwardedQuery } from './http/query.ts'
import { leaveUndialled } from './answer/leave.ts'
import { bodyFor } from './request/read-request.ts'
import { refuse } from './reply/reply.ts'
import { cancelWait, enterOrWait } from './queue/queue.ts'
import { patienceFor } from './settlement/owed.ts'
import { abandon } from './settlement/settle.ts'
import { openStream } from './answer/stream.ts'
import { endOfError, endOfFailure, endOfWhole } from './answer/whole.ts'

const SINK: Sink = {
  stream: (attempt, isEvents) =>
    !isEvents && attempt.call.facts!.media !== undefined && isBytes(attempt) ? openBytes(attempt) : openStream(attempt, isEvents),
  whole: endOfWhole,
  error: endOfError,
  failure: endOfFailure,
  dial,
}

/** Dials the chosen route. The promise of money becomes durable meanwhile. */
export function relay(call: Call): void {
  call.reserving?.then(
    () => {
      call.durable = true
    },
    (error: unknown) => reserveFailed(call, error),
  )
  if (call.gone) {
    leaveUndialled(call)
    return
  }
  const route = routeNow(call)
  if (route.upstream.gate === undefined || enterOrWait(call, route, dial)) dial(call, route)
}

/** The promise could not be written: the client gets nothing but an error, and the upstream is left. */
function reserveFailed(call: Call, error: unknown): void {
  call.deps.log.error({ error, callId: call.reserved!.callId }, 'reservation failed')
  call.attempt?.abort()
  cancelWait(call)
  abandon(call)
  refuse(call, { cause: 'unavailable', message: 'The request could not be accounted for, so it was not made. Try again shortly; nothing was charged.' }, '1')
}

function dial(call: Call, route: Route): void {
  const attempt = new Attempt(call, route, SINK)
  const { upstream } = route
  call.route = route
  call.tried.push(route)
  call.attempt = attempt
  const { translation } = call
  // The headers of another vendor's client mean nothing there.
  const headers = upstream.authHeaders.concat(translation === undefined ? call.head.forward : ['content-type', 'application/json', ...translation.headers])
  if (upstream.callIdHeader !== undefined && call.reserved !== undefined) headers.push(upstream.callIdHeader, call.reserved.callId)
  try {
    attempt.exchange = upstream.client.send(
      {
        origin: upstream.origin,
        path: `${upstream.basePath}${call.rules!.upstreamPath(route.upstreamModel, translation?.method ?? call.target!.method)}${translation?.query ?? forwardedQuery(call.surface, call.located.query)}`,
        headers,
        body: bodyFor(call, route.upstreamModel),
        ...patienceFor(call, route),
      },
      attempt,
    )
  } catch (error) {
    // Headers and paths that HTTP does not allow; the client may be closed.
    call.deps.log.warn({ error, requestId: call.requestId }, 'dial refused')
    attempt.over = true
    attempt.leave()
    endOfFailure(attempt, 'upstream_failed')
  }
}
