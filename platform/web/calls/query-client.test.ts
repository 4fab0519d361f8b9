import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient } from './query-client.ts'

/** A mock server that responds when the test says so. */
function aServer() {
  const asked: { readonly signal: AbortSignal; readonly answer: (what: string) => void }[] = []
  const ask = ({ signal }: { readonly signal: AbortSignal }) => new Promise<string>((answer) => asked.push({ signal, answer }))
  return { asked, ask }
}

test('a refetch during a request uses the newer answer and does not wait for the older', async () => {
  const client = createQueryClient()
  const { asked, ask } = aServer()
  const observer = new QueryObserver(client, { queryKey: ['flow'], queryFn: ask })
  const leave = observer.subscribe(() => undefined)
  const refreshed = client.invalidateQueries({ queryKey: ['flow'] })
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[0]!.signal.aborted).toBe(true)
  asked[0]!.answer('before')
  asked[1]!.answer('after')
  await refreshed
  expect(observer.getCurrentResult().data).toBe('after')
  leave()
})

test('other queries, and those that have answered, are not stopped', async () => {
  const client = createQueryClient()
  const [flow, other] = [aServer(), aServer()]
  const observers = [
    new QueryObserver(client, { queryKey: ['flow'], queryFn: flow.ask }),
    new QueryObserver(client, { queryKey: ['other'], queryFn: other.ask }),
  ] as const
  const leave = observers.map((observer) => observer.subscribe(() => undefined))
  flow.asked[0]!.answer('one')
  await expect.poll(() => observers[0].getCurrentResult().data).toBe('one')
  const refreshed = client.invalidateQueries({ queryKey: ['flow'] })
  await expect.poll(() => flow.asked.length).toBe(2)
  expect([other.asked.length, other.asked[0]!.signal.aborted, observers[0].getCurrentResult().data]).toEqual([1, false, 'one'])
  flow.asked[1]!.answer('two')
  await refreshed
  expect(observers[0].getCurrentResult().data).toBe('two')
  for (const go of leave) go()
})

test('an invalidated query without an observer is stopped, and not fetched again', async () => {
  const client = createQueryClient()
  const { asked, ask } = aServer()
  const first = client.fetchQuery({ queryKey: ['flow'], queryFn: ask }).catch(() => 'stopped')
  await client.invalidateQueries({ queryKey: ['flow'] })
  expect([await first, asked.length, asked[0]!.signal.aborted]).toEqual(['stopped', 1, true])
})
