import { GoogleGenAI, Modality } from '@google/genai'
import type { LiveServerMessage } from '@google/genai'
import { afterEach, expect, test } from 'vitest'
import { TEST_KEY } from '#features/gateway/server/hot/testing/fake-deps.ts'
import { waitForCondition } from '#features/gateway/server/hot/testing/lab.ts'
import { openSocketLab, openRawClient } from './sockets-lab.ts'
import type { SocketLab } from './sockets-lab.ts'

let it: SocketLab
afterEach(() => it.stop())

const PATH = `/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=${TEST_KEY}`
const MODEL = 'models/gemini-live'
const turn = (text: string) => ({ clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true } })
const setup = (more: object = {}) => ({ setup: { model: MODEL, generationConfig: { responseModalities: ['AUDIO'] }, ...more } })

function expectBooksEqual(start: bigint): void {
  const rows = it.lab.journal.settled
  const booked = it.box.book.list(0).filter((entry) => entry.billed.input + entry.billed.output > 0)
  expect(rows.map((row) => [row.callId, row.inputTokens, row.outputTokens]).toSorted()).toEqual(
    booked.map((entry) => [entry.callId, entry.billed.input, entry.billed.output]).toSorted(),
  )
  expect(start - it.purse.balance).toBe(rows.reduce((sum, row) => sum + row.amount, 0n))
  expect(it.purse.least).toBeGreaterThanOrEqual(0n)
}

test("the vendor's own client speaks and writes, answers a tool, and every generation is a row by class", async () => {
  it = await openSocketLab()
  const start = it.purse.balance
  const ai = new GoogleGenAI({ apiKey: TEST_KEY, httpOptions: { baseUrl: `http://127.0.0.1:${it.lab.port}` } })
  const heard: LiveServerMessage[] = []
  const session = await ai.live.connect({
    model: 'gemini-live',
    config: { responseModalities: [Modality.AUDIO], tools: [{ functionDeclarations: [{ name: 'weather' }] }], systemInstruction: 'Be kind.' },
    callbacks: { onmessage: (message) => heard.push(message), onerror: () => undefined, onclose: () => undefined },
  })
  const usages = () => heard.filter((message) => message.usageMetadata !== undefined)
  session.sendClientContent({ turns: [{ role: 'user', parts: [{ text: 'Hello [[sandbox:thinking=9]]' }] }], turnComplete: true })
  await waitForCondition(() => usages().length === 1)
  expect(it.lab.journal.settled).toHaveLength(1)
  session.sendRealtimeInput({ audio: { data: Buffer.alloc(32_000, Buffer.from([0, 0x20])).toString('base64'), mimeType: 'audio/pcm;rate=16000' } })
  session.sendRealtimeInput({ audio: { data: Buffer.alloc(3_200).toString('base64'), mimeType: 'audio/pcm;rate=16000' } })
  await waitForCondition(() => usages().length === 2)
  session.sendClientContent({ turns: [{ role: 'user', parts: [{ text: 'the weather please' }] }], turnComplete: true })
  await waitForCondition(() => heard.some((message) => message.toolCall !== undefined))
  const call = heard.find((message) => message.toolCall !== undefined)!.toolCall!.functionCalls![0]!
  session.sendToolResponse({ functionResponses: [{ id: call.id!, name: call.name!, response: { sky: 'blue' } }] })
  await waitForCondition(() => usages().length === 4)
  session.close()
  await waitForCondition(() => it.purse.balance + it.lab.journal.settled.reduce((sum, row) => sum + row.amount, 0n) === start)
  expect(it.lab.journal.settled.map((row) => row.lines.map((line) => line.kind))).toEqual([
    ['input', 'reasoning', 'audioOutput'],
    ['input', 'audioInput', 'audioOutput'],
    ['input', 'audioInput', 'output'],
    ['input', 'audioInput', 'audioOutput'],
  ])
  expect(heard.filter((message) => message.data !== undefined).length).toBeGreaterThan(2)
  expectBooksEqual(start)
})

test('an interruption ends the turn with its own figures; the next one is a row of its own', async () => {
  it = await openSocketLab()
  const start = it.purse.balance
  const client = await openRawClient(it.lab.port, PATH, { headers: {} })
  client.say(setup())
  await client.heard('setupComplete')
  client.say(turn('[[sandbox:tokens=400,chunk=5]]'))
  await client.heard('serverContent', 3)
  client.say(turn('Stop.'))
  await client.heard('usageMetadata', 2)
  client.ws.close()
  expect(client.frames.some((frame) => frame['serverContent']?.interrupted === true)).toBe(true)
  await waitForCondition(() => it.purse.balance + it.lab.journal.settled.reduce((sum, row) => sum + row.amount, 0n) === start)
  expectBooksEqual(start)
})

test.each([
  ['no JSON', 'nonsense', 1007, /setup/],
  ['another message first', JSON.stringify(turn('x')), 1007, /setup/],
  ['a model that does not exist', JSON.stringify({ setup: { model: 'models/nobody' } }), 1008, /not found/],
  ['a tool that nothing counts', JSON.stringify(setup({ tools: [{ googleSearch: {} }] })), 1007, /googleSearch/],
  ['a tool that is not sold', JSON.stringify(setup({ tools: [{ file_search: {} }] })), 1007, /file_search/],
  ['a model of another kind', JSON.stringify({ setup: { model: 'models/m' } }), 1008, /not supported for bidi/],
])('%s closes the socket in the vendor’s words', async (_what, first, code, reason) => {
  it = await openSocketLab()
  const client = await openRawClient(it.lab.port, PATH, { headers: {} })
  client.ws.send(first)
  await waitForCondition(() => client.closed !== undefined)
  expect(client.closed!.code).toBe(code)
  expect(client.closed!.reason).toMatch(reason)
})

test('a wrong key is refused before the handshake, in Gemini’s shape', async () => {
  it = await openSocketLab()
  await expect(openRawClient(it.lab.port, PATH.replace(TEST_KEY, 'no'), { headers: {} })).rejects.toThrow(/401 {"error":{"code":401,.*UNAUTHENTICATED/)
})

test('no money at setup, and none for another turn: closed with the reason, never below zero', async () => {
  it = await openSocketLab(1n)
  const poor = await openRawClient(it.lab.port, PATH, { headers: {} })
  poor.say(setup())
  await waitForCondition(() => poor.closed !== undefined)
  expect(poor.closed).toMatchObject({ code: 1011 })
  expect(poor.closed!.reason).toMatch(/^RESOURCE_EXHAUSTED/)
  // Enough for one response of 32,000 tokens at 60 dollars a million, but not for a second one.
  it.purse.balance = 1_950_000_000n
  it.purse.least = it.purse.balance
  const client = await openRawClient(it.lab.port, PATH, { headers: {} })
  client.say(setup())
  client.say(turn('[[sandbox:tokens=1000,chunk=20]]'))
  await waitForCondition(() => client.closed !== undefined)
  expect(client.closed!.reason).toMatch(/^RESOURCE_EXHAUSTED/)
  const [row] = it.lab.journal.settled
  expect(row).toMatchObject({ provenance: 'upstream' })
  expect(1_950_000_000n - it.purse.balance).toBe(row!.amount)
  expect(it.purse.least).toBeGreaterThanOrEqual(0n)
})

test('a client that leaves in mid-turn: the turn is read to its figures, as the vendor bills it', async () => {
  it = await openSocketLab()
  const start = it.purse.balance
  const client = await openRawClient(it.lab.port, PATH, { headers: {} })
  client.say(setup())
  client.say(turn('[[sandbox:tokens=100,chunk=5]]'))
  await client.heard('serverContent', 2)
  client.ws.terminate()
  await waitForCondition(() => it.lab.journal.settled.length === 1)
  expect(it.lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', provenance: 'upstream' })
  expectBooksEqual(start)
})
