import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/server/feature.ts'
import type { Pages } from '#platform/server/http/http.ts'
import { inScript, toServed } from './document.ts'

/** This origin and nothing else: no frame, no foreign script, no form that leaves. Inline styles are what menus and dialogs are placed by. */
const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data: blob:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
}

/** The operators' app from the folder it was built into; without one the origin has its endpoints alone. */
export async function mountConsolePages(app: FastifyInstance, built: string, { deps, pages }: { readonly deps: Deps; readonly pages: Pages }): Promise<void> {
  const index = join(built, 'index.html')
  if (!existsSync(index)) {
    deps.log.warn({ folder: built }, 'operators’ pages are not built')
    return
  }
  await app.register(fastifyStatic, {
    root: built,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      for (const [name, value] of Object.entries(HEADERS)) reply.header(name, value)
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const { BRAND_NAME: brand, BRAND_NAME_ZH: brandZh, STAGE: stage } = deps.config
  const facts = inScript({ brand, brandZh, stage, origin: deps.siteUrl() })
  const { text, etag } = await toServed(readFileSync(index, 'utf8').replace('<script type="application/json" id="site">', (tag) => `${tag}${facts}`))
  pages.document = (request, reply) => {
    void reply.headers({ ...HEADERS, 'cache-control': 'no-cache', etag }).type('text/html; charset=utf-8')
    return request.headers['if-none-match']?.includes(etag) ? reply.status(304).send() : reply.send(text)
  }
}
