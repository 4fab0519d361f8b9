import type { FastifyInstance } from 'fastify'
import type { Deps, Feature } from '#platform/server/feature.ts'
import { mountRaw } from '#platform/server/http/mount-raw.ts'
import { buildFaultRoutes } from './sandbox-faults.ts'
import { toPanelId, renderSandboxPage } from './sandbox-page.ts'

const REFRESH_SECONDS = 5

/** Mounts `/sandbox`: confirm payments, read captured mails, and find the magic inputs. */
export async function mountSandbox(app: FastifyInstance, deps: Deps, features: readonly Feature[]): Promise<void> {
  const sources = features.flatMap((feature) => feature.sandboxPanels ?? [])
  await app.register(async (scope) => mountRaw(scope, deps, buildFaultRoutes(features)))
  app.get('/sandbox', async (request, reply) => {
    const { panel, live } = request.query as Readonly<Record<string, unknown>>
    const panels = (await Promise.all(sources.map((source) => source(deps)))).toSorted((a, b) => (a.order ?? 1) - (b.order ?? 1))
    const found = panels.findIndex((one) => toPanelId(one) === panel)
    const shown = Math.max(found, 0)
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        ...(live === '0' ? {} : { refresh: String(REFRESH_SECONDS) }),
        'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      })
      .send(renderSandboxPage(panels, shown, live !== '0'))
  })
}
