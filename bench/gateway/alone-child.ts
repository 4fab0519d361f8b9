import type { ClientRequest, ClientResponse } from '#features/gateway/server/hot/client.ts'
import type { UpstreamClient, UpstreamHandler } from '#features/gateway/server/hot/index.ts'
import { BENCH_KEY, createInMemoryRelay } from './in-memory.ts'

/**
 * Processor microseconds of the relay per call, without network and database: `node alone-child.ts [sse]` prints the minimum of many
 * batches.
 */
const IS_STREAM = process.argv[2] === 'sse'
const WARM = IS_STREAM ? 15_000 : 60_000
const BATCH = IS_STREAM ? 512 : 2_048
const BATCHES = 40
const AT_ONCE = 32

const details = { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 }
const usage = { prompt_tokens: 20, completion_tokens: 60, total_tokens: 80, prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 } }
const message = {
  role: 'assistant',
  content: 'A hundred letters of an answer say as much about the cost of reading it as a thousand do. '.repeat(3),
  refusal: null,
}
const completion = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-4o-mini', choices: [{ index: 0, message, finish_reason: 'stop' }] }
const answer = Buffer.from(JSON.stringify({ ...completion, usage: { ...usage, completion_tokens_details: details }, service_tier: 'default' }))
const answerHeaders = { 'content-type': 'application/json', 'x-request-id': 'req_1', 'content-length': String(answer.length) }

/** A stream of 64 chunks, four of them per read. */
const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini', service_tier: 'default', system_fingerprint: 'fp_1' }
const event = (choices: readonly object[], more: object = {}) => `data: ${JSON.stringify({ ...chunk, choices, ...more })}\n\n`
const delta = event([{ index: 0, delta: { content: ' chunk' }, logprobs: null, finish_reason: null }])
const last = event([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }]) + event([], { usage: { ...usage, completion_tokens_details: details } })
const streamReads = [...Array.from({ length: 16 }, () => Buffer.from(delta.repeat(4))), Buffer.from(`${last}data: [DONE]\n\n`)]
const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_1' }

const client: UpstreamClient = {
  send(_request, handler: UpstreamHandler) {
    const exchange = { over: false, written: true }
    const end = (): void => {
      exchange.over = true
      handler.onEnd()
    }
    const read = (at: number): void => {
      handler.onData(streamReads[at]!)
      if (at + 1 < streamReads.length) setImmediate(read, at + 1)
      else end()
    }
    setImmediate(() => {
      handler.onHead(200, IS_STREAM ? streamHeaders : answerHeaders)
      if (IS_STREAM) return read(0)
      handler.onData(answer)
      end()
    })
    return exchange
  },
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  close: async () => undefined,
}

const messages = [{ role: 'user', content: 'Say hello to everybody in the room, please.' }]
const body = Buffer.from(JSON.stringify({ model: 'gpt-4o-mini', messages, ...(IS_STREAM ? { stream: true } : {}) }))
const headers = {
  'host': '127.0.0.1',
  'authorization': `Bearer ${BENCH_KEY}`,
  'content-type': 'application/json',
  'content-length': String(body.length),
  'accept': '*/*',
}
const rawHeaders = Object.entries(headers).flat()
const socket = { remoteAddress: '127.0.0.1', destroy: () => undefined }

type Listener = (chunk?: Buffer) => void

/** A client's request whose body arrives in the next turn. */
function createRequest() {
  const told = new Map<string, Listener>()
  const request = {
    method: 'POST',
    url: '/v1/chat/completions',
    rawHeaders,
    headers,
    socket,
    complete: false,
    on(event: string, listener: Listener) {
      told.set(event, listener)
      if (event === 'data')
        queueMicrotask(() => {
          listener(body)
          request.complete = true
          told.get('end')?.()
        })
      return request
    },
    resume: () => undefined,
  }
  return request as unknown as ClientRequest
}

/** The response to the request; `done` receives its status. */
function createResponse(done: (status: number) => void) {
  let status = 0
  let close: Listener | undefined
  const response = {
    socket: null,
    chunkedEncoding: false,
    destroyed: false,
    headersSent: false,
    writableEnded: false,
    writableFinished: false,
    writeHead(told: number) {
      response.headersSent = true
      status = told
    },
    flushHeaders: () => undefined,
    write: () => true,
    end() {
      response.writableEnded = response.writableFinished = true
      close?.()
      done(status)
    },
    destroy: () => undefined,
    on: (_event: string, listener: Listener) => (close = listener),
    once: () => undefined,
  }
  return response as unknown as ClientResponse
}

const relay = createInMemoryRelay(client, 'http://127.0.0.1:1')
const call = () =>
  new Promise<void>((resolve, reject) => {
    const response = createResponse((status) => (status === 200 ? resolve() : reject(new Error(`answered ${status}`))))
    relay.handle(createRequest(), response)
  })
async function runCalls(count: number): Promise<void> {
  for (let i = 0; i < count; i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, call))
}

await runCalls(WARM)
let leastCpuMicros = Infinity
for (let i = 0; i < BATCHES; i++) {
  const before = process.cpuUsage()
  await runCalls(BATCH)
  const { user, system } = process.cpuUsage(before)
  leastCpuMicros = Math.min(leastCpuMicros, (user + system) / BATCH)
}
console.log(leastCpuMicros.toFixed(3))
process.exit(0)
