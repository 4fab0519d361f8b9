import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { resolveConsolePort } from '#platform/server/config.ts'
import type { Deps, Feature } from '#platform/server/feature.ts'
import { createHttp } from '#platform/server/http/http.ts'
import { createTextFormatter } from '#platform/server/text-formatter.ts'
import type { Pages } from '#platform/server/http/http.ts'
import { commonTexts } from '#platform/shared/common-texts.ts'
import { mountConsolePages } from '../pages/serve-console.ts'

/** Serves the operators' origin on a separate port, without the customers' routes and pages. `built`: the folder of its pages. */
export async function listenConsole(deps: Deps, features: readonly Feature[], built?: string): Promise<FastifyInstance> {
  const { CONSOLE_HOST, REUSE_PORT } = deps.config
  const speak = createTextFormatter([commonTexts, ...features.flatMap((feature) => feature.texts ?? [])])
  const pages: Pages = {}
  const app = createHttp({ deps, features, speak, surface: 'operators', roles: new Set(['console']), pages })
  if (built) await mountConsolePages(app, built, { deps, pages, features })
  await app.listen({ port: resolveConsolePort(deps.config), host: CONSOLE_HOST, ...(REUSE_PORT ? { reusePort: true } : {}) })
  deps.log.info({ consolePort: (app.server.address() as AddressInfo).port }, 'operators’ origin listening')
  return app
}
