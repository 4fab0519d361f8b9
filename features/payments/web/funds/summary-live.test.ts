import type { QueryObserverOptions } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const server = vi.hoisted(() => ({ balance: '20', orderState: 'fulfilled' }))
vi.mock('#platform/web/calls/api.ts', () => {
  const replies: Readonly<Record<string, () => object>> = {
    fundsSummary: () => ({ balance: server.balance }),
    tradeStatus: () => ({ orderNo: 'one', orderType: 1, payStatus: 1, state: server.orderState }),
  }
  return { createApi: () => new Proxy({}, { get: (_, name) => async () => replies[String(name)]!() }) }
})
const { QueryClientProvider, QueryObserver, environmentManager, isServer } = await import('@tanstack/react-query')
const { createQueryClient } = await import('#platform/web/calls/query-client.ts')
const { onPaid } = await import('#platform/web/state/paid.ts')
const { fundsSummaryQuery } = await import('./use-summary.ts')
const { useFinish } = await import('../pay/pay-calls.ts')

let client: ReturnType<typeof createQueryClient>
let leave: () => void
beforeEach(() => {
  // The library does not refetch if it believes it runs on a server.
  environmentManager.setIsServer(() => false)
  vi.useFakeTimers()
  client = createQueryClient()
  Object.assign(server, { balance: '20', orderState: 'fulfilled' })
})
afterEach(() => {
  leave()
  client.clear()
  environmentManager.setIsServer(() => isServer)
  vi.useRealTimers()
})

/** Opens the overview; returns the displayed balance. */
async function open(): Promise<() => string> {
  const observer = new QueryObserver(client, fundsSummaryQuery('zh') as QueryObserverOptions)
  leave = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  return () => (observer.getCurrentResult().data as { balance: string }).balance
}

/** Acts as the payment dialog does on the news that an order is paid. */
function finishOf(): (orderNo: string) => Promise<void> {
  let finish: ReturnType<typeof useFinish>['finish'] | undefined
  const Dialog = () => {
    finish = useFinish(() => undefined).finish
    return null
  }
  renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Dialog)))
  return finish!
}

test('a charge reaches the open overview within 30 s', async () => {
  const shown = await open()
  server.balance = '19.9991'
  await vi.advanceTimersByTimeAsync(29_999)
  expect(shown()).toBe('20')
  await vi.advanceTimersByTimeAsync(1)
  expect(shown()).toBe('19.9991')
})

test('a purchase reaches it at once, and again when what was bought has been delivered', async () => {
  const shown = await open()
  Object.assign(server, { balance: '8.01', orderState: 'paid' })
  const told: string[] = []
  const stop = onPaid(({ orderNo }) => void told.push(orderNo))
  await finishOf()('one')
  await vi.advanceTimersByTimeAsync(0)
  expect([shown(), told]).toEqual(['8.01', ['one']])
  Object.assign(server, { balance: '5.01', orderState: 'fulfilled' })
  await vi.advanceTimersByTimeAsync(300)
  expect([shown(), told]).toEqual(['5.01', ['one', 'one']])
  stop()
})
