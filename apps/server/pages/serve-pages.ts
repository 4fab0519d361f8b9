import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps, Feature, PageSources } from '#platform/server/feature.ts'
import type { Pages } from '#platform/server/http/http.ts'
import type { Origins } from '#platform/server/http/origins.ts'
import { buildOpenApi, renderOpenApiPage, type OpenApi } from '#platform/server/http/openapi.ts'
import { readTemplate, compressDocument, escapeHtml, type CompressedDocument } from './document.ts'
import type { BuiltPages } from './pages.ts'
import { createPrerender, type Prerender } from './prerender.ts'
import { serveFiles } from './serve-files.ts'
import { LANGS, LANGUAGES, DEFAULT_LANG, readCookieLang } from '#platform/shared/languages.ts'
import { createHash } from 'node:crypto'

/** Content security policy of pages: only this origin, plus data URLs for QR codes and icons; a payment channel's form may post to its own origin. */
const OWN_POLICY: Readonly<Record<string, readonly string[]>> = {
  'default-src': [`'self'`],
  'script-src': [`'self'`],
  'style-src': [`'self'`, `'unsafe-inline'`],
  'img-src': [`'self'`, 'data:', 'blob:'],
  'font-src': [`'self'`],
  'connect-src': [`'self'`],
  'media-src': [`'self'`],
  'worker-src': [`'self'`],
  'frame-src': [`'self'`, 'https:'],
  'object-src': [`'none'`],
  'base-uri': [`'self'`],
  'form-action': [`'self'`, 'https:'],
  'frame-ancestors': [`'none'`],
  // Handled by features/site: the older directive for Firefox and Safari, the newer one for other browsers.
  'report-uri': ['/csp-report'],
  'report-to': ['csp'],
}

/** Formats the header's value. Directives that no feature extends stay unchanged. */
export function formatPolicy(more: readonly PageSources[] = []): string {
  return Object.entries(OWN_POLICY)
    .map(([name, own]) => {
      const added = more.flatMap((sources) => sources[name as keyof PageSources] ?? [])
      // 'none' must be the only value of its directive.
      return [name, ...new Set(added.length ? [...own.filter((one) => one !== `'none'`), ...added] : own)].join(' ')
    })
    .join('; ')
}

interface PagePolicy {
  readonly text: string
  /** Adds the policy to the document's ETag: on 304 a browser would keep the old policy. */
  etag(etag: string): string
}

/** The current policy: this origin, and the hosts that the features' settings need. */
export async function buildPagePolicy(deps: Deps, features: readonly Feature[]): Promise<PagePolicy> {
  const more = await Promise.all(features.flatMap((feature) => (feature.pageSources ? [feature.pageSources(deps)] : [])))
  const text = formatPolicy(more)
  const mark = text === formatPolicy() ? '' : `-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
  return { text, etag: (etag) => etag.replace(/"$/, `${mark}"`) }
}

/** Excludes pages behind the sign-in, and calls, from search engines. */
const DISALLOWED_PATHS = ['/api', '/user/', '/common/', '/v1/', '/v1beta/', '/login', '/pay-result', '/pay-notice', '/i/', '/invite/', '/sandbox', '/dev/']

function buildRobots(origin: string): string {
  return ['User-agent: *', ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`), 'Allow: /', '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')
}

/** Lists every public page in each language, naming the others (sitemaps.org; hreflang as Google reads it). */
function buildSitemap(origin: string, { pages, address }: Pick<Prerender, 'pages' | 'address'>): string {
  const urls = pages.flatMap(({ path, updated }) => {
    const links = [...LANGS.map((lang) => [LANGUAGES[lang].tag, address(path, lang)]), ['x-default', address(path, DEFAULT_LANG)]].map(
      ([lang, to]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${escapeHtml(`${origin}${to}`)}"/>`,
    )
    const changed = updated ? `<lastmod>${updated}</lastmod>` : ''
    return LANGS.map((lang) => `<url><loc>${escapeHtml(`${origin}${address(path, lang)}`)}</loc>${changed}${links.join('')}</url>`)
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join('\n')}\n</urlset>\n`
}

/** WeChat's cashier checks the Referer of the page that opens it, hence no stricter referrer policy. */
const HEADERS = {
  'content-security-policy': formatPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(self), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
  'reporting-endpoints': 'csp="/csp-report"',
}

interface PageServerParts {
  readonly deps: Deps
  readonly features: readonly Feature[]
  readonly pages: Pages
  readonly origins: Origins
}

/** Serves the pages: assets cached forever, documents always revalidated, and every page path requested as HTML. */
export async function mountPages(app: FastifyInstance, built: BuiltPages, { deps, features, pages, origins }: PageServerParts): Promise<Prerender> {
  await serveFiles(app, built.web, HEADERS)
  // Built lazily: it takes a tenth of a start, and most processes never need it.
  let described: OpenApi | undefined
  const description = () => (described ??= buildOpenApi(features, { title: `${deps.config.BRAND_NAME} API`, version: '1' }))
  app.get('/docs/openapi.json', async () => description())
  app.get('/docs/openapi', async (_request, reply) => reply.type('text/html; charset=utf-8').headers(HEADERS).send(renderOpenApiPage(description())))
  const template = readTemplate(built.web, deps)
  const prerender = await createPrerender(app, built, { template, deps })
  app.get('/robots.txt', async (request, reply) => reply.type('text/plain; charset=utf-8').send(buildRobots(origins.of(request))))
  app.get('/sitemap.xml', async (request, reply) => reply.type('application/xml; charset=utf-8').send(buildSitemap(origins.of(request), prerender)))
  const shell = await compressDocument(template.shell())
  pages.isPublic = prerender.isPublic
  pages.document = async (request, reply) =>
    sendPage(request, reply, { prerender, shell, origin: origins.of(request), policy: allowScript(await buildPagePolicy(deps, features), template.scriptHash) })
  return prerender
}

/** Adds the one inline script of documents to the policy. */
function allowScript(policy: PagePolicy, hash: string): PagePolicy {
  return { ...policy, text: policy.text.replace(`script-src 'self'`, `script-src 'self' ${hash}`) }
}

interface PageRequest {
  readonly prerender: Prerender
  readonly shell: CompressedDocument
  readonly origin: string
  readonly policy: PagePolicy
}

/**
 * Sends a public page in the language of its address, redirects readers with a chosen language to its page, and sends the shell for anything else.
 */
async function sendPage(request: FastifyRequest, reply: FastifyReply, { prerender, shell, origin, policy }: PageRequest): Promise<FastifyReply> {
  const [pathname = '/', query] = request.url.split('?', 2)
  const chosen = readCookieLang(request.headers.cookie ?? '') ?? DEFAULT_LANG
  const to = prerender.movedTo(pathname, chosen)
  if (to)
    return reply
      .headers({ ...HEADERS, 'cache-control': 'no-cache', 'vary': 'cookie' })
      .redirect(query ? `${to}${to.includes('?') ? '&' : '?'}${query}` : to, 302)
  // Texts lengthened for tests differ from the prerendered ones.
  const isLong = /(?:^|&)pseudo=1(?:&|$)/.test(query ?? '')
  const tab = /(?:^|&)tab=(\w+)(?:&|$)/.exec(query ?? '')?.[1]
  const drawn = isLong ? undefined : ((await prerender.page(pathname, origin)) ?? (await prerender.frame(pathname, tab, chosen)))
  return sendDocument(request, reply, { document: drawn ?? shell, policy })
}

function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { document: { etag: made, text, br, gz }, policy }: { readonly document: CompressedDocument; readonly policy: PagePolicy },
): FastifyReply {
  const etag = policy.etag(made)
  void reply
    .headers({ ...HEADERS, 'content-security-policy': policy.text, 'cache-control': 'no-cache', 'vary': 'accept-encoding, cookie', etag })
    .type('text/html; charset=utf-8')
  if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(br)
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(gz)
  return reply.send(text)
}
