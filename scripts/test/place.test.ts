import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test, vi } from 'vitest'
import { placeOfRun, placesOfRuns } from './place.ts'

test('a run lies where whoever sets TMPDIR says', () => {
  vi.stubEnv('TMPDIR', import.meta.dirname)
  expect(placeOfRun()).toBe(import.meta.dirname)
})

test('else in memory or in the system’s folder, and what was left there is found', () => {
  vi.stubEnv('TMPDIR', undefined)
  expect(existsSync(placeOfRun())).toBe(true)
  expect(placesOfRuns()).toContain(placeOfRun())
  expect(placesOfRuns()).toContain(tmpdir())
})

test('in no memory that is short', () => {
  vi.stubEnv('TMPDIR', undefined)
  vi.spyOn(process, 'availableMemory').mockReturnValue(2 ** 31)
  expect(placeOfRun()).toBe(tmpdir())
})
