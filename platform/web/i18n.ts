import { createContext, useContext, useMemo } from 'react'
import { create } from 'zustand'
import { DEFAULT_LANG, isLang, LANGUAGES, readCookieLang, readPathLang, type Lang } from '#platform/shared/languages.ts'
import { fill, type Texts } from '#platform/shared/texts.ts'
import { unknownTexts } from '#platform/shared/unknown-texts.ts'

/** The same key is read by apps/web/public/boot.js, and the cookie by the server. */
const KEY = 'mx.lang'
const YEAR_S = 31_536_000

/** Set by the prerenderer, which renders both languages in one process; in a browser the store below holds the language. */
export const LangContext = createContext<Lang | undefined>(undefined)

function readInitialLang(): Lang {
  if (typeof document === 'undefined') return DEFAULT_LANG
  // A prerendered page is in the language of its address (boot.js redirects users with another choice first).
  return readPathLang(location.pathname) ?? (document.documentElement.dataset['page'] === undefined ? readStoredLang() : DEFAULT_LANG)
}

function readStoredLang(): Lang {
  try {
    const value = localStorage.getItem(KEY)
    if (isLang(value)) return value
  } catch {
    // The cookie keeps the choice.
  }
  return readCookieLang(document.cookie) ?? DEFAULT_LANG
}

let transformText = (text: string): string => text

/** With `?pseudo=1`, shows every text in the pseudo-language (pseudo.ts). Call before the first render. */
export async function loadPseudoTexts(): Promise<void> {
  if (/[?&]pseudo=1\b/.test(location.search)) transformText = (await import('./pseudo.ts')).toPseudo
}

export const useLangStore = create<{ readonly lang: Lang }>(() => ({ lang: readInitialLang() }))

export function useLang(): Lang {
  const chosen = useLangStore((state) => state.lang)
  return useContext(LangContext) ?? chosen
}

export function getCurrentLang(): Lang {
  return useLangStore.getState().lang
}

/** Attributes of an element whose text is in another language than the page. */
export function getLangAttributes(lang: Lang) {
  return { 'lang': LANGUAGES[lang].tag, 'data-script': LANGUAGES[lang].script }
}

function applyLang(lang: Lang): void {
  const root = document.documentElement
  root.lang = LANGUAGES[lang].tag
  root.dataset['script'] = LANGUAGES[lang].script
}

export function setLang(lang: Lang): void {
  storeLang(lang)
  useLangStore.setState({ lang })
  applyLang(lang)
}

function storeLang(lang: Lang): void {
  document.cookie = `lang=${lang}; path=/; max-age=${YEAR_S}; samesite=lax`
  try {
    localStorage.setItem(KEY, lang)
  } catch {
    // The cookie keeps the choice.
  }
}

/** Keeps the language of a translated page for visitors who arrive there without a stored choice. */
function storeVisitedLang(lang: Lang): void {
  try {
    if (localStorage.getItem(KEY) === null && !document.cookie.includes('lang=')) storeLang(lang)
  } catch {
    // The page's address keeps it.
  }
}

/** Call once at start. */
export function watchLang(): void {
  const lang = getCurrentLang()
  applyLang(lang)
  // A page without an address in each language loses the language from its address, so the choice is stored.
  if (readPathLang(location.pathname) && document.documentElement.dataset['page'] === undefined) storeLang(lang)
  else if (lang !== DEFAULT_LANG) storeVisitedLang(lang)
  addEventListener('storage', (event) => {
    if (event.key !== KEY || !isLang(event.newValue)) return
    useLangStore.setState({ lang: event.newValue })
    applyLang(event.newValue)
  })
}

export type Translate<K extends string> = (key: K, values?: Readonly<Record<string, unknown>>) => string

const reported = new Set<string>()

/** Raises an error event without stopping the page: page-errors.ts reports it to the operators; tests and robots fail on it. */
function reportUnknown(key: string): void {
  if (reported.has(key)) return
  reported.add(key)
  const error = new Error(`no text for ${key}`)
  if (typeof globalThis.reportError === 'function') globalThis.reportError(error)
  else console.error(error)
}

/** The texts in one language. */
export const createTranslate =
  <K extends string>(texts: Texts<K>, lang: Lang): Translate<K> =>
  (key, values) => {
    // A newer server may send a state that this page has no text for, although the types exclude it.
    const known: string | undefined = texts[lang][key]
    if (known === undefined) reportUnknown(key)
    return fill(transformText(known ?? unknownTexts[lang].unknown_state), values)
  }

/** Outside React; inside, `useTexts` re-renders when the language changes. */
export const translate = <K extends string>(texts: Texts<K>, key: K, values?: Readonly<Record<string, unknown>>): string =>
  createTranslate(texts, getCurrentLang())(key, values)

/** A feature's texts in the user's language. An unknown key is a type error. */
export function useTexts<K extends string>(texts: Texts<K>): Translate<K> {
  const lang = useLang()
  return useMemo(() => createTranslate(texts, lang), [texts, lang])
}
