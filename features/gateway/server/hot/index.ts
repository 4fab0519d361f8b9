import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createAccountGate } from './admission/account-limits.ts'
import type { AccountGate } from './admission/account-limits.ts'
import { admit } from './admission/admit.ts'
import { authenticateCall } from './request/authenticate.ts'
import { needsSlices } from './body/bounds.ts'
import { createBodyMemory, releaseRoom } from './body/memory.ts'
import { mayBeLargeBody } from './body/read-body.ts'
import { getEndStatus, reportIfDone, openCall, removeCall } from './call.ts'
import type { GatewayCall } from './call.ts'
import type { ClientRequest, ClientResponse } from './client.ts'
import type { HotDeps } from './deps.ts'
import { isWithinFreeLimit } from './admission/free-limit.ts'
import { answerFunds } from './beside/funds.ts'
import { readCallHead } from './request/head.ts'
import { createCallKey } from './ids.ts'
import { checkReferenceOwner } from './kept/owner.ts'
import { handleClientLeft, stopAtShutdown } from './answer/leave.ts'
import { answerModels } from './beside/models.ts'
import { answerPreflight, answerUnsupportedRoute, writeRawRefusal } from './beside/unsupported-routes.ts'
import { answerQuote } from './beside/quote.ts'
import { readCallRequest } from './request/read-request.ts'
import { relay } from './relay.ts'
import { sendCallRefusal } from './reply/reply.ts'
import { isModelRequest, isModelPath, locate } from './request/locate.ts'
import { createBreakers } from './choice/breakers.ts'
import { createSockets } from './sockets/index.ts'
import { checkAccountStatus } from './request/account-status.ts'
import { createTicker } from './answer/ticker.ts'
import { createTrust } from './settlement/trust.ts'

export type * from './deps.ts'

export interface Relay {
  /** True for the model API's paths. With the raw headers also for unknown paths under /v1 that a model client requests. */
  handles(url: string, rawHeaders?: readonly string[]): boolean
  /** Answers the request; never throws, never rejects. */
  handle(req: ClientRequest, res: ClientResponse): void
  /** For the server's `clientError`: refuses malformed HTTP in the model API's shape. */
  clientError(error: NodeJS.ErrnoException, socket: Duplex): void
  /** For the server's `upgrade`: the surfaces of sockets/; on other paths a 426, at which clients fall back to HTTPS at once. */
  upgrade(req: IncomingMessage, socket: Duplex, early: Buffer): void
  /** Asks socket clients to reconnect elsewhere, each after its open turn. Calls continue. */
  leave(): void
  /** Accepts no new calls; resolves when the open ones are settled or `ms` have passed. */
  drain(ms: number): Promise<void>
  openCalls(): number
}

/** Time to settle calls cut at the end of a drain, in ms; the sweeper settles the rest. */
const SETTLE_MS = 2_000

/** The model API: readHead -> authenticate -> (standing) -> readCallRequest -> admit -> relay -> settle. See README.md. */
export function createRelay(deps: HotDeps): Relay {
  const calls: GatewayCall[] = []
  const breakers = createBreakers(deps)
  const trust = createTrust(deps.random, () => deps.accountShare?.().nodes ?? 1)
  const bodies = createBodyMemory(deps.limits.bodiesBytes ?? Infinity)
  const accounts = createAccountGate(deps.accountShare)
  const ticker = createTicker(deps.limits, calls)
  let closing = false

  const onDone = (call: GatewayCall): void => {
    if (!removeCall(calls, call)) return
    releaseRoom(call)
    accounts.leave(call)
    if (call.streaming) deps.metrics.stream(-1)
    deps.metrics.call(call.model?.id ?? '', getEndStatus(call), Date.now() - call.startedAt)
  }

  const handle = (req: ClientRequest, res: ClientResponse): void => {
    const located = locate(req.url ?? '/')
    const call = openCall({
      req,
      res,
      deps,
      breakers,
      trust,
      bodies,
      onDone,
      slot: calls.length,
      located,
      head: readCallHead(req.rawHeaders, located),
      key24: createCallKey(Date.now()),
    })
    calls.push(call)
    ticker.wake()
    res.on('close', () => {
      if (!res.writableFinished) {
        call.cutByUs = closing
        handleClientLeft(call)
      }
      call.phase = 'closed'
      reportIfDone(call)
    })
    processCall(call, accounts, closing).catch((error: unknown) => {
      deps.log.error({ error, requestId: call.requestId }, 'relay failed')
      if (call.sent) res.destroy()
      else sendCallRefusal(call, { cause: 'unavailable', message: 'Something went wrong here; it is logged under this request id.' })
    })
  }

  const sockets = createSockets(deps, breakers, bodies, handle)
  return {
    handles: (url, rawHeaders) => isModelPath(url) || (rawHeaders !== undefined && isModelRequest(url, rawHeaders)),
    handle,
    clientError: (error, socket) =>
      writeRawRefusal(
        socket,
        error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'body_timeout' : 'bad_request',
      ),
    upgrade: sockets.upgrade,
    openCalls: () => calls.length,
    leave: sockets.drain,
    async drain(ms) {
      closing = true
      const until = Date.now() + ms
      sockets.drain()
      const isOpen = (): boolean => calls.length > 0 || sockets.open() > 0
      while (isOpen() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
      sockets.cut()
      for (const call of [...calls]) stopAtShutdown(call)
      const settled = Date.now() + SETTLE_MS
      while (calls.some((call) => call.money === 'settling') && Date.now() < settled) await new Promise((resolve) => setTimeout(resolve, 20))
    },
  }
}

async function processCall(call: GatewayCall, accounts: AccountGate, closing: boolean): Promise<void> {
  const { target } = call.located
  if (call.req.method === 'OPTIONS') return answerPreflight(call)
  if (closing) return sendCallRefusal(call, { cause: 'unavailable', message: 'This server is restarting. Send the request again.' }, '1')
  if (target.verb === undefined) return answerUnsupportedRoute(call)
  if (call.req.method !== target.verb && !(call.req.method === 'HEAD' && target.verb === 'GET'))
    return sendCallRefusal(call, { cause: 'no_method', message: `Not allowed to ${call.req.method} on ${call.located.path}; use ${target.verb}.` })
  const known = authenticateCall(call)
  if (known !== true && !(await known)) return
  if ((target.kind !== 'generate' || target.free) && !isWithinFreeLimit(call)) return
  if (target.kind === 'models') return answerModels(call, target.model)
  if (target.kind === 'funds') return answerFunds(call, target.form)
  if ((target.kind === 'quote' || !target.free) && !accounts.enter(call)) return
  if (mayBeLargeBody(call) && needsMoney(target) && !(await checkAccountStatus(call))) return
  if (target.kind === 'quote') return answerQuote(call)
  if (!(await readCallRequest(call, target))) return
  const isLong = needsSlices(call.body)
  if (isLong) await nextTurn()
  const own = checkReferenceOwner(call)
  if (own !== true && !(await own)) return
  if (isLong) await nextTurn()
  if (call.gone) return
  const admitted = admit(call)
  if (admitted === true || (await admitted)) relay(call)
}

/** Moderation is always free; so is counting tokens, and its calls are few. */
const needsMoney = (target: GatewayCall['located']['target']): boolean => target.kind === 'generate' && !target.free && target.dialect !== 'openai-moderations'
