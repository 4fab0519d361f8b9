import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/server/feature.ts'
import { registry } from '#platform/server/metrics.ts'
import { askDatabase } from './data.ts'

/** Whether requests should be sent to this process. */
export interface Readiness {
  ready(): Promise<boolean>
  /** From now on no: the process is about to end. */
  leave(): void
}

const ASK_MS = 1000
/**
 * A database that restarts is away from every process at once: taking them all out would give callers the balancer's own error
 * page in place of an answer in their vendor's shape. One process that alone has lost it for this long is taken out.
 */
const LOST_MS = 5000

export function createReadiness(ask: () => Promise<boolean>, now: () => number = Date.now): Readiness {
  let leaving = false
  let askedAt = 0
  let answeredAt = now()
  let asking: Promise<void> | undefined
  const question = async () => {
    askedAt = now()
    if (await ask()) answeredAt = now()
  }
  return {
    ready: async () => {
      if (now() - askedAt > ASK_MS) asking ??= question().finally(() => (asking = undefined))
      let timer: NodeJS.Timeout | undefined
      await Promise.race([asking, new Promise((done) => (timer = setTimeout(done, ASK_MS)))])
      clearTimeout(timer)
      return !leaving && now() - answeredAt < LOST_MS
    },
    leave: () => {
      leaving = true
    },
  }
}

/** Alive, ready (taking requests, and the database is there), and what a scrape sees. */
export function mountHealth(app: FastifyInstance, deps: Deps): Readiness {
  const readiness = createReadiness(() => askDatabase(deps.db))
  const token = deps.config.METRICS_TOKEN
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await readiness.ready()
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready })
  })
  app.get('/metrics', async (request, reply) => {
    const isLocal = /^(::ffff:)?127\.|^::1$/.test(request.ip)
    if (!isLocal && !(token && isSame(request.headers.authorization ?? '', `Bearer ${token}`)))
      return reply.status(403).send('metrics are for this machine, or for who has METRICS_TOKEN')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return readiness
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
