import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { FakeUpstream } from '../testing/fake-upstream.ts'
import { TEST_KEY } from '../testing/fake-deps.ts'
import { openLab, waitForCondition } from '../testing/lab.ts'
import { createChain, createChainMemory } from './chain.ts'
import type { Lab, LabOptions } from '../testing/lab.ts'

let lab: Lab
afterEach(() => lab.close())

const frame = (event: object): string => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`
const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 2,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 12,
}
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'
const DONE = frame({ type: 'response.completed', response: { id: 'r', status: 'completed', output: [], usage: USAGE } })
const message = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})

function serveOutput(upstream: FakeUpstream, said: unknown[], output: object[] = [message('Hi')]): void {
  let n = 0
  upstream.answer = ({ body }, socket) => {
    said.push(JSON.parse(body))
    const id = `resp_${++n}`
    socket.end(
      HEAD +
        frame({ type: 'response.created', sequence_number: 0, response: { id, status: 'in_progress' } }) +
        frame({ type: 'response.output_text.delta', sequence_number: 1, delta: 'Hi' }) +
        frame({ type: 'response.completed', sequence_number: 2, response: { id, status: 'completed', output, usage: USAGE } }),
    )
  }
}

interface Client {
  readonly ws: WebSocket
  readonly frames: Record<string, any>[]
  closed: number
  ask(event: object): void
}

async function connect(on: Lab, headers: Record<string, string> = { authorization: `Bearer ${TEST_KEY}` }): Promise<Client> {
  const ws = new WebSocket(`ws://127.0.0.1:${on.port}/v1/responses`, { headers })
  const client: Client = { ws, frames: [], closed: 0, ask: (event) => ws.send(JSON.stringify(event)) }
  ws.on('message', (data) => client.frames.push(JSON.parse((data as Buffer).toString()) as Record<string, any>))
  ws.on('close', (code) => {
    client.closed = code
  })
  await new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject))
  return client
}

const open = async (options: LabOptions = {}): Promise<Client> => {
  lab = await openLab(options)
  return connect(lab)
}
const waitForEnds = (client: Client, n: number) =>
  waitForCondition(() => client.frames.filter((one) => one['type'] === 'response.completed' || one['type'] === 'error').length >= n)

test("the vendor's own client holds a conversation of two turns; each is one settled call, its end after its row", async () => {
  lab = await openLab()
  const said: any[] = []
  serveOutput(lab.upstream, said)
  const client = new OpenAI({ apiKey: TEST_KEY, baseURL: `http://127.0.0.1:${lab.port}/v1` })
  const ws = new ResponsesWS(client)
  const types: string[] = []
  let turns = 0
  for await (const event of ws) {
    if (event.type === 'open') ws.send({ type: 'response.create', model: 'm', input: 'One', store: false })
    if (event.type !== 'message') continue
    types.push(event.message.type)
    if (event.message.type !== 'response.completed') continue
    expect(lab.journal.settled).toHaveLength(++turns)
    if (turns === 2) break
    ws.send({ type: 'response.create', model: 'm', store: false, previous_response_id: event.message.response.id, input: [{ role: 'user', content: 'Two' }] })
  }
  ws.close()
  expect(types).toEqual([
    'response.created',
    'response.output_text.delta',
    'response.completed',
    'response.created',
    'response.output_text.delta',
    'response.completed',
  ])
  expect(said[0]).toEqual({ stream: true, model: 'm', input: 'One', store: false })
  expect(said[1]).toEqual({
    stream: true,
    model: 'm',
    store: false,
    input: [{ type: 'message', role: 'user', content: 'One' }, message('Hi'), { role: 'user', content: 'Two' }],
  })
  expect(lab.journal.settled.map((row) => [row.inputTokens, row.outputTokens, row.dialect, row.outcome])).toEqual([
    [10, 2, 'openai-responses', 'completed'],
    [10, 2, 'openai-responses', 'completed'],
  ])
})

test('a warm-up costs nothing and is remembered; reasoning without encrypted content is not sent again', async () => {
  const client = await open()
  const said: any[] = []
  serveOutput(lab.upstream, said, [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'x' },
    message('Hi'),
  ])
  client.ask({ type: 'response.create', model: 'm', generate: false, store: false, input: [{ role: 'user', content: 'Warm' }] })
  await waitForEnds(client, 1)
  expect(lab.journal.reserved).toHaveLength(0)
  const warm = client.frames.at(-1)!['response'].id as string
  client.ask({ type: 'response.create', model: 'm', store: false, previous_response_id: warm, input: [] })
  await waitForEnds(client, 2)
  client.ask({ type: 'response.create', model: 'm', store: false, previous_response_id: 'resp_1', input: 'And?' })
  await waitForEnds(client, 3)
  expect(said[0].input).toEqual([{ role: 'user', content: 'Warm' }])
  expect(said[1].input.map((item: { id?: string; content: unknown }) => item.id ?? item.content)).toEqual(['Warm', 'rs_2', 'msg_1', 'And?'])
})

test('lanes run in parallel, the turns of a lane in order, and each event names its lane', async () => {
  const client = await open()
  const waiting: (() => void)[] = []
  let most = 0
  lab.upstream.answer = (_seen, socket) => {
    waiting.push(() => socket.end(HEAD + DONE))
    most = Math.max(most, waiting.length)
  }
  for (const lane of ['a', 'a', 'b']) client.ask({ type: 'response.create', stream_id: lane, model: 'm', input: lane })
  await waitForCondition(() => waiting.length === 2)
  waiting.splice(0).forEach((answer) => answer())
  await waitForCondition(() => waiting.length === 1)
  waiting.splice(0).forEach((answer) => answer())
  await waitForEnds(client, 3)
  expect(most).toBe(2)
  expect(client.frames.map((one) => one['stream_id']).toSorted()).toEqual(['a', 'a', 'b'])
})

test.each([
  ['a model that does not exist', { type: 'response.create', model: 'nobody', input: 'x' }, 404, 'model_not_found'],
  [
    'an unknown response',
    { type: 'response.create', model: 'm', input: 'x', store: false, previous_response_id: 'resp_x' },
    400,
    'previous_response_not_found',
  ],
  ['another event', { type: 'session.update' }, 400, 'invalid_event'],
  ['background', { type: 'response.create', model: 'm', input: 'x', background: true }, 400, 'unsupported_parameter'],
])('%s is refused by an error event, and the socket lives on', async (_what, event, status, code) => {
  const client = await open()
  const said: unknown[] = []
  serveOutput(lab.upstream, said)
  client.ask(event)
  await waitForEnds(client, 1)
  expect(client.frames[0]).toMatchObject({ type: 'error', status, error: { code } })
  client.ask({ type: 'response.create', model: 'm', input: 'x' })
  await waitForEnds(client, 2)
  expect(client.frames.at(-1)!['type']).toBe('response.completed')
  expect(said).toHaveLength(1)
})

test('a call without money gets the HTTP error as an event, and no upstream is asked', async () => {
  const client = await open()
  lab.journal.admitAs = 'insufficient_balance'
  client.ask({ type: 'response.create', model: 'm', input: 'x' })
  await waitForEnds(client, 1)
  expect(client.frames[0]).toMatchObject({ type: 'error', status: 429, error: { type: 'insufficient_quota', code: 'credit_balance_exhausted' } })
  expect(lab.upstream.seen).toHaveLength(0)
})

test('a client that leaves in mid-response is billed for what was relayed; the upstream is left', async () => {
  const client = await open()
  lab.upstream.answer = (_seen, socket) => {
    socket.write(HEAD + frame({ type: 'response.output_text.delta', delta: 'Hello there, this is text' }))
  }
  client.ask({ type: 'response.create', model: 'm', input: 'x' })
  client.ask({ type: 'response.create', model: 'm', input: 'never asked' })
  await waitForCondition(() => client.frames.length === 1)
  client.ws.terminate()
  await waitForCondition(() => lab.journal.settled.length === 1)
  expect(lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', provenance: 'estimated' })
  await waitForCondition(() => lab.relay.openCalls() === 0)
  expect(lab.upstream.seen).toHaveLength(1)
})

test('binary frames and invalid JSON get an error each; a frame too large closes the socket', async () => {
  const client = await open()
  client.ws.send(Buffer.from([1, 2, 3]))
  client.ws.send('{"type":')
  await waitForEnds(client, 2)
  expect(client.frames.map((one) => one['error'].code)).toEqual(['invalid_message', 'invalid_json'])
  client.ws.send(Buffer.alloc(17 * 1024 * 1024, 32), { binary: false })
  await waitForCondition(() => client.closed === 1009)
})

test('memory shared by sockets is bounded: the oldest entry is dropped first, and a closed socket gives its share back', () => {
  const memory = createChainMemory(100)
  const one = createChain(memory)
  const two = createChain(memory)
  one.keep('a', Buffer.alloc(60))
  two.keep('b', Buffer.alloc(30))
  two.keep('c', Buffer.alloc(30))
  expect([one.find('a'), two.find('b'), two.find('c')].map((found) => found?.length)).toEqual([60, undefined, 30])
  one.clear()
  expect(memory.used).toBe(30)
  two.forget('c')
  two.forget('c')
  expect(memory.used).toBe(0)
  for (let n = 0; n < 20; n++) two.keep(String(n), Buffer.alloc(1))
  expect([two.find('3'), two.find('4')?.length, memory.used]).toEqual([undefined, 1, 16])
})

test('waiting turns are bounded in number; one too many is refused', async () => {
  const client = await open()
  lab.upstream.answer = () => undefined
  for (let n = 0; n < 34; n++) client.ask({ type: 'response.create', model: 'm', input: String(n) })
  await waitForEnds(client, 1)
  expect(client.frames).toHaveLength(1)
  expect(client.frames[0]).toMatchObject({ type: 'error', status: 429, error: { code: 'rate_limit_exceeded' } })
  expect(lab.upstream.seen).toHaveLength(1)
})

test('a shutdown lets the running response end, then closes with 1001', async () => {
  const client = await open()
  let answer = (): void => undefined
  lab.upstream.answer = (_seen, socket) => {
    answer = () => socket.end(HEAD + DONE)
  }
  const idle = await connect(lab)
  client.ask({ type: 'response.create', model: 'm', input: 'x' })
  await waitForCondition(() => lab.upstream.seen.length === 1)
  const drained = lab.relay.drain(5_000)
  await waitForCondition(() => idle.closed === 1001)
  expect(client.closed).toBe(0)
  answer()
  await waitForEnds(client, 1)
  await waitForCondition(() => client.closed === 1001)
  await drained
  await expect(connect(lab)).rejects.toThrow('503')
})

test.each([
  ['no key', {}, 401],
  ['a wrong key', { authorization: 'Bearer sk-mx-nobody' }, 401],
])('%s is refused before the handshake, in HTTP', async (_what, headers, status) => {
  lab = await openLab()
  const ws = new WebSocket(`ws://127.0.0.1:${lab.port}/v1/responses`, { headers })
  const body = await new Promise<string>((resolve, reject) => {
    ws.on('unexpected-response', (_req, res) => {
      let text = ''
      res.on('data', (part: Buffer) => (text += part.toString())).on('end', () => resolve(`${res.statusCode} ${text}`))
    })
    ws.on('error', reject)
  })
  expect(body).toMatch(new RegExp(`^${status} \\{"error":\\{"message":`))
})
