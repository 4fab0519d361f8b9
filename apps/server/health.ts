import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/server/feature.ts'
import { askDatabase } from './data.ts'
import { registry } from '#platform/server/metrics.ts'

/** Alive, ready (the database answers), and what a scrape sees. */
export function mountHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await askDatabase(deps.db)
    return reply.status(ready ? 200 : 503).send({ ready })
  })
  app.get('/metrics', async (request, reply) => {
    if (!/^(::ffff:)?127\.|^::1$/.test(request.ip)) return reply.status(403).send('metrics are for this machine')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
