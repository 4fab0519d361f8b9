import { LANGS, type Lang } from './languages.ts'
import type { Texts } from './texts.ts'

/** One value for each language. */
export function mapLangs<T>(build: (lang: Lang) => T): Readonly<Record<Lang, T>> {
  return Object.fromEntries(LANGS.map((lang) => [lang, build(lang)])) as Record<Lang, T>
}

/** Both catalogues in one; the second wins. */
export function joinTexts<A extends string, B extends string>(first: Texts<A>, second: Texts<B>): Texts<A | B> {
  return mapLangs((lang) => ({ ...first[lang], ...second[lang] }) as Readonly<Record<A | B, string>>)
}
