import type { ClientRequest, ClientResponse } from '#features/gateway/server/hot/client.ts'
import type { UpstreamClient, UpstreamHandler } from '#features/gateway/server/hot/index.ts'
import { KEY, relayInMemory } from './in-memory.ts'

/** Processor microseconds of the relay for a call, without network and database: `node alone-child.ts` prints the least of many batches. */
const WARM = 60_000
const BATCH = 2_048
const BATCHES = 40
const AT_ONCE = 32

const details = { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 }
const usage = { prompt_tokens: 20, completion_tokens: 60, total_tokens: 80, prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 } }
const message = {
  role: 'assistant',
  content: 'A hundred letters of an answer say as much about the cost of reading it as a thousand do. '.repeat(3),
  refusal: null,
}
const said = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-4o-mini', choices: [{ index: 0, message, finish_reason: 'stop' }] }
const answer = Buffer.from(JSON.stringify({ ...said, usage: { ...usage, completion_tokens_details: details }, service_tier: 'default' }))
const answerHeaders = { 'content-type': 'application/json', 'x-request-id': 'req_1', 'content-length': String(answer.length) }

const client: UpstreamClient = {
  send(_request, handler: UpstreamHandler) {
    const exchange = { over: false, written: true }
    setImmediate(() => {
      handler.onHead(200, answerHeaders)
      handler.onData(answer)
      exchange.over = true
      handler.onEnd()
    })
    return exchange
  },
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  close: async () => undefined,
}

const body = Buffer.from(JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Say hello to everybody in the room, please.' }] }))
const headers = {
  'host': '127.0.0.1',
  'authorization': `Bearer ${KEY}`,
  'content-type': 'application/json',
  'content-length': String(body.length),
  'accept': '*/*',
}
const rawHeaders = Object.entries(headers).flat()
const socket = { remoteAddress: '127.0.0.1', destroy: () => undefined }

type Listener = (chunk?: Buffer) => void

/** A client's request whose body comes with the next turn. */
function asked() {
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

/** The answer to it; `done` hears of its status. */
function answered(done: (status: number) => void) {
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

const relay = relayInMemory(client, 'http://127.0.0.1:1')
const call = () =>
  new Promise<void>((resolve, reject) => {
    const response = answered((status) => (status === 200 ? resolve() : reject(new Error(`answered ${status}`))))
    relay.handle(asked(), response)
  })
async function calls(count: number): Promise<void> {
  for (let i = 0; i < count; i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, call))
}

await calls(WARM)
let least = Infinity
for (let i = 0; i < BATCHES; i++) {
  const before = process.cpuUsage()
  await calls(BATCH)
  const { user, system } = process.cpuUsage(before)
  least = Math.min(least, (user + system) / BATCH)
}
console.log(least.toFixed(3))
process.exit(0)
