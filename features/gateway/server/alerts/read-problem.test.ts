import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createPublicSend } from '#platform/server/http/public-call.ts'
import { readProblem } from './alerts.ts'

/** Error that the real sender reports for a URL, parsed. */
const readSendProblem = (url: string, isAllowed?: () => boolean, deadlineMs = 5_000) =>
  createPublicSend(isAllowed)({ url, headers: {}, body: '{}', deadlineMs }).then(
    () => 'answered',
    (error: Error) => readProblem(error.message),
  )

test('each kind of failed delivery has its own code', async () => {
  const server = createServer(() => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  expect(await readSendProblem('https://10.0.0.1/')).toEqual({ code: 'address', detail: '' })
  expect(await readSendProblem('http://nobody.invalid/')).toEqual({ code: 'name', detail: '' })
  expect(await readSendProblem(`http://127.0.0.1:${port}/`, () => true, 1_000)).toEqual({ code: 'silent', detail: '1' })
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  expect(await readSendProblem(`http://127.0.0.1:${port}/`, () => true)).toEqual({ code: 'connection', detail: 'ECONNREFUSED' })
  expect(readProblem('the answer was HTTP 302')).toEqual({ code: 'status', detail: '302' })
  expect(readProblem('the webhook was removed')).toEqual({ code: 'removed', detail: '' })
})
