import type { Errors } from './errors.ts'

export type Lang = 'zh' | 'en'
export const LANGS: readonly Lang[] = ['zh', 'en']
export type Messages = Readonly<Record<string, string>>
export interface Texts<K extends string = string> {
  readonly zh: Readonly<Record<K, string>>
  readonly en: Readonly<Record<K, string>>
}

type ErrorKeys<E extends Errors> = `error_${keyof E & string}`

/**
 * A feature's texts in both languages. A key missing in English, or an error without a text, is a type error; equal
 * placeholders and stray languages are checked by `npm run check`.
 */
export function defineTexts<Z extends Messages & Record<ErrorKeys<E>, string>, E extends Errors = {}>(
  zh: Z,
  en: { readonly [K in keyof Z]: string },
  _errors?: E,
): Texts<keyof Z & string> {
  return { zh, en }
}

/** Fills {name} placeholders; a missing value leaves the placeholder visible. */
export function fill(text: string, values?: Readonly<Record<string, unknown>>): string {
  return values ? text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole)) : text
}
