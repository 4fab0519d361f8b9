import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test, vi } from 'vitest'
import { chooseRunPlace, listRunPlaces } from './main.ts'

test('a run uses the folder of TMPDIR', () => {
  vi.stubEnv('TMPDIR', import.meta.dirname)
  expect(chooseRunPlace()).toBe(import.meta.dirname)
})

test('without TMPDIR a run uses memory or the system’s folder, and finds leftovers in both', () => {
  vi.stubEnv('TMPDIR', undefined)
  expect(existsSync(chooseRunPlace())).toBe(true)
  expect(listRunPlaces()).toContain(chooseRunPlace())
  expect(listRunPlaces()).toContain(tmpdir())
})

test('a run uses no memory that is short', () => {
  vi.stubEnv('TMPDIR', undefined)
  vi.spyOn(process, 'availableMemory').mockReturnValue(2 ** 31)
  expect(chooseRunPlace()).toBe(tmpdir())
})
