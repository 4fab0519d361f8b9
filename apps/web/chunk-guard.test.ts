import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reloadOnce } from './chunk-guard.ts'

const reload = vi.fn<() => void>()
let online = true
beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('navigator', {
    get onLine() {
      return online
    },
  })
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) })
})
afterEach(() => {
  vi.unstubAllGlobals()
  reload.mockReset()
  online = true
})

test('a missing chunk reloads the page once, and not at all without a network', () => {
  online = false
  expect(reloadOnce()).toBe(false)
  online = true
  expect([reloadOnce(), reloadOnce()]).toEqual([true, false])
  expect(reload).toHaveBeenCalledTimes(1)
})
