import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Deps, Feature } from '#platform/server/feature.ts'
import type { Pages } from '#platform/server/http/http.ts'
import { escapeForScript, compressDocument } from './document.ts'
import { serveFiles } from './serve-files.ts'

/**
 * Policy: this origin only, without foreign scripts or form targets, and no frames except the windows in which issuers show a card. Inline
 * styles position menus and dialogs.
 */
const buildPolicy = (frames: readonly string[]): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    ...(frames.length ? [`frame-src ${[...new Set(frames)].join(' ')}`] : []),
  ].join('; ')

const HEADERS = {
  'content-security-policy': buildPolicy([]),
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
}

interface ConsoleParts {
  readonly deps: Deps
  readonly pages: Pages
  readonly features: readonly Feature[]
}

/** Serves the operators' app from its build folder; without one the origin has its endpoints only. */
export async function mountConsolePages(app: FastifyInstance, built: string, { deps, pages, features }: ConsoleParts): Promise<void> {
  const index = join(built, 'index.html')
  if (!existsSync(index)) {
    deps.log.warn({ folder: built }, 'operators’ pages are not built')
    return
  }
  await serveFiles(app, built, HEADERS)
  const { BRAND_NAME: brand, BRAND_NAME_ZH: brandZh, STAGE: stage } = deps.config
  const facts = escapeForScript({ brand, brandZh, stage, origin: deps.siteUrl() })
  const { text, etag } = await compressDocument(readFileSync(index, 'utf8').replace('<script type="application/json" id="site">', (tag) => `${tag}${facts}`))
  pages.document = async (request, reply) => {
    const frames = await listFrameOrigins(deps, features)
    // On 304 a browser keeps the old policy, so the ETag covers the policy too.
    const tag = etag.replace(/"$/, `-${createHash('sha256').update(frames.join()).digest('hex').slice(0, 8)}"`)
    void reply
      .headers({ ...HEADERS, 'content-security-policy': buildPolicy(frames), 'cache-control': 'no-cache', 'etag': tag })
      .type('text/html; charset=utf-8')
    return request.headers['if-none-match']?.includes(tag) ? reply.status(304).send() : reply.send(text)
  }
}

/** Origins that the operators' pages may frame. If an issuer cannot report its origin, its card window is missing, but the pages are still served. */
async function listFrameOrigins(deps: Deps, features: readonly Feature[]): Promise<string[]> {
  const away = (error: unknown): readonly string[] => {
    deps.log.warn({ why: (error as Error).message }, 'no frames for the operators’ pages')
    return []
  }
  return (await Promise.all(features.map(async ({ consoleFrames }) => (await consoleFrames?.(deps).catch(away)) ?? []))).flat()
}
