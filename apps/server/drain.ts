import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sayClose } from '#platform/server/lane/lane.ts'
import type { Front } from './roles/gateway.ts'

export interface DrainLimits {
  /** How long requests are still taken after readiness has gone, so that a balancer notices first. */
  readonly noticeMs: number
  /** How long open requests may then go on before they are cut. */
  readonly openMs: number
}

const IDLE_LOOK_MS = 200
/** After a cut: what clients no longer wait for is settled all the same. */
const CUT_MS = 2000

/**
 * Ends a server's connections without a failed request: first every answer says `connection: close` while new requests are
 * still served, then nothing listens, and what is open comes to its end or, after `openMs`, is cut.
 */
export async function drain(app: FastifyInstance, front: Pick<Front, 'leave' | 'drain'> | undefined, { noticeMs, openMs }: DrainLimits): Promise<void> {
  const { server } = app
  sayClose(server)
  if (noticeMs > 0) await sleep(noticeMs)
  const until = Date.now() + openMs
  front?.leave()
  const closed = app.close()
  // A connection whose answer began before the drain stays open after it: nobody told its client.
  const look = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS)
  const waiting = new AbortController()
  await Promise.race([closed, sleep(openMs, undefined, { signal: waiting.signal }).catch(() => {})])
  waiting.abort()
  clearInterval(look)
  server.closeAllConnections()
  await front?.drain(Math.max(CUT_MS, until - Date.now()))
  await Promise.race([closed, sleep(CUT_MS, undefined, { ref: false })])
}
