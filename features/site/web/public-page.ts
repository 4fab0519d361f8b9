import type { Endpoint } from '#platform/shared/contract.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { PageData } from '#platform/web/page-data.tsx'
import type { Site } from '#platform/web/site.ts'

/** Data for the head of a page. `origin` has no trailing slash. */
export interface HeadFacts {
  readonly lang: Lang
  readonly origin: string
  /** URL of the page in this language. */
  readonly url: string
  readonly site: Site
  readonly data: PageData
}

/** A prerendered page, in both languages. */
export interface PublicPage {
  /** Path without a language, e.g. "/pricing"; each language puts its prefix before it. */
  readonly path: string
  /** Without the brand; the page itself passes the same to useTitle. */
  readonly title: Readonly<Record<Lang, string>>
  readonly description: Readonly<Record<Lang, string>>
  /** Public GET endpoints without input whose replies the page shows through usePageData. */
  readonly calls?: readonly Endpoint[]
  /** Lazy modules of the page to preload, as paths from the repository's root. */
  readonly chunks: readonly string[] | ((data: PageData) => readonly string[])
  /** schema.org objects. */
  readonly jsonLd?: (facts: HeadFacts) => readonly object[]
  /** YYYY-MM-DD of the last change of its text, for the sitemap. */
  readonly updated?: string
}
