import { LANGS, type Lang } from './languages.ts'

/** One value for each language. */
export function mapLangs<T>(build: (lang: Lang) => T): Readonly<Record<Lang, T>> {
  return Object.fromEntries(LANGS.map((lang) => [lang, build(lang)])) as Record<Lang, T>
}
