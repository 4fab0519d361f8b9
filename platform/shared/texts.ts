import type { Errors } from './errors.ts'
import { showUsd } from './show-money.ts'
import { LANGS, type Lang } from './languages.ts'

export { LANGS, type Lang }
export type Messages = Readonly<Record<string, string>>
export type Texts<K extends string = string> = Readonly<Record<Lang, Readonly<Record<K, string>>>>

export type TextKeyOf<T extends Texts> = keyof T[Lang] & string

type ErrorKeys<E extends Errors> = `error_${keyof E & string}`
type KeyOfAny<T extends Readonly<Record<Lang, Messages>>> = { [L in Lang]: keyof T[L] & string }[Lang]

/**
 * A feature's texts, one catalogue per language; `npm run texts` writes the imports. A key that one language lacks, or an error without a
 * text, is a type error; `npm run check` compares placeholders and finds untranslated texts.
 */
export function defineTexts<T extends Readonly<Record<Lang, Messages>>, E extends Errors = {}>(
  texts: T & Readonly<Record<Lang, Readonly<Record<KeyOfAny<T> | ErrorKeys<E>, string>>>>,
  _errors?: E,
): Texts<KeyOfAny<T>> {
  return texts
}

/**
 * The text key of a state that reached this version as plain text, from a table of all states known today. An unknown state gives
 * a key without a text, which is shown as unknownTexts and reported.
 */
export function resolveTextKey<T extends Readonly<Record<string, string>>>(table: T, state: string): T[keyof T & string] {
  return (Object.hasOwn(table, state) ? table[state] : `?${state}`) as T[keyof T & string]
}

/**
 * An open vocabulary: names that come as plain text and grow with the server, such as audit actions, alarms and figures of a preview. Each
 * is worded by the text whose key begins with `prefix`; undefined if it has none.
 */
export function createTextLookup(texts: Texts, prefix: string): (lang: Lang, name: string | number) => string | undefined {
  return (lang, name) => {
    const key = prefix + String(name)
    return Object.hasOwn(texts[lang], key) ? texts[lang][key] : undefined
  }
}

/** The key of an error's text; `defineTexts` requires one for each error. */
export const toErrorTextKey = (errorName: string): string => 'error_' + errorName

/** A placeholder, optionally with its singular and plural words. */
const PLACEHOLDER = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g

/** The names of a text's placeholders. */
export function listPlaceholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => match[1]!)
}

/** An amount on the wire: after a currency sign it is formatted as money (show-money.ts). */
const AMOUNT = /^-?\d{1,10}(?:\.\d{1,9})?$/

/**
 * Fills {name}, ${name} with an amount ("20.7" as "$20.70"), and {count|token|tokens} as "1 token" or "2 tokens"; a missing value
 * leaves the placeholder visible.
 */
export function fill(text: string, values?: Readonly<Record<string, unknown>>): string {
  if (values === undefined) return text
  return text.replace(PLACEHOLDER, (whole, name: string, ...[one, more, at]: [one?: string, more?: string, at?: number]) => {
    if (!(name in values)) return whole
    const value = String(values[name])
    if (one !== undefined) return `${value} ${value === '1' ? one : more}`
    return /[$¥]/.test(text[(at ?? 0) - 1] ?? '') && AMOUNT.test(value) ? showUsd(value) : value
  })
}
