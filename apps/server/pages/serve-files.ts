import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Options for all folders of built pages; names in `assets` hold their content's hash. */
const COMMON_OPTIONS = { index: false, preCompressed: true, cacheControl: false } as const

/**
 * Serves a folder of built pages with these headers: `assets` is cached forever, the rest always revalidated. One wildcard route serves all assets,
 * because a route for each of a thousand files took a tenth of a start; other files get a route each.
 */
export async function serveFiles(app: FastifyInstance, root: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const withCache = (cache: string) => ({
    setHeaders: (reply: { header: (name: string, value: string) => unknown }) => {
      for (const [name, value] of Object.entries(headers)) reply.header(name, value)
      reply.header('cache-control', cache)
    },
  })
  await app.register(fastifyStatic, { ...COMMON_OPTIONS, ...withCache('no-cache'), root, wildcard: false, globIgnore: ['assets/**'] })
  const assets = join(root, 'assets')
  if (existsSync(assets))
    await app.register(fastifyStatic, {
      ...COMMON_OPTIONS,
      ...withCache('public, max-age=31536000, immutable'),
      root: assets,
      prefix: '/assets/',
      decorateReply: false,
      dotfiles: 'ignore',
      allowedPath: (path) => !path.endsWith('/'),
    })
}
