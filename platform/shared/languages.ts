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
  /** Language and territory, for `og:locale` and browsers in tests. */
  readonly locale: string
  /** Selects fonts, letter spacing and the spelling of the brand (`chooseBrand`). */
  readonly script: 'han' | 'latin' | 'other'
  /** Joins the items of a list. */
  readonly comma: string
  /** Runbooks of the operators: `docs/runbooks/<folder>`. Languages without translated runbooks share the English ones. */
  readonly runbooks: string
}

/** The product's languages. A new one is a line here and a catalogue beside each existing one; the first is the default. */
export const LANGUAGES = {
  zh: { tag: 'zh-CN', path: '', name: '中文', short: '中', locale: 'zh_CN', script: 'han', comma: '，', runbooks: 'zh/' },
  en: { tag: 'en', path: '/en', name: 'English', short: 'EN', locale: 'en_US', script: 'latin', comma: ', ', runbooks: '' },
} as const satisfies Readonly<Record<string, Language>>

export type Lang = keyof typeof LANGUAGES
export const LANGS: readonly Lang[] = Object.keys(LANGUAGES) as Lang[]
export const DEFAULT_LANG: Lang = LANGS[0]!

export const isLang = (value: unknown): value is Lang => typeof value === 'string' && Object.hasOwn(LANGUAGES, value)

export const getLanguage = (lang: Lang): Language => LANGUAGES[lang]

/** The same value built for each language. */
export const mapLangs = <T>(build: (lang: Lang) => T): Readonly<Record<Lang, T>> =>
  Object.fromEntries(LANGS.map((lang) => [lang, build(lang)])) as Readonly<Record<Lang, T>>

/** Target of a switch with one button: the following language, after the last one the first. */
export const nextLang = (lang: Lang): Lang => LANGS[(LANGS.indexOf(lang) + 1) % LANGS.length]!

/** The language of a public page's address; undefined for addresses without a prefix. */
export function readPathLang(pathname: string): Lang | undefined {
  return LANGS.find((lang) => LANGUAGES[lang].path && (pathname === LANGUAGES[lang].path || pathname.startsWith(`${LANGUAGES[lang].path}/`)))
}

/** The language in the `lang` cookie, which the switch sets. */
export function readCookieLang(cookies: string): Lang | undefined {
  const value = /(?:^|;\s*)lang=(\w+)(?:;|$)/.exec(cookies)?.[1]
  return isLang(value) ? value : undefined
}

/** The first language of an `Accept-Language` header, or the default one. */
export function readAcceptedLang(header: unknown): Lang {
  const first = /^\s*([a-z]+)/i.exec(String(header ?? ''))?.[1]?.toLowerCase()
  return isLang(first) ? first : DEFAULT_LANG
}

/** The brand has a second spelling, in Chinese characters. */
export const chooseBrand = (lang: Lang, { brand, brandZh }: { readonly brand: string; readonly brandZh: string }): string =>
  LANGUAGES[lang].script === 'han' ? brandZh : brand
