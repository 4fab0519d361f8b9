import type { Plugin } from 'vite'
import { LANGS, LANGUAGES } from '../../platform/shared/languages.ts'

/** Writes the table of languages into the document, where boot.js reads it before the first paint. */
export function createLanguagesPlugin(): Plugin {
  const [first] = LANGS
  const table = JSON.stringify(LANGS.map((lang) => [lang, LANGUAGES[lang].tag, LANGUAGES[lang].path, LANGUAGES[lang].script])).replaceAll('"', '&quot;')
  return {
    name: 'languages',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace(/<html[^>]*>/, `<html lang="${LANGUAGES[first!].tag}" data-langs="${table}">`),
    },
  }
}
