import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { defineErrors } from '#platform/shared/errors.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { Db } from '../database/db.ts'
import { bind, defineFeature } from '../feature.ts'
import { createHttp } from './http.ts'
import { createTextFormatter } from '../text-formatter.ts'

// A body that trickles gets its connection closed; a slow one that stays within its time is served.
const errors = defineErrors({})
const contract = defineContract(errors)({
  say: {
    method: 'POST',
    path: '/say',
    access: 'public',
    summary: 'Says it back',
    input: z.object({ text: z.string() }),
    reply: z.object({ text: z.string() }),
    errors: [],
  },
})
const feature = defineFeature({ name: 'say', errors, routes: [bind(contract, { say: async (_ctx, { text }) => ({ text }) })] })
const { deps } = createTestApp({ features: [feature], db: {} as Db })
const open = (bodyMs: number) =>
  createHttp({ deps, features: [feature], speak: createTextFormatter([{ zh: { ok: 'ok' }, en: { ok: 'ok' } }]), roles: new Set(['api']), bodyMs })
const hasty = open(300)
const patient = open(60_000)

beforeAll(async () => {
  await hasty.listen({ port: 0, host: '127.0.0.1' })
  await patient.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await hasty.close()
  await patient.close()
})

interface Told {
  readonly socket: Socket
  readonly ended: Promise<string>
}
function post(app: typeof hasty, head: string): Told {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString()))
  socket.on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  socket.write(`POST /say HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${head}\r\n\r\n`)
  return { socket, ended }
}
const BODY = '{"text":"slowly, but there"}'

test.each(['content-length: 1000', 'transfer-encoding: chunked'])('a body that trickles is answered 408 and its connection closed: %s', async (head) => {
  const { socket, ended } = post(hasty, head)
  const trickle = setInterval(() => socket.write(head.startsWith('content') ? ' ' : '1\r\n \r\n'), 20)
  const text = await ended
  clearInterval(trickle)
  expect(text).toMatch(/^HTTP\/1\.1 408 /)
  expect(text.toLowerCase()).toContain('connection: close')
})

test('a body sent in single bytes is accepted when it is whole in time', async () => {
  const { socket, ended } = post(patient, `connection: close\r\ncontent-length: ${BODY.length}`)
  for (const byte of BODY) {
    socket.write(byte)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await ended).toContain('slowly, but there')
})

test('a request with two hosts is refused, whatever they are', async () => {
  const answers = await Promise.all(
    ['Host: a\r\n', 'Host: a\r\nHost: b\r\n', 'Host: a\r\nhOST: a\r\n'].map((hosts) => {
      const socket = connect((patient.server.address() as AddressInfo).port, '127.0.0.1')
      socket.write(`POST /say HTTP/1.1\r\n${hosts}Connection: close\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"text":"x"}`)
      let text = ''
      socket.on('data', (data: Buffer) => (text += data.toString()))
      return new Promise<string>((resolve) => socket.on('close', () => resolve(text.slice(9, 12))))
    }),
  )
  expect(answers).toEqual(['200', '400', '400'])
})
