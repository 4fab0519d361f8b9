import type { QueryObserverOptions } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const server = vi.hoisted(() => ({ state: 'before' }))
vi.mock('#platform/web/calls/api.ts', () => {
  const answers = { get: () => async () => ({ state: server.state, rowList: [] }) }
  return { createApi: () => new Proxy({}, answers) }
})
const { QueryObserver, environmentManager, isServer } = await import('@tanstack/react-query')
const { createQueryClient } = await import('#platform/web/calls/query-client.ts')
const { overviewQueries } = await import('../queries.ts')

let client: ReturnType<typeof createQueryClient>
let leave: (() => void)[]
beforeEach(() => {
  // the library does not refetch if it detects a server
  environmentManager.setIsServer(() => false)
  vi.useFakeTimers()
  client = createQueryClient()
  server.state = 'before'
})
afterEach(() => {
  for (const go of leave) go()
  client.clear()
  environmentManager.setIsServer(() => isServer)
  vi.useRealTimers()
})

/** Opens the overview; returns a function that reads its current figures. */
async function open(): Promise<() => Record<string, unknown>> {
  const observers = Object.entries(overviewQueries).map(([name, query]) => [name, new QueryObserver(client, query as QueryObserverOptions)] as const)
  leave = observers.map(([, observer]) => observer.subscribe(() => undefined))
  await vi.advanceTimersByTimeAsync(0)
  return () => Object.fromEntries(observers.map(([name, observer]) => [name, (observer.getCurrentResult().data as { state: string }).state]))
}
const all = (state: string) => ({ balance: state, summary: state, keys: state, keySpend: state })

test('a charge reaches the open overview within 30 s: balance, totals, chart and keys', async () => {
  const shown = await open()
  expect(shown()).toEqual(all('before'))
  server.state = 'charged'
  await vi.advanceTimersByTimeAsync(30_000)
  expect(shown()).toEqual(all('charged'))
})

test('a purchase updates the balance at once', async () => {
  const shown = await open()
  server.state = 'paid'
  void client.invalidateQueries({ queryKey: ['wallet'] })
  await vi.advanceTimersByTimeAsync(0)
  expect(shown()).toEqual({ ...all('before'), balance: 'paid' })
})
