import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Deps } from '#platform/server/feature.ts'
import { createLog } from '#platform/server/log.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { openTestViewer } from '../testing/test-viewer.ts'
import { createSessionTicket } from '../ticket.ts'
import type { RemoteBrowserSession } from './session.ts'
import { createRemoteSockets } from './socket.ts'

const key = randomBytes(32)
const deps = { secretKeys: [key], log: createLog('silent') } as unknown as Deps
let wished: string[] = []
let session: RemoteBrowserSession
const sockets = createRemoteSockets(deps, { find: () => session, look: async () => {}, refusal: () => '', stop: async () => {} }, () => ['https://own.example'])
const server = createServer().on('upgrade', (request, socket, early) => sockets.open(request, socket, early))
await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => {
  sockets.stop()
  server.close()
})
beforeEach(() => {
  wished = []
  session = {
    taskId: 'srv_1',
    userId: 'usr_1',
    slot: 0,
    given: 0,
    until: new Date(Date.now() + 60_000),
    browser: { wish: async ({ do: wish }) => void wished.push(wish), show: async () => undefined, close: async () => undefined },
  }
})
const ticket = (userId = 'usr_1') => createSessionTicket(key, { taskId: 'srv_1', userId }, Date.now())

test('a ticket opens its session once, and only from our own origins', async () => {
  const one = ticket()
  const page = await openTestViewer(at, one)
  await waitForValue(() => session.looker, 'the page')
  await expect(openTestViewer(at, one)).rejects.toThrow('401')
  await expect(openTestViewer(at, ticket(), { origin: 'https://evil.example' })).rejects.toThrow('403')
  await expect(openTestViewer(at, 'no-ticket')).rejects.toThrow('401')
  const stranger = await openTestViewer(at, ticket('usr_2'))
  await stranger.closed
  expect(stranger.told).toEqual([{ tell: 'over', reason: 'gone' }])
  page.close()
})

test('a replaced page is notified, and its later input is ignored', async () => {
  const first = await openTestViewer(at, ticket())
  const before = await waitForValue(() => session.looker, 'the first page')
  const second = await openTestViewer(at, ticket(), { origin: 'https://own.example' })
  await waitForValue(() => session.looker !== before, 'the second page')
  first.send({ do: 'newTab' })
  await first.closed
  expect(first.told.at(-1)).toEqual({ tell: 'over', reason: 'replaced' })
  second.send({ do: 'reload' })
  await waitForValue(() => wished.length > 0, 'a wish')
  expect(wished).toEqual(['reload'])
  second.close()
})

test('a page that reads nothing is disconnected, and so is one that sends too much', async () => {
  const deaf = await openTestViewer(at, ticket())
  const looker = await waitForValue(() => session.looker, 'the page')
  deaf.pause()
  await waitForValue(() => {
    for (let n = 0; n < 100; n++) looker.picture(Buffer.alloc(500_000))
    return session.looker === undefined
  }, 'the end')
  const loud = await openTestViewer(at, ticket())
  for (let n = 0; n < 2_000; n++) loud.send({ do: 'back' })
  await loud.closed
  expect(wished.length).toBeLessThan(1_300)
})
