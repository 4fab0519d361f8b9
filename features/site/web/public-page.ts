import type { Endpoint } from '#platform/shared/contract.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { PageData } from '#platform/web/page-data.tsx'
import type { Site } from '#platform/web/site.ts'

/** What the head of a page can be made of. `origin` has no trailing slash. */
export interface HeadFacts {
  readonly lang: Lang
  readonly origin: string
  /** The page's own address in this language. */
  readonly url: string
  readonly site: Site
  readonly data: PageData
}

/** A page that the server draws once, in both languages, before anybody asks for it. */
export interface PublicPage {
  /** Plain, without a language: "/pricing". Its English address is /en/pricing. */
  readonly path: string
  /** Without the brand; the page itself passes the same to useTitle. */
  readonly title: Readonly<Record<Lang, string>>
  readonly description: Readonly<Record<Lang, string>>
  /** Public GETs without input whose replies the page shows through usePageData. */
  readonly calls?: readonly Endpoint[]
  /** Lazily loaded modules that the page is made of, as paths from the repository's root: they are preloaded. */
  readonly chunks: readonly string[] | ((data: PageData) => readonly string[])
  /** schema.org objects. */
  readonly jsonLd?: (facts: HeadFacts) => readonly object[]
  /** YYYY-MM-DD of the last change of its text, for the sitemap. */
  readonly updated?: string
}
