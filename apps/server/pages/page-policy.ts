import { createHash } from 'node:crypto'
import type { Deps, Feature, PageSources } from '#platform/server/feature.ts'

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

export interface PagePolicy {
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
