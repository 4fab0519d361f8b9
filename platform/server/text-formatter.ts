import { mapLangs } from '#platform/shared/map-langs.ts'
import { toErrorTextKey, fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/languages.ts'
import type { Messages, Texts } from '#platform/shared/texts.ts'

/** Returns a text by key in the caller's language. */
export type TextFormatter = (lang: Lang, key: string, values?: Readonly<Record<string, unknown>>) => string

/** Joins all features' texts. An error without a text gets the text of an internal error; `npm run check` makes sure that there is none. */
export function createTextFormatter(all: readonly Texts[]): TextFormatter {
  const joined = mapLangs((lang): Messages => Object.assign({}, ...all.map((texts) => texts[lang])) as Messages)
  return (lang, key, values) => fill(joined[lang][key] ?? joined[lang][toErrorTextKey('INTERNAL')] ?? key, values)
}
