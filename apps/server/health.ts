import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/server/feature.ts'
import { registry } from '#platform/server/metrics.ts'
import type { WriteResult } from './watch/write-probe.ts'

/** Reports to the load balancer, through /readyz, whether this process accepts requests. */
export interface Readiness {
  ready(): boolean
  /** Turns readiness off for good, before the process ends. */
  leave(): void
}

/** A lost session that reconnects, or a restart within a second, does not turn readiness off. */
const GRACE_MS = 1_000

interface ReadinessOptions {
  readonly written: () => Pick<WriteResult, 'failingSince'>
  /** The model API is refusing new calls. */
  readonly isRefusing: () => boolean
  readonly now?: () => number
}

/** Ready while this process can write to the database and the model API accepts calls; answers from memory. */
export function createReadiness({ written, isRefusing, now = () => performance.now() }: ReadinessOptions): Readiness {
  let leaving = false
  let refusingSince: number | undefined
  const isLost = (since: number | undefined) => since !== undefined && now() - since >= GRACE_MS
  return {
    ready: () => {
      refusingSince = isRefusing() ? (refusingSince ?? now()) : undefined
      return !leaving && !isLost(refusingSince) && !isLost(written().failingSince)
    },
    leave: () => {
      leaving = true
    },
  }
}

/** Mounts /healthz (alive), /readyz (accepts requests, and the database is writable) and /metrics. */
export function mountHealth(app: FastifyInstance, deps: Deps, options: ReadinessOptions): Readiness {
  const readiness = createReadiness(options)
  const token = deps.config.METRICS_TOKEN
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async (_request, reply) => {
    const ready = readiness.ready()
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
