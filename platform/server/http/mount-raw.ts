import type { FastifyInstance } from 'fastify'
import type { Deps, RawRoute } from '../feature.ts'

/** Default maximum size of a body in bytes. */
export const BODY_LIMIT = 1_000_000

/** Routes outside the contract: raw bytes in, raw bytes out. */
export function mountRaw(scope: FastifyInstance, deps: Deps, routes: readonly RawRoute[]): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  for (const route of routes) {
    scope.route({
      method: route.method,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: route.bodyLimit ?? BODY_LIMIT,
      handler: async (request, reply) => {
        const answer = await route.handle(deps, {
          params: request.params as Record<string, string>,
          query: request.query as Record<string, string>,
          headers: request.headers,
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          ip: request.ip,
          requestId: request.id,
        })
        return reply
          .status(answer.status)
          .headers({ 'cache-control': 'no-store', ...answer.headers })
          .type(answer.type)
          .send(answer.body)
      },
    })
  }
}
