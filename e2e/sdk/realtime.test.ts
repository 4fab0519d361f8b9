import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { afterEach, expect, test } from 'vitest'
import { TEST_KEY } from '#features/gateway/server/hot/testing/fake-deps.ts'
import { sleep, waitForCondition } from '#features/gateway/server/hot/testing/lab.ts'
import { openSocketLab, usePlainTcp, openRawClient } from './sockets-lab.ts'
import type { SocketLab } from './sockets-lab.ts'

let it: SocketLab
afterEach(() => it.stop())

const NO_LIMITS = { expiresAt: undefined, models: undefined, networks: undefined, requestsMinute: 2, tokensMinute: undefined, atOnce: undefined, budget: false }
const PATH = '/v1/realtime?model=gpt-realtime-2.1'
const user = (text: string) => ({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] } })
const quiet = Buffer.alloc(4_800).toString('base64')
const loud = Buffer.alloc(48_000, Buffer.from([0x00, 0x20])).toString('base64')

/** Every row equals the sandbox's own book, class by class, and every cent is accounted for. */
function expectBooksEqual(start: bigint): void {
  const rows = it.lab.journal.settled
  const booked = it.box.book.list(0).filter((entry) => entry.billed.input + entry.billed.output > 0)
  expect(rows.map((row) => [row.callId, row.model, row.inputTokens, row.outputTokens]).toSorted()).toEqual(
    booked.map((entry) => [entry.callId, entry.model, entry.billed.input, entry.billed.output]).toSorted(),
  )
  expect(start - it.purse.balance).toBe(rows.reduce((sum, row) => sum + row.amount, 0n))
  expect(it.purse.least).toBeGreaterThanOrEqual(0n)
}

test("the vendor's own client talks, is called back by a tool, and every response is a row by class", async () => {
  it = await openSocketLab()
  const start = it.purse.balance
  const client = new OpenAI({ apiKey: TEST_KEY, baseURL: `http://127.0.0.1:${it.lab.port}/v1` })
  const rt = new OpenAIRealtimeWS({ model: 'gpt-realtime-2.1', options: usePlainTcp(it.lab.port) }, client)
  const done: any[] = []
  const audio: string[] = []
  rt.on('response.done', (event) => done.push(event.response))
  rt.on('response.output_audio.delta', (event) => audio.push(event.delta))
  rt.on('error', (error) => done.push(error))
  await new Promise((resolve) => rt.socket.on('open', resolve))
  rt.send({ type: 'session.update', session: { type: 'realtime', tools: [{ type: 'function', name: 'weather', parameters: {} }] } })
  rt.send(user('Hello there') as never)
  rt.send({ type: 'response.create' })
  await waitForCondition(() => done.length === 1)
  expect(it.lab.journal.settled).toHaveLength(1)
  rt.send(user('What is the weather in Paris?') as never)
  rt.send({ type: 'response.create' })
  await waitForCondition(() => done.length === 2)
  const call = done[1].output[0]
  expect(call).toMatchObject({ type: 'function_call', name: 'weather' })
  rt.send({ type: 'conversation.item.create', item: { type: 'function_call_output', call_id: call.call_id, output: 'sunny' } })
  rt.send({ type: 'response.create' })
  await waitForCondition(() => done.length === 3)
  rt.close()
  await waitForCondition(() => it.purse.balance + it.lab.journal.settled.reduce((sum, row) => sum + row.amount, 0n) === start)
  expect(done.map((response) => response.status)).toEqual(['completed', 'completed', 'completed'])
  expect(audio.length).toBeGreaterThan(1)
  expect(it.lab.journal.settled.map((row) => row.lines.map((line) => line.kind))).toEqual([
    ['input', 'output', 'audioOutput'],
    ['input', 'audioInput', 'output'],
    ['input', 'cachedInput', 'audioInput', 'output', 'audioOutput'],
  ])
  expectBooksEqual(start)
})

test('speech is heard, answered and interrupted; what is transcribed is billed to the model that does it', async () => {
  it = await openSocketLab()
  const start = it.purse.balance
  const client = await openRawClient(it.lab.port, PATH)
  await client.heard('session.created')
  client.say({ type: 'session.update', session: { audio: { input: { transcription: { model: 'gpt-4o-transcribe' } } }, instructions: '[[x]]' } })
  await client.heard('session.updated')
  client.say(user('[[sandbox:tokens=400,chunk=5]]'))
  client.say({ type: 'response.create' })
  await client.heard('response.output_audio.delta', 3)
  client.say({ type: 'input_audio_buffer.append', audio: loud })
  client.say({ type: 'input_audio_buffer.append', audio: quiet })
  const first = await client.heard('response.done')
  expect(first['response'].status).toBe('cancelled')
  await client.heard('conversation.item.input_audio_transcription.completed')
  await client.heard('response.created', 2)
  client.say({ type: 'response.cancel' })
  await client.heard('response.done', 2)
  client.ws.close()
  await waitForCondition(() => it.lab.journal.settled.length === 3)
  expect(it.lab.journal.settled.map((row) => row.model).toSorted()).toEqual(['gpt-4o-transcribe', 'gpt-realtime-2.1', 'gpt-realtime-2.1'])
  await waitForCondition(() => it.purse.balance + it.lab.journal.settled.reduce((sum, row) => sum + row.amount, 0n) === start)
  expectBooksEqual(start)
})

test('frames pass byte for byte, both ways, and a browser gets its protocol and not its key', async () => {
  it = await openSocketLab()
  const client = await openRawClient(it.lab.port, PATH, {
    headers: {},
    protocols: ['realtime', `openai-insecure-api-key.${TEST_KEY}`, 'openai-beta.realtime-v1'],
  })
  expect(client.ws.protocol).toBe('realtime')
  const created = await client.heard('session.created')
  expect(created['session'].model).toBe('gpt-realtime-2.1')
  client.ws.send('{"type":  "nonsense" , "é":"\\u00e9"}')
  expect((await client.heard('error'))['error'].code).toBe('invalid_value')
  client.ws.send('{"type":"response.cancel"}')
  expect((await client.heard('error', 2))['error'].code).toBe('response_cancel_not_active')
  client.ws.send('no json')
  expect((await client.heard('error', 3))['error'].code).toBe('invalid_json')
  client.ws.send(Buffer.from('{"type":"response.create"}'), { binary: true })
  expect((await client.heard('error', 4))['error'].code).toBe('invalid_message')
  client.say({ type: 'session.update', session: { audio: { input: { transcription: { model: 'whisper-9' } } } } })
  expect((await client.heard('error', 5))['error'].code).toBe('model_not_found')
  client.ws.send(Buffer.alloc(17 * 1024 * 1024, 32), { binary: false })
  await waitForCondition(() => client.closed?.code === 1009)
  await waitForCondition(() => it.purse.balance === 10n ** 12n)
})

test.each([
  ['no key', PATH, {}, /^Error: 401 {"error":{"message":.*"type":"invalid_request_error"/],
  ['a wrong key', PATH, { authorization: 'Bearer sk-no' }, /^Error: 401 .*invalid_api_key/],
  ['no model', '/v1/realtime', undefined, /^Error: 400 .*"param":"model"/],
  ['an unknown model', '/v1/realtime?model=nobody', undefined, /^Error: 404 .*model_not_found/],
  ['a model of another kind', '/v1/realtime?model=m', undefined, /^Error: 400 .*model_not_supported/],
  ['a model that the vendor does not know', '/v1/realtime?model=missing-upstream', undefined, /^Error: 404 /],
  ['another path', '/v1/realtime/translations', undefined, /^Error: 426 /],
])('%s is refused before the handshake, in HTTP', async (_what, path, headers, words) => {
  it = await openSocketLab()
  await expect(openRawClient(it.lab.port, path, { headers })).rejects.toThrow(new RegExp(words.source.replace('^Error: ', '^')))
  expect(it.purse.balance).toBe(10n ** 12n)
})

test('no money: refused before the handshake; a session that runs out is closed with the reason, never below zero', async () => {
  it = await openSocketLab(1n)
  await expect(openRawClient(it.lab.port, PATH)).rejects.toThrow(/429 .*credit_balance_exhausted/)
  // Enough for one slice of output (4,096 tokens at 60 dollars a million) and a little, but not for a second one.
  it.purse.balance = 260_000_000n
  it.purse.least = it.purse.balance
  const client = await openRawClient(it.lab.port, PATH)
  client.say(user('[[sandbox:tokens=3000,chunk=1]]'))
  client.say({ type: 'response.create' })
  await waitForCondition(() => client.closed !== undefined)
  expect(client.closed).toMatchObject({ code: 1008, reason: 'credit_balance_exhausted' })
  expect(client.frames.at(-1)).toMatchObject({ type: 'error', error: { type: 'insufficient_quota' } })
  expect(client.frames.at(-2)).toMatchObject({ type: 'response.done', response: { status: 'incomplete' } })
  expectBooksEqual(260_000_000n)
})

test('answers requested in one breath: none is requested from the vendor before there is money for it', async () => {
  // Enough for two of the longest responses, 32,000 tokens at 60 dollars a million.
  const start = 4_000_000_000n
  it = await openSocketLab(start)
  const client = await openRawClient(it.lab.port, PATH)
  client.say({ type: 'session.update', session: { output_modalities: ['text'] } })
  for (let n = 0; n < 6; n++) client.say({ type: 'response.create', response: { conversation: 'none', input: [user('[[sandbox:tokens=20]]').item] } })
  await client.heard('response.done', 6)
  client.ws.close()
  await waitForCondition(() => it.purse.balance + it.lab.journal.settled.reduce((sum, row) => sum + row.amount, 0n) === start)
  expect(it.lab.journal.settled).toHaveLength(6)
  expectBooksEqual(start)
})

test('with too little for the longest answer the vendor’s output is capped, and no event lifts the cap', async () => {
  it = await openSocketLab(600_000_000n)
  const client = await openRawClient(it.lab.port, PATH)
  expect((await client.heard('session.updated'))['session'].max_output_tokens).toBe(4_096)
  client.say({ type: 'session.update', session: { max_output_tokens: 'inf' } })
  expect((await client.heard('error'))['error']).toMatchObject({ code: 'credit_balance_exhausted', param: 'session.max_output_tokens' })
  client.say({ type: 'response.create', response: { max_output_tokens: 5_000 } })
  expect((await client.heard('error', 2))['error']).toMatchObject({ code: 'credit_balance_exhausted', param: 'response.max_output_tokens' })
  client.say(user('[[sandbox:tokens=20]]'))
  client.say({ type: 'response.create' })
  await client.heard('response.done')
  client.ws.close()
  await waitForCondition(() => it.purse.balance + it.lab.journal.settled.reduce((sum, row) => sum + row.amount, 0n) === 600_000_000n)
  expectBooksEqual(600_000_000n)
})

test.each(['{"type":"input_audio_buffer.clear","type":"response.create"}', '{"type":"response\\u002ecreate"}'])(
  'an event that parsers read in different ways is refused: %s',
  async (frame) => {
    it = await openSocketLab()
    const client = await openRawClient(it.lab.port, PATH)
    client.ws.send(frame)
    expect((await client.heard('error'))['error']).toMatchObject({ code: 'invalid_event', param: 'type' })
    client.ws.close()
    expect(it.box.book.list(0)).toEqual([])
  },
)

test('nothing of a response leaves before its promise is written, nor its end before its row is', async () => {
  it = await openSocketLab()
  const gates = { reserve: () => {}, settle: () => {} }
  it.lab.journal.reserveWith = () => new Promise<void>((resolve) => (gates.reserve = resolve))
  it.lab.journal.settleWith = () => new Promise<void>((resolve) => (gates.settle = resolve))
  const client = await openRawClient(it.lab.port, PATH)
  client.say(user('Hello'))
  client.say({ type: 'response.create' })
  await waitForCondition(() => it.lab.journal.reserved.length === 1)
  await sleep(100)
  expect(client.frames.some((frame) => String(frame['type']).startsWith('response.'))).toBe(false)
  gates.reserve()
  await client.heard('response.output_item.done')
  await waitForCondition(() => it.lab.journal.settled.length === 1)
  await sleep(100)
  expect(client.frames.some((frame) => frame['type'] === 'response.done')).toBe(false)
  gates.settle()
  await client.heard('response.done')
})

test('a promise that cannot be written: the client sees nothing of the response, is closed with 1011, and keeps its money', async () => {
  it = await openSocketLab()
  const { journal } = it.lab.deps
  Object.assign(journal, {
    reserve: async (call: { held: bigint }) => {
      it.purse.balance += call.held
      throw new Error('the database is away')
    },
  })
  const client = await openRawClient(it.lab.port, PATH)
  client.say(user('Hello'))
  client.say({ type: 'response.create' })
  await waitForCondition(() => client.closed !== undefined)
  expect(client.closed!.code).toBe(1011)
  expect(client.frames.some((frame) => String(frame['type']).startsWith('response.'))).toBe(false)
  await waitForCondition(() => it.purse.balance === 10n ** 12n)
})

test('a key with counted limits: one place for each response, given back with its tokens; with none left, a 429', async () => {
  it = await openSocketLab()
  const asked: string[] = []
  const ended: number[] = []
  let left = 2
  Object.assign(it.lab.deps, {
    findKey: () => ({ keyId: 'key_1', userId: 'user_1', accountId: 1n, onDisconnect: 'abort', limits: { ...NO_LIMITS, counted: true } }),
    quota: {
      take: async ({ callId }: { callId: string }) => {
        asked.push(callId)
        if (left-- > 0) return { taken: { callId, keyId: 'key_1', store: 'postgres', tokens: 1, second: 1 }, refusal: undefined, standing: {} }
        return { taken: undefined, refusal: { by: 'requests', limit: 2n, used: 2n, retryMs: 30_000 }, standing: {} }
      },
      end: async (_taken: unknown, tokens: number) => void ended.push(tokens),
    },
  })
  const client = await openRawClient(it.lab.port, PATH)
  for (const n of [1, 2]) {
    client.say(user('Hello'))
    client.say({ type: 'response.create' })
    await client.heard('response.done', n)
  }
  await waitForCondition(() => client.closed !== undefined)
  expect(client.closed).toMatchObject({ code: 1008, reason: 'rate_limit_exceeded' })
  expect(asked.slice(0, 2)).toEqual(it.lab.journal.settled.map((row) => row.callId))
  expect(ended).toEqual(it.lab.journal.settled.map((row) => row.inputTokens + row.outputTokens))
  await expect(openRawClient(it.lab.port, PATH)).rejects.toThrow(/^429 .*requests per minute: limit 2, used 2\. Please try again in 30s/)
})

test('a client that leaves in mid-response: the vendor is stopped, and its own figures are billed', async () => {
  it = await openSocketLab()
  const start = it.purse.balance
  const client = await openRawClient(it.lab.port, PATH)
  client.say(user('[[sandbox:tokens=4000,chunk=5]]'))
  client.say({ type: 'response.create' })
  await client.heard('response.output_audio.delta', 2)
  client.ws.terminate()
  await waitForCondition(() => it.lab.journal.settled.length === 1)
  expect(it.lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', status: 499, provenance: 'upstream' })
  expectBooksEqual(start)
})

test('the vendor breaks off: the output so far is billed as an estimate, and the client is closed with 1011', async () => {
  it = await openSocketLab()
  const client = await openRawClient(it.lab.port, PATH)
  client.say(user('[[sandbox:tokens=60,fault=cut,event=4]]'))
  client.say({ type: 'response.create' })
  await waitForCondition(() => client.closed !== undefined)
  expect(client.closed!.code).toBe(1011)
  expect(it.lab.journal.settled[0]).toMatchObject({ outcome: 'upstream_cut', provenance: 'estimated' })
  const [entry] = it.box.book.list(0)
  const [row] = it.lab.journal.settled
  expect(Math.abs(row!.outputTokens - entry!.billed.output)).toBeLessThan(entry!.billed.output / 5)
})

test('a revoked key: the running response ends, nothing new begins', async () => {
  it = await openSocketLab()
  const client = await openRawClient(it.lab.port, PATH)
  const idle = await openRawClient(it.lab.port, PATH)
  client.say(user('[[sandbox:tokens=120,chunk=20]]'))
  client.say({ type: 'response.create' })
  await client.heard('response.created')
  Object.assign(it.lab.deps, { findKey: () => undefined })
  await waitForCondition(() => idle.closed !== undefined, 1_500)
  expect(idle.closed).toMatchObject({ code: 1008, reason: 'invalid_api_key' })
  expect(client.closed).toBeUndefined()
  client.say({ type: 'response.create' })
  await waitForCondition(() => client.closed !== undefined)
  expect(client.frames.filter((frame) => frame['type'] === 'response.created')).toHaveLength(1)
  expect(client.frames.at(-2)).toMatchObject({ type: 'response.done', response: { status: 'completed' } })
})

test('a shutdown: idle sessions close (1001), a running response ends first', async () => {
  it = await openSocketLab()
  const client = await openRawClient(it.lab.port, PATH)
  const idle = await openRawClient(it.lab.port, PATH)
  client.say(user('[[sandbox:tokens=60,chunk=10]]'))
  client.say({ type: 'response.create' })
  await client.heard('response.created')
  const drained = it.lab.relay.drain(10_000)
  await waitForCondition(() => idle.closed?.code === 1001)
  await waitForCondition(() => client.closed?.code === 1001)
  expect(client.frames.at(-2)).toMatchObject({ type: 'response.done', response: { status: 'completed' } })
  await drained
})
