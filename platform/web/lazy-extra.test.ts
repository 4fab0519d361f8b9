import { afterEach, expect, test, vi } from 'vitest'
import { loadInTime } from './lazy-extra.ts'

afterEach(() => vi.unstubAllGlobals())

test('an extra that failed offline is loaded when the network is back; one that failed for another reason is not', async () => {
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
