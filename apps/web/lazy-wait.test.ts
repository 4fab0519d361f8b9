import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PagePending } from './layout/pending.tsx'
import { createWebRouter } from './router.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  const nothing = () => undefined
  vi.stubGlobal('window', { addEventListener: nothing, removeEventListener: nothing, scrollTo: nothing, origin: 'https://site.test' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const history = () => createMemoryHistory({ initialEntries: ['/'] })
/** Created while `window` is stubbed: an earlier test of the same process may have left a document behind. */
const productsOptions = () => createWebRouter({ history: history(), lang: 'zh' }).options

/** Opens a page whose code takes this long, with the delays of the real router; returns a function that reads the visible text. */
async function visit(arrivesMs: number): Promise<() => string> {
  const rootRoute = createRootRoute()
  const home = createRoute({ getParentRoute: () => rootRoute, path: '/' })
  const page = createRoute({ getParentRoute: () => rootRoute, path: '/page' }).lazy(
    () => new Promise((arrive) => setTimeout(() => arrive({ options: { component: () => null } } as never), arrivesMs)),
  )
  const { defaultPendingMs, defaultPendingMinMs } = productsOptions()
  const waits = { defaultPendingMs: defaultPendingMs!, defaultPendingMinMs: defaultPendingMinMs!, defaultPendingComponent: PagePending }
  const router = createRouter({ routeTree: rootRoute.addChildren([home, page]), history: history(), isServer: false, ...waits })
  await router.load()
  void router.navigate({ to: '/page' as '/' })
  return () => {
    const { routeId, status } = router.state.matches.at(-1)!
    return status === 'pending' ? `${routeId} loading` : routeId
  }
}

test('a page that arrives within 300 ms shows no loading state', async () => {
  const shown = await visit(299)
  for (let ms = 0; ms < 299; ms++) {
    expect([ms, shown()]).toEqual([ms, '/'])
    await vi.advanceTimersByTimeAsync(1)
  }
  await vi.advanceTimersByTimeAsync(1)
  expect(shown()).toBe('/page')
})

test('a page that arrives later shows a loading state from 300 ms on', async () => {
  expect(productsOptions().defaultPendingComponent).toBe(PagePending)
  const shown = await visit(1_000)
  await vi.advanceTimersByTimeAsync(299)
  expect(shown()).toBe('/')
  await vi.advanceTimersByTimeAsync(1)
  expect(shown()).toBe('/page loading')
  await vi.advanceTimersByTimeAsync(699)
  expect(shown()).toBe('/page loading')
  await vi.advanceTimersByTimeAsync(1)
  expect(shown()).toBe('/page')
})
