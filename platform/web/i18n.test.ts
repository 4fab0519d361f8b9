import { afterEach, expect, test, vi } from 'vitest'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { LANGS, resolveTextKey } from '#platform/shared/texts.ts'
import { unknownTexts } from '#platform/shared/unknown-texts.ts'
import { createTranslate } from './i18n.ts'

const texts = mapLangs(() => ({ state_paid: 'Paid {amount}' }))
const STATE_TEXT = { paid: 'state_paid' } as const

afterEach(() => vi.unstubAllGlobals())

test('a state of a newer server shows a neutral text and is reported once', () => {
  const reports: Error[] = []
  vi.stubGlobal('reportError', (error: Error) => reports.push(error))
  for (const lang of LANGS) expect(createTranslate(texts, lang)(resolveTextKey(STATE_TEXT, 'frozen'), { amount: '$1' })).toBe(unknownTexts[lang].unknown_state)
  expect(reports.map((error) => error.message)).toEqual(['no text for ?frozen'])
})

test('an inherited property name is not a state', () => {
  vi.stubGlobal('reportError', () => undefined)
  expect(createTranslate(texts, 'en')(resolveTextKey(STATE_TEXT, 'constructor'), {})).toBe('Unknown')
})

test('a known state has its text', () => {
  expect(createTranslate(texts, 'en')(resolveTextKey(STATE_TEXT, 'paid'), { amount: '$1' })).toBe('Paid $1')
})
