import { createServer } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CHAT, CHAT_STREAM_USAGE, call, openLab, until } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { aModel, anUpstream } from '../testing/fake-deps.ts'
import { CHAT_USAGE } from '../testing/transcripts.ts'
import { createHttp2Client } from './client.ts'

/** The relay in front of an upstream that speaks HTTP/2 (in the clear: TLS has its tests beside). */
let lab: Lab
let answer: (stream: ServerHttp2Stream) => void
const client = createHttp2Client()
const server = createServer()
beforeEach(async () => {
  server.on('stream', (stream) => {
    stream.on('error', () => undefined)
    answer(stream as ServerHttp2Stream)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  lab = await openLab()
  lab.models.set('m', aModel('m', [{ upstream: anUpstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {}, client), upstreamModel: 'm' }]))
})
afterEach(async () => {
  await lab.close()
  server.removeAllListeners('stream')
  await new Promise((resolve) => {
    server.close(resolve)
    void client.close()
  })
})

it('relays streams, whole answers and cuts as over HTTP/1.1, and leaves when the client does', async () => {
  const events = { ':status': 200, 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'vendor-1' }
  answer = (stream) => {
    stream.respond(events)
    for (let at = 0; at < CHAT_USAGE.length; at += 50) stream.write(CHAT_USAGE.slice(at, at + 50))
    stream.end()
  }
  const streamed = await call(lab, { body: CHAT_STREAM_USAGE })
  expect([streamed.body, streamed.headers['x-upstream-request-id']]).toEqual([CHAT_USAGE, 'vendor-1'])
  expect(lab.journal.settled.at(-1)).toMatchObject({ outcome: 'completed', provenance: 'upstream', inputTokens: 100, outputTokens: 20 })

  answer = (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/json' })
    stream.end('{"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}')
  }
  expect((await call(lab, { body: CHAT })).status).toBe(200)
  expect(lab.journal.settled.at(-1)).toMatchObject({ inputTokens: 3, outputTokens: 2 })

  answer = (stream) => {
    stream.respond(events)
    stream.write(CHAT_USAGE.slice(0, 600))
    setTimeout(() => stream.destroy(new Error('broken')), 20)
  }
  expect((await call(lab, { body: CHAT_STREAM_USAGE })).body).toContain('upstream_cut')
  expect(lab.journal.settled.at(-1)).toMatchObject({ outcome: 'upstream_cut' })

  let isLeft = false
  answer = (stream) => {
    stream.respond(events)
    stream.write(CHAT_USAGE.slice(0, 600))
    stream.on('close', () => {
      isLeft = true
    })
  }
  await call(lab, { body: CHAT_STREAM_USAGE, onData: (_text, res) => res.destroy() })
  await until(() => isLeft)
  await until(() => lab.journal.settled.at(-1)?.outcome === 'client_gone')
})
