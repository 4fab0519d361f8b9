import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONGEST_FILES } from '#platform/testing/longest-first.ts'
import { chooseTests } from './choose.ts'
import { CHANGE_PARTS, listTestFiles, needsBrowser, PARTS, TEST_ROOT, STATE_REPLACING_FILES } from './parts.ts'
import type { PartName } from './parts.ts'

const listChosen = (...words: string[]) => {
  const { files, title } = chooseTests(words, CHANGE_PARTS)
  return { files: Object.fromEntries(files), title }
}

test('no word chooses everything, each file in one part', () => {
  const all = Object.values(listChosen().files).flat()
  expect(all.length).toBeGreaterThan(200)
  const everywhere = (Object.keys(PARTS) as PartName[]).flatMap((name) => listTestFiles(name))
  expect(everywhere).toHaveLength(new Set(everywhere).size)
})

test('a feature chooses its own tests and the journeys that use it', () => {
  const { files } = listChosen('wallet')
  expect(files.unit).toContain('features/wallet/server/rounding.test.ts')
  expect(files.db).toContain('features/wallet/server/wallet.db.test.ts')
  expect(files.db!.every((file) => file.startsWith('features/wallet/'))).toBe(true)
  expect(files.e2e!.length).toBeGreaterThan(0)
})

test('a path or a piece of it chooses a file', () => {
  expect(listChosen('features/wallet/server/rounding.test.ts')).toEqual({ files: { unit: ['features/wallet/server/rounding.test.ts'] }, title: undefined })
  expect(listChosen('rounding').files.unit).toEqual(['features/wallet/server/rounding.test.ts'])
})

test('a title chooses files where no path matches', () => {
  const { files, title } = listChosen('the parts of a split add up')
  expect([files, title]).toEqual([{ unit: ['features/wallet/server/rounding.test.ts', 'scripts/test/choose.test.ts'] }, 'the parts of a split add up'])
})

test('a word without a match chooses nothing', () => {
  expect(Object.keys(listChosen(['no such', 'test at all'].join(' ')).files)).toEqual([])
})

test('every file of LONGEST and STATE_REPLACING_FILES exists', () => {
  expect([...LONGEST_FILES, ...STATE_REPLACING_FILES].filter((name) => !existsSync(join(TEST_ROOT, name)))).toEqual([])
})

test('a file that registers something with its process, or mocks a module, is in STATE_REPLACING_FILES', () => {
  const registers = (file: string): boolean => /^\s*(?:register[A-Z]\w*|vi\.(?:do)?[mM]ock)\(/m.test(readFileSync(join(TEST_ROOT, file), 'utf8'))
  const shared = (Object.keys(PARTS) as PartName[]).filter((name) => PARTS[name].shares).flatMap((name) => listTestFiles(name))
  expect(shared.filter((file) => registers(file) && !STATE_REPLACING_FILES.has(file))).toEqual([])
})

test('a browser and its font are brought before the first file that draws, whichever part it is in', () => {
  expect(needsBrowser('unit', ['features/identity/server/ocr/papers.test.ts'])).toBe(true)
  expect(needsBrowser('unit', ['platform/testing/watching/hung-calls.test.ts'])).toBe(true)
  expect(needsBrowser('unit', ['features/wallet/server/rounding.test.ts'])).toBe(false)
  expect(needsBrowser('pages', [])).toBe(true)
})
