import { afterEach, expect, test, vi } from 'vitest'

const shown = vi.hoisted(() => vi.fn<(text: string, forMs: number) => void>())
vi.mock('#ui/layers/toast.ts', () => ({ toast: { warning: shown } }))
const { RETURN_PATH, signInByPopup } = await import('./google.ts')

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const AUTHORIZE = 'https://accounts.google.test/authorize?state=s'

test('a blocked window is reported for two seconds, and only then this one goes to Google', async () => {
  vi.useFakeTimers()
  const went = vi.fn<(url: string) => void>()
  const box = new Map<string, string>()
  vi.stubGlobal('window', { open: () => null })
  vi.stubGlobal('location', { origin: 'https://site.test', search: '', pathname: '/login', assign: went })
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => box.get(key) ?? null, setItem: (key: string, value: string) => box.set(key, value) })
  vi.stubGlobal('fetch', async () => Response.json({ code: 200, msg: '', data: { state: 's', nonce: 'n', authorizeUrl: AUTHORIZE } }))

  void signInByPopup('client', '/api', new AbortController().signal)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(shown.mock.calls).toEqual([[expect.stringContaining('窗口'), 2_000]])
  expect(went).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(went.mock.calls).toEqual([[`${AUTHORIZE}&redirect_uri=${encodeURIComponent(`https://site.test${RETURN_PATH}`)}`]])
  // the return page completes the sign-in itself, because it finds this tab's request
  expect([...box.values()].map((text) => JSON.parse(text) as object)).toEqual([{ state: 's', clientId: 'client', redirect: '/api' }])
})
