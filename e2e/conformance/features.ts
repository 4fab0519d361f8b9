import { expect } from 'vitest'
import {
  SAMPLE_PNG,
  RECEIPT_QUESTION,
  TWO_CITIES,
  WEATHER_QUESTION,
  buildLongText,
  createNonce,
  SAMPLE_RECEIPT_SCHEMA,
  SAMPLE_WEATHER_SCHEMA,
  WEATHER_DESCRIPTION,
} from '../sdk/samples.ts'
import { ClientLeftError } from './driver.ts'
import type { ClientQuestion, ClientDriver, ClientTarget, ClientReply, ConformanceVendor } from './driver.ts'

export const CONFORMANCE_FEATURES = [
  ...['text', 'stream', 'system', 'image', 'pdf', 'tools', 'parallel', 'arguments', 'forced', 'none', 'structured', 'thinking', 'cache'],
  ...['length', 'usage', 'error', 'broken', 'abort'],
] as const as readonly ConformanceFeature[]
export type ConformanceFeature =
  | ('text' | 'stream' | 'system' | 'image' | 'pdf' | 'tools' | 'parallel' | 'arguments' | 'forced' | 'none' | 'structured' | 'thinking' | 'cache')
  | ('length' | 'usage' | 'error' | 'broken' | 'abort')

/** Reason why a check does not apply to a client or a model. */
export type SkipReason = 'whole-calls' | 'client-names' | 'client-auto' | 'client-silent'

/** The smallest valid PDF file. */
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
).toString('base64')
const tool = { name: 'get_weather', description: WEATHER_DESCRIPTION, schema: { ...SAMPLE_WEATHER_SCHEMA } }
const CITIES = [{ city: 'Paris' }, { city: 'London' }]
const LEDGER = 'What is a ledger?'

type SendQuestion = (asked: ClientQuestion) => Promise<ClientReply>

const CHECKS: Readonly<Record<ConformanceFeature, (ask: SendQuestion, client: ClientDriver) => Promise<void>>> = {
  async text(ask) {
    const told = await ask({ question: LEDGER })
    expect(told.text).toContain('ledger')
    expect(told.end).toBe('end')
  },
  async stream(ask) {
    const whole = await ask({ question: LEDGER })
    const told = await ask({ question: LEDGER, stream: true })
    expect(told.text).toBe(whole.text)
    expect(told.pieces).toBeGreaterThan(2)
    expect(told.end).toBe('end')
  },
  async system(ask) {
    // The sandbox counts the tokens that it received, so a lost system prompt shows in the usage.
    const bare = await ask({ question: LEDGER })
    const told = await ask({ question: LEDGER, system: buildLongText('of the house').slice(0, 2_000) })
    expect(told.usage.input - bare.usage.input).toBeGreaterThan(300)
    expect(told.text).toContain('ledger')
  },
  async image(ask) {
    const media = { mime: 'image/png', data: SAMPLE_PNG, name: 'dot.png' }
    for (const stream of [false, true]) expect((await ask({ question: 'What is in this picture?', media, stream })).text).toContain('1 image')
  },
  async pdf(ask) {
    const bare = await ask({ question: LEDGER })
    const told = await ask({ question: LEDGER, media: { mime: 'application/pdf', data: PDF, name: 'ledger.pdf' } })
    expect(told.usage.input - bare.usage.input).toBeGreaterThan(400)
  },
  async tools(ask) {
    for (const stream of [false, true]) {
      const first = await ask({ question: WEATHER_QUESTION, tool, stream })
      expect(first.calls).toEqual([{ name: tool.name, args: { city: 'Paris' } }])
      expect(first.end).toBe('tools')
      expect((await first.answer('sunny, 21 degrees')).text).toContain('sunny, 21 degrees')
    }
  },
  async parallel(ask) {
    for (const stream of [false, true]) {
      const first = await ask({ question: TWO_CITIES, tool, stream })
      expect(first.calls.map((call) => call.args)).toEqual(CITIES)
      expect((await first.answer('foggy')).text).toContain('foggy')
    }
  },
  async arguments(ask) {
    expect((await ask({ question: '[[sandbox:pieces=1]] In the weather of Paris?', tool, stream: true })).argPieces).toBeGreaterThan(2)
  },
  async forced(ask) {
    for (const stream of [false, true]) expect((await ask({ question: 'Hi', tool, choice: 'forced', stream })).calls).toHaveLength(1)
  },
  async none(ask) {
    const told = await ask({ question: WEATHER_QUESTION, tool, choice: 'none' })
    expect(told.calls).toEqual([])
    expect(told.text).not.toBe('')
  },
  async structured(ask) {
    for (const stream of [false, true]) {
      const told = await ask({ question: RECEIPT_QUESTION, schema: { ...SAMPLE_RECEIPT_SCHEMA }, stream })
      expect(JSON.parse(told.text)).toMatchObject({ total: 12.5, currency: 'CNY' })
    }
  },
  async thinking(ask) {
    for (const stream of [false, true]) {
      const first = await ask({ question: WEATHER_QUESTION, tool, thinking: true, stream })
      expect(first.thought).toBe(true)
      // The thinking signature is sent back with the result, and the vendor verifies it.
      const second = await first.answer('rain')
      expect(second.text).toContain('rain')
    }
  },
  async cache(ask) {
    const system = buildLongText(createNonce())
    const asked = { question: WEATHER_QUESTION, system, tool, cache: true }
    await ask(asked)
    const again = await ask(asked)
    expect(again.usage.cached).toBeGreaterThan(1_000)
    expect(again.usage.input).toBeGreaterThanOrEqual(again.usage.cached)
  },
  async length(ask) {
    for (const stream of [false, true])
      expect((await ask({ question: '[[sandbox:tokens=900]] Tell me about holds', maxTokens: 300, stream })).end).toBe('length')
  },
  async usage(ask, client) {
    const [whole, streamed] = [await ask({ question: `${LEDGER} ` }), await ask({ question: `${LEDGER} `, stream: true })]
    expect(whole.usage.input).toBeGreaterThan(3)
    expect(whole.usage.output).toBeGreaterThan(10)
    // One client takes the estimated figures at the start of a stream and adds those at its end.
    if (client.id === 'langchain-anthropic') {
      expect(streamed.usage.input).toBeGreaterThan(3)
      expect(streamed.usage.output - whole.usage.output).toBeLessThan(2)
    } else expect(streamed.usage).toEqual(whole.usage)
  },
  async error(ask, client) {
    const error = await expectError(ask({ question: '[[sandbox:fault=bad-request]] Hi' }))
    expect(client.statusOf(error)).toBe(400)
    expect(client.statusOf(await expectError(ask({ question: '[[sandbox:fault=rate-limit]] Hi', stream: true })))).toBe(429)
  },
  async broken(ask) {
    expect(await expectError(ask({ question: '[[sandbox:fault=mid-error,event=9,tokens=80]] Hi', stream: true }))).toBeInstanceOf(Error)
  },
  async abort(ask) {
    expect(await expectError(ask({ question: '[[sandbox:tokens=400,chunk=10]] Hi', stream: true, leave: true }))).toBeInstanceOf(ClientLeftError)
  },
}

async function expectError(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ error: undefined, value }),
    (error: unknown) => ({ error }),
  )
  if (outcome.error === undefined) throw new Error('no error came')
  return outcome.error
}

/** Reason why a check does not apply; all others must pass. */
export function findSkipReason(client: ClientDriver, feature: ConformanceFeature, vendor: ConformanceVendor): SkipReason | undefined {
  // The client checks the model's name before it sends an image.
  if (client.id === 'langchain-google-genai' && (feature === 'image' || feature === 'pdf') && vendor !== 'google') return 'client-names'
  // For Claude models that always think, the client sends `auto` regardless of the request.
  if (client.id === 'ai-anthropic' && feature === 'forced' && vendor === 'anthropic') return 'client-auto'
  // The client throws errors of a broken stream outside the caller's reach, with Google's own models too.
  if (client.id === 'langchain-google-genai' && (feature === 'broken' || feature === 'abort')) return 'client-silent'
  if (feature === 'arguments' && (!client.streamsArguments || vendor === 'google')) return 'whole-calls'
  return undefined
}

export async function checkConformance(client: ClientDriver, feature: ConformanceFeature, at: ClientTarget): Promise<void> {
  await CHECKS[feature]((asked) => client.ask(at, asked), client)
}
