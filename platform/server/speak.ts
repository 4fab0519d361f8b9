import { fill } from '#platform/shared/texts.ts'
import type { Lang, Texts } from '#platform/shared/texts.ts'

/** The server's voice: a text by key in the caller's language. */
export type Speak = (lang: Lang, key: string, values?: Readonly<Record<string, unknown>>) => string

/** Joins all features' texts; a key that is missing speaks as itself, which `npm run check` has made impossible for errors. */
export function createSpeak(all: readonly Texts[]): Speak {
  const joined = { zh: Object.assign({}, ...all.map((texts) => texts.zh)), en: Object.assign({}, ...all.map((texts) => texts.en)) } as Record<
    Lang,
    Record<string, string>
  >
  return (lang, key, values) => fill(joined[lang][key] ?? key, values)
}
