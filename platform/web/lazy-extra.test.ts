import { afterEach, expect, test, vi } from 'vitest'
import { loadInTime } from './lazy-extra.ts'

afterEach(() => vi.unstubAllGlobals())

test('what the absence of a network prevented is loaded when it is back, and what failed for another reason is not', async () => {
  let online = false
  const window = new EventTarget()
  vi.stubGlobal('navigator', {
    get onLine() {
      return online
    },
  })
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  const load = vi.fn<() => Promise<string>>(async () => {
    if (!online) throw new Error('no network')
    return 'loaded'
  })
  const loading = loadInTime(load)
  await Promise.resolve()
  expect(load).toHaveBeenCalledTimes(1)
  online = true
  window.dispatchEvent(new Event('online'))
  expect(await loading).toBe('loaded')
  await expect(loadInTime(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
})
