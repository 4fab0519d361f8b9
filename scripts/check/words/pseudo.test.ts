import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LANGS } from '#platform/shared/languages.ts'
import { listPlaceholders } from '#platform/shared/texts.ts'
import { toPseudo } from '#platform/web/pseudo.ts'
import { listCatalogues } from '../catalogues.ts'

test.each(LANGS)('every text in %s keeps its placeholders and is at least 30 %% longer', (lang) => {
  const files = listCatalogues(process.cwd()).map(({ stem }) => `${stem}${lang}.json`)
  const texts = files.flatMap((file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>))
  expect(texts.length).toBeGreaterThan(4000)
  for (const [key, text] of texts) {
    const pseudo = toPseudo(text)
    expect([key, listPlaceholders(pseudo)]).toEqual([key, listPlaceholders(text)])
    expect([key, pseudo.match(/<[^<>]*>|https?:\/\/\S+?(?=[～\s]|\u2069|$)/g)]).toEqual([key, text.match(/<[^<>]*>|https?:\/\/\S+/g)])
    expect(pseudo.length - 2, key).toBeGreaterThanOrEqual(text.length * 1.3)
  }
})
