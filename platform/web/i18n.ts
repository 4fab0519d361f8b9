import { createContext, useCallback, useContext } from 'react'
import { create } from 'zustand'
import { fill, type Lang, type Texts } from '#platform/shared/texts.ts'
import { unknownTexts } from '#platform/shared/unknown-texts.ts'

/** The same key is read by apps/web/public/boot.js, and the cookie by the server. */
const KEY = 'mx.lang'
const YEAR_S = 31_536_000

function isLang(value: unknown): value is Lang {
  return value === 'zh' || value === 'en'
}

/** Set by the prerenderer, which renders both languages in one process; in a browser the store below holds the language. */
export const LangContext = createContext<Lang | undefined>(undefined)

/** English public pages are below /en; a page's address takes precedence over a stored choice. */
export function readPathLang(pathname: string): Lang | undefined {
  return /^\/en(\/|$)/.test(pathname) ? 'en' : undefined
}

function readInitialLang(): Lang {
  if (typeof document === 'undefined') return 'zh'
  // A prerendered page is in the language of its address (boot.js redirects users with another choice first).
  return readPathLang(location.pathname) ?? (document.documentElement.dataset['page'] === undefined ? readStoredLang() : 'zh')
}

function readStoredLang(): Lang {
  const cookie = /(?:^|; )lang=(zh|en)/.exec(document.cookie)?.[1]
  try {
    const value = localStorage.getItem(KEY) ?? cookie
    return isLang(value) ? value : 'zh'
  } catch {
    return isLang(cookie) ? cookie : 'zh'
  }
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

function applyLang(lang: Lang): void {
  const root = document.documentElement
  root.lang = lang === 'zh' ? 'zh-CN' : 'en'
  root.classList.toggle('lang-zh', lang === 'zh')
  root.classList.toggle('lang-en', lang === 'en')
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

/** Keeps English for visitors who arrive on an English page without a stored choice. */
function storeVisitedLang(lang: Lang): void {
  try {
    if (localStorage.getItem(KEY) === null && !document.cookie.includes('lang=')) storeLang(lang)
  } catch {
    // The page's address keeps it.
  }
}

/** Call once at start. */
export function watchLang(): void {
  applyLang(getCurrentLang())
  // Below /en, a page without an English address loses the language from its address, so the choice is stored.
  if (readPathLang(location.pathname) && document.documentElement.dataset['page'] === undefined) storeLang(getCurrentLang())
  else if (getCurrentLang() === 'en') storeVisitedLang('en')
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

/** Outside React; inside, `useTexts` re-renders when the language changes. */
export function translate<K extends string>(texts: Texts<K>, key: K, values?: Readonly<Record<string, unknown>>, lang = getCurrentLang()): string {
  // A newer server may send a state that this page has no text for, although the types exclude it.
  const known: string | undefined = texts[lang][key]
  if (known === undefined) reportUnknown(key)
  return fill(transformText(known ?? unknownTexts[lang].unknown_state), values)
}

/** A feature's texts in the user's language. An unknown key is a type error. */
export function useTexts<K extends string>(texts: Texts<K>): Translate<K> {
  const lang = useLang()
  return useCallback((key, values) => translate(texts, key, values, lang), [texts, lang])
}
