import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lang } from '#platform/shared/texts.ts'
import { escapeHtml, escapeForScript } from './document.ts'
import type { SiteFacts } from './document.ts'
import { getLocale, chooseBrand, LANGS, LANGUAGES, DEFAULT_LANG } from '#platform/shared/languages.ts'

/** A page of the prerendering bundle, as this process sees it (`PublicPage` in features/site/web/public-page.ts). */
export interface DrawnPage {
  readonly path: string
  readonly title: Readonly<Record<Lang, string>>
  readonly description: Readonly<Record<Lang, string>>
  readonly calls?: readonly { readonly path: string }[]
  readonly chunks: readonly string[] | ((data: Readonly<Record<string, unknown>>) => readonly string[])
  readonly jsonLd?: (facts: { lang: Lang; origin: string; url: string; site: SiteFacts; data: Readonly<Record<string, unknown>> }) => readonly object[]
  readonly updated?: string
}

interface HeadInput {
  readonly page: DrawnPage
  readonly lang: Lang
  readonly data: Readonly<Record<string, unknown>>
  readonly site: SiteFacts
  readonly address: (path: string, lang: Lang) => string
  readonly chunks: Chunks
}

/** Builds title, description, addresses in each language, the picture of a shared link, facts for search engines, and preloads. */
export function buildPageHead({ page, lang, data, site, address, chunks }: HeadInput): string {
  const brand = chooseBrand(lang, site)
  const title = `${page.title[lang]} · ${brand}`
  const at = (one: Lang) => `${site.origin}${address(page.path, one)}`
  const url = at(lang)
  const image = `${site.origin}/social-${lang}.png`
  const meta = (attributes: Readonly<Record<string, string>>) =>
    `<meta ${Object.entries(attributes)
      .map(([name, value]) => `${name}="${escapeHtml(value)}"`)
      .join(' ')} />`
  const link = (rel: string, href: string, more = '') => `<link rel="${rel}"${more} href="${escapeHtml(href)}" />`
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta({ name: 'description', content: page.description[lang] }),
    link('canonical', url),
    ...LANGS.map((one) => link('alternate', at(one), ` hreflang="${LANGUAGES[one].tag}"`)),
    link('alternate', at(DEFAULT_LANG), ' hreflang="x-default"'),
    meta({ property: 'og:type', content: 'website' }),
    meta({ property: 'og:site_name', content: brand }),
    meta({ property: 'og:title', content: title }),
    meta({ property: 'og:description', content: page.description[lang] }),
    meta({ property: 'og:url', content: url }),
    meta({ property: 'og:image', content: image }),
    meta({ property: 'og:image:width', content: '1200' }),
    meta({ property: 'og:image:height', content: '630' }),
    meta({ property: 'og:locale', content: getLocale(lang).replace('-', '_') }),
    ...LANGS.filter((one) => one !== lang).map((one) => meta({ property: 'og:locale:alternate', content: getLocale(one).replace('-', '_') })),
    meta({ name: 'twitter:card', content: 'summary_large_image' }),
    meta({ name: 'twitter:title', content: title }),
    meta({ name: 'twitter:description', content: page.description[lang] }),
    meta({ name: 'twitter:image', content: image }),
    ...(page.jsonLd?.({ lang, origin: site.origin, url, site, data }) ?? []).map(
      (facts) => `<script type="application/ld+json">${escapeForScript({ '@context': 'https://schema.org', ...facts })}</script>`,
    ),
    link('preload', `/${chunks.font}`, ' as="font" type="font/woff2" crossorigin'),
    ...chunks
      .ofPage(typeof page.chunks === 'function' ? page.chunks(data) : page.chunks)
      .map((file) => link('modulepreload', `/${file}`, ' crossorigin fetchpriority="low"')),
  ].join('\n    ')
}

interface Manifest {
  readonly [source: string]: { readonly file: string; readonly name?: string; readonly imports?: readonly string[]; readonly assets?: readonly string[] }
}
export interface Chunks {
  /** Geist, the font of every first screen. */
  readonly font: string
  /** Files of lazily loaded sources, except those that every document already names. */
  of(sources: readonly string[]): string[]
  /** The same for a public page, including its layout. */
  ofPage(sources: readonly string[]): string[]
}

const LAYOUT = 'apps/web/layout/site-layout.tsx'
/** Names of the chunks that vite.config.ts groups; the manifest lists them by name instead of by source. */
const GROUPED: Readonly<Record<string, string>> = {
  [LAYOUT]: 'site',
  'apps/web/layout/console-layout.tsx': 'console',
  'features/site/web/landing.tsx': 'landing',
  'features/site/web/landing/below.tsx': 'below',
}

/** The build's manifest of chunks; its keys are relative to apps/web. */
export function readPageChunks(folder: string): Chunks {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
  const closure = (keys: readonly string[], seen = new Set<string>()) => {
    for (const key of keys) {
      if (seen.has(key) || !manifest[key]) continue
      seen.add(key)
      closure(manifest[key].imports ?? [], seen)
    }
    return seen
  }
  const keyOf = (source: string) => {
    const name = GROUPED[source]
    if (name) return Object.keys(manifest).find((key) => manifest[key]!.name === name) ?? name
    return source.startsWith('apps/web/') ? source.slice('apps/web/'.length) : `../../${source}`
  }
  const loaded = closure(['index.html'])
  const of = (sources: readonly string[]) => {
    const missing = sources.find((source) => !manifest[keyOf(source)])
    if (missing) throw new Error(`the build has no chunk ${missing}`)
    return [...closure(sources.map(keyOf))].filter((key) => !loaded.has(key)).map((key) => manifest[key]!.file)
  }
  const fonts = Object.values(manifest).flatMap(({ file, assets = [] }) => [file, ...assets])
  return {
    font: fonts.find((file) => /geist-latin-wght[^/]*\.woff2$/.test(file)) ?? '',
    of,
    ofPage: (sources) => of([LAYOUT, ...sources]),
  }
}
