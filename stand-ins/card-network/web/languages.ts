/** Languages of the shop and of the frame, with their tags in HTML; the first is the default. */
export const PAGE_LANGUAGES = { zh: 'zh-CN', en: 'en' } as const
export type PageLang = keyof typeof PAGE_LANGUAGES
const ALL = Object.keys(PAGE_LANGUAGES) as PageLang[]

export const isPageLang = (value: unknown): value is PageLang => ALL.includes(value as PageLang)
export const DEFAULT_PAGE_LANG: PageLang = ALL[0]!
export const nextPageLang = (lang: PageLang): PageLang => ALL[(ALL.indexOf(lang) + 1) % ALL.length]!
