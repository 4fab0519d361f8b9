import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSessionTicket, readSessionTicket } from './ticket.ts'

const [key, other] = [randomBytes(32), randomBytes(32)]
const whose = { taskId: 'srv_0000000000000000', userId: 'usr_1' }

test('a ticket opens its session for a minute, under the current or the previous key', () => {
  const ticket = createSessionTicket(key, whose, 1_000)
  expect(readSessionTicket([key], ticket, 60_999)).toMatchObject(whose)
  expect(readSessionTicket([other, key], ticket, 2_000)).toMatchObject(whose)
  expect(readSessionTicket([key], ticket, 61_000)).toBeUndefined()
  expect(createSessionTicket(key, whose, 1_000)).not.toBe(ticket)
})

test.each([
  ['another key', () => createSessionTicket(other, whose, 1_000)],
  [
    'another session',
    () =>
      `${Buffer.from(JSON.stringify({ ...whose, taskId: 'srv_1', until: 9e15 })).toString('base64url')}.${createSessionTicket(key, whose, 1_000).split('.')[1]}`,
  ],
  ['no signature', () => createSessionTicket(key, whose, 1_000).split('.')[0]!],
  ['nothing', () => ''],
])('%s opens nothing', (_name, ticket) => {
  expect(readSessionTicket([key], ticket(), 2_000)).toBeUndefined()
})
