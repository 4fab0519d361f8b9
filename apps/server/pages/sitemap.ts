import { escapeHtml } from './document.ts'
import type { Prerender } from './prerender.ts'

/** Pages for people who sign in, and calls, are nothing to search in. */
const DISALLOWED_PATHS = ['/api', '/user/', '/common/', '/v1/', '/v1beta/', '/login', '/pay-result', '/pay-notice', '/i/', '/invite/', '/sandbox', '/dev/']

export function buildRobots(origin: string): string {
  return ['User-agent: *', ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`), 'Allow: /', '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')
}

/** Every public page in both languages, each naming the other (sitemaps.org; hreflang as Google reads it). */
export function buildSitemap(origin: string, { pages, address }: Pick<Prerender, 'pages' | 'address'>): string {
  const urls = pages.flatMap(({ path, updated }) => {
    const links = [
      ['zh-CN', address(path, 'zh')],
      ['en', address(path, 'en')],
      ['x-default', address(path, 'zh')],
    ].map(([lang, to]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${escapeHtml(`${origin}${to}`)}"/>`)
    const changed = updated ? `<lastmod>${updated}</lastmod>` : ''
    return (['zh', 'en'] as const).map((lang) => `<url><loc>${escapeHtml(`${origin}${address(path, lang)}`)}</loc>${changed}${links.join('')}</url>`)
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join('\n')}\n</urlset>\n`
}
