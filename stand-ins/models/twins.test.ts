import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBook } from './book/book.ts'
import type { ModelBook } from './book/book.ts'
import { createModelTwins } from './twins.ts'

const books = new Map<string, ModelBook>([['', openBook()]])
const server = createServer(
  createModelTwins({ book: books.get('')! }, (twin) => {
    const book = openBook()
    books.set(twin, book)
    return book
  }),
)
let root = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sandbox/upstream`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const ask = async (where: string, text: string) =>
  (
    await fetch(`${root}${where}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': 'Bearer sandbox', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] }),
    })
  ).status

test('twins answer alike, fail where a marker says so, and keep their own books', async () => {
  const text = 'Hi [[sandbox:fault=error,at=twin-a]]'
  expect([await ask('/twin-a', text), await ask('/twin-b', text), await ask('', text)]).toEqual([500, 200, 200])
  expect(await ask('/twin-a', 'Hi')).toBe(200)
  const counts = Object.fromEntries([...books].map(([twin, book]) => [twin, book.list(0).filter((entry) => entry.status === 'finished').length]))
  expect(counts).toEqual({ '': 1, 'twin-a': 1, 'twin-b': 1 })
  expect(await ask('/twin-aa', 'Hi')).toBe(404)
})
