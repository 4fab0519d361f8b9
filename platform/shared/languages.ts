/** Properties of a language of the product. */
export interface Language {
  /** BCP 47, for `lang`, `hreflang` and Intl. */
  readonly tag: string
  /** Prefix of its public pages; the default language has none. */
  readonly path: string
  /** Its own name for itself. */
  readonly name: string
}

/** The product's languages. A new one is a line here and a catalogue beside each existing one; the first is the default. */
export const LANGUAGES = {
  zh: { tag: 'zh-CN', path: '', name: '中文' },
  en: { tag: 'en', path: '/en', name: 'English' },
} as const satisfies Readonly<Record<string, Language>>

export type Lang = keyof typeof LANGUAGES
export const LANGS: readonly Lang[] = Object.keys(LANGUAGES) as Lang[]
export const DEFAULT_LANG: Lang = LANGS[0]!
