import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { announceClose } from '#platform/server/lane/lane.ts'
import type { GatewayFront } from './roles/gateway.ts'

export interface DrainLimits {
  /** Time in which requests are still accepted after readiness is off, so that the load balancer notices first. */
  readonly noticeMs: number
  /** Time for open requests to end before they are aborted. */
  readonly openMs: number
}

const IDLE_POLL_MS = 200
/** Time to settle calls whose client connections were cut. */
const SETTLE_CUT_MS = 2000

/**
 * Drains a server without a failed request: first every response says `connection: close` while new requests are still served, then the listener
 * closes, and open requests end by themselves or are cut after `openMs`.
 */
export async function drain(app: FastifyInstance, front: Pick<GatewayFront, 'leave' | 'drain'> | undefined, { noticeMs, openMs }: DrainLimits): Promise<void> {
  const { server } = app
  announceClose(server)
  if (noticeMs > 0) await sleep(noticeMs)
  const until = Date.now() + openMs
  front?.leave()
  const closed = app.close()
  // A response that began before the drain carried no `connection: close`, so its connection stays open and must be closed here once idle.
  const look = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS)
  const waiting = new AbortController()
  await Promise.race([closed, sleep(openMs, undefined, { signal: waiting.signal }).catch(() => {})])
  waiting.abort()
  clearInterval(look)
  server.closeAllConnections()
  await front?.drain(Math.max(SETTLE_CUT_MS, until - Date.now()))
  await Promise.race([closed, sleep(SETTLE_CUT_MS, undefined, { ref: false })])
}
