import { expect, test } from 'vitest'
import { takeEarlyReply } from './early-call.ts'

test('a response requested before the code loaded serves the same request of the same session, once', async () => {
  const reply = Promise.resolve(new Response('{}'))
  const hold = () => Object.assign(globalThis, { __early: { url: '/balance', token: 'a', reply } })
  hold()
  expect(takeEarlyReply('/other', 'a')).toBeUndefined()
  expect(takeEarlyReply('/balance', 'b')).toBeUndefined()
  expect(takeEarlyReply('/balance', undefined)).toBeUndefined()
  expect(takeEarlyReply('/balance', 'a')).toBe(reply)
  expect(takeEarlyReply('/balance', 'a')).toBeUndefined()
})
