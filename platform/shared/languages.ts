/** Properties of a language that the product depends on. */
export interface Language {
  /** BCP 47, for `lang`, `hreflang` and Intl. */
  readonly tag: string
  /** Prefix of its public pages; the default language has none. */
  readonly path: string
  /** Its own name for itself. */
  readonly name: string
  /** Label of the switch that selects it, two columns wide. */
  readonly short: string
  /** Selects fonts, letter spacing and the spelling of the brand (`chooseBrand`). */
  readonly script: 'han' | 'latin' | 'other'
}

/** The product's languages. A new one is a line here and a catalogue beside each existing one; the first is the default. */
export const LANGUAGES = {
  zh: { tag: 'zh-CN', path: '', name: '中文', short: '中', script: 'han' },
  en: { tag: 'en', path: '/en', name: 'English', short: 'EN', script: 'latin' },
} as const satisfies Readonly<Record<string, Language>>

export type Lang = keyof typeof LANGUAGES
export const LANGS: readonly Lang[] = Object.keys(LANGUAGES) as Lang[]
export const DEFAULT_LANG: Lang = LANGS[0]!
/** Language of records that leave the product: data exports, refusals of the API and names sent to suppliers. */
export const RECORD_LANG = 'en' satisfies Lang

export const isLang = (value: unknown): value is Lang => LANGS.includes(value as Lang)

/** Target of a switch with one button: the following language, after the last one the first. */
export const nextLang = (lang: Lang): Lang => LANGS[(LANGS.indexOf(lang) + 1) % LANGS.length]!

/** Language and most likely territory, such as en-US. */
export function getLocale(lang: Lang): string {
  const { language, region } = new Intl.Locale(LANGUAGES[lang].tag).maximize()
  return `${language}-${region}`
}

/** The language of a public page's address; undefined for addresses without a prefix. */
export const readPathLang = (pathname: string): Lang | undefined =>
  LANGS.find((lang) => LANGUAGES[lang].path && `${pathname}/`.startsWith(`${LANGUAGES[lang].path}/`))

/** The language in the `lang` cookie, which the switch sets. */
export function readCookieLang(cookies: string): Lang | undefined {
  const value = /(?:^|; ?)lang=(\w+)/.exec(cookies)?.[1]
  return isLang(value) ? value : undefined
}

/** The first language of an `Accept-Language` header, or the default one. */
export function readAcceptedLang(header: unknown): Lang {
  const first = /^\s*([a-z]+)/i.exec(String(header ?? ''))?.[1]?.toLowerCase()
  return isLang(first) ? first : DEFAULT_LANG
}

/** Texts and columns in Chinese characters are for this reader. */
export const readsHan = (lang: Lang): boolean => LANGUAGES[lang].script === 'han'

/** The brand has a second spelling, in Chinese characters. */
export const chooseBrand = (lang: Lang, { brand, brandZh }: { readonly brand: string; readonly brandZh: string }): string => (readsHan(lang) ? brandZh : brand)

/** A text of a developer's page: languages that it does not have get English. */
export function pickText<T extends Readonly<Record<typeof RECORD_LANG, unknown>>>(texts: T, lang: Lang): T[keyof T] {
  const own: Readonly<Partial<Record<Lang, T[keyof T]>>> = texts as object
  return own[lang] ?? (texts[RECORD_LANG] as T[keyof T])
}
