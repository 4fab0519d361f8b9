import { expect, test } from 'vitest'
import { takeEarly } from './early-call.ts'

test('a response requested before the code loaded serves the same request of the same session, once', async () => {
  const reply = Promise.resolve(new Response('{}'))
  const hold = () => Object.assign(globalThis, { __early: { url: '/balance', token: 'a', reply } })
  hold()
  expect(takeEarly('/other', 'a')).toBeUndefined()
  expect(takeEarly('/balance', 'b')).toBeUndefined()
  expect(takeEarly('/balance', undefined)).toBeUndefined()
  expect(takeEarly('/balance', 'a')).toBe(reply)
  expect(takeEarly('/balance', 'a')).toBeUndefined()
})
