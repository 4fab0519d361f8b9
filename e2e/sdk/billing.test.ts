import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModelStandIn } from '#stand-ins/models/test-server.ts'
import type { RunningModelStandIn } from '#stand-ins/models/test-server.ts'
import type { Entry } from '#stand-ins/models/book/book.ts'
import { RECORDINGS } from '../transcripts/record.ts'
import type { Transcript } from '../transcripts/transcript.ts'
import { exchangeTranscript, collectCallEnds } from './exchange.ts'
import type { ExchangeOptions, ExchangeReply } from './exchange.ts'
import { startRelayUnderTest } from './gateway.ts'
import type { CallEnd, GatewayUnderTest } from './gateway.ts'

/** The gateway's charges against the sandbox's own book, call by call. */
let gateway: GatewayUnderTest
let box: RunningModelStandIn
beforeAll(async () => {
  gateway = await startRelayUnderTest()
  box = await startModelStandIn()
})
afterAll(async () => {
  await gateway.stop()
  await box.stop()
})
beforeEach(async () => {
  const { origin, pathname } = new URL(box.url)
  await gateway.pointAt(origin, pathname)
  await gateway.forget()
})

type Shape = Pick<Transcript, 'dialect' | 'stream' | 'name' | 'request'>
const shapes: readonly Shape[] = RECORDINGS.map((it) => ({ ...it, request: { path: it.path, headers: it.headers, body: it.body } }))
const texts = shapes.filter((shape) => /^(chat|responses|messages|gemini)-(stream|whole)-text$/.test(shape.name))
const streams = texts.filter((shape) => shape.stream)
const toNamedCases = (list: readonly Shape[]) => list.map((shape) => [shape.name, shape] as const)

/** The same request with another text. */
function withQuestion(shape: Shape, text: string): Record<string, unknown> {
  const { body } = shape.request
  if ('contents' in body) return { ...body, contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }
  return 'input' in body ? { ...body, input: text } : { ...body, messages: [{ role: 'user', content: text }] }
}

interface Outcome {
  readonly got: ExchangeReply
  readonly end: CallEnd
  readonly entry: Entry
}

async function run(shape: Shape, asked: ExchangeOptions): Promise<Outcome> {
  const got = await exchangeTranscript(gateway, shape as Transcript, asked)
  const [end, ...more] = await collectCallEnds(gateway)
  expect(more).toEqual([])
  return { got, end: end!, entry: await box.closed(end!.callId) }
}

function expectSame({ end, entry }: Outcome): void {
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens } = end.settled!
  expect({ input: inputTokens, cached: cachedTokens, output: outputTokens, reasoning: reasoningTokens }).toEqual({
    input: entry.billed.input,
    cached: entry.billed.cached,
    output: entry.billed.output,
    reasoning: entry.billed.reasoning,
  })
}

test.each(toNamedCases(shapes))('%s: charged as billed', async (_, shape) => {
  const outcome = await run(shape, {})
  expect(outcome.end).toMatchObject({ how: 'settled', outcome: 'completed', settled: { provenance: 'upstream' } })
  expectSame(outcome)
})

describe.each(toNamedCases(texts))('M3: %s', (_, shape) => {
  test('an explicit usage of 0 is 0, not an estimate', async () => {
    const { end } = await run(shape, { body: withQuestion(shape, 'Hi [[sandbox:fault=usage-zero]]') })
    expect(end.settled ?? { amount: 0n, provenance: 'upstream' }).toMatchObject({ amount: 0n, provenance: 'upstream' })
  })

  test('no usage: what was held, and the row says so', async () => {
    const { end } = await run(shape, { body: withQuestion(shape, 'Hi [[sandbox:fault=usage-none]]') })
    expect(end).toMatchObject({ how: 'settled', settled: { provenance: 'held' } })
    expect(end.settled!.amount).toBe(end.settled!.held)
  })

  test.each(['usage-negative', 'usage-huge'])('%s counts as missing', async (fault) => {
    const { end } = await run(shape, { body: withQuestion(shape, `Hi [[sandbox:fault=${fault}]]`) })
    expect(end.settled?.provenance).not.toBe('upstream')
    if (end.settled) expect(end.settled.amount >= 0n && end.settled.amount <= end.settled.held).toBe(true)
  })

  test('usage twice is charged once', async () => {
    expectSame(await run(shape, { body: withQuestion(shape, 'Hi [[sandbox:fault=usage-twice]]') }))
  })

  test.each(['bad-request', 'unauthorized', 'no-credit', 'forbidden', 'rate-limit', 'error', 'overloaded', 'close', 'html'])(
    '%s costs nothing on either side',
    async (fault) => {
      const { end, entry, got } = await run(shape, { body: withQuestion(shape, `Hi [[sandbox:fault=${fault}]]`) })
      expect(got.status).toBeGreaterThanOrEqual(400)
      expect(JSON.parse(got.body)).toHaveProperty('error')
      expect(end.how).toBe('released')
      expect(entry.billed).toMatchObject({ input: 0, output: 0 })
    },
  )

  test.each(['bad-json', 'wrong-type', 'garbage', 'over-cap', 'truncate', 'cut'])('%s is resolved once, never above the hold', async (fault) => {
    const { end } = await run(shape, { body: withQuestion(shape, `Hi [[sandbox:fault=${fault}]]`) })
    if (fault === 'over-cap') return
    if (end.settled) expect(end.settled.amount <= end.settled.held).toBe(true)
  })
})

describe.each(toNamedCases(streams))('%s: the client leaves', (_, shape) => {
  test('in mid-answer: what was relayed, or all where the vendor bills all', async () => {
    const { end, entry } = await run(shape, { body: withQuestion(shape, 'Hi [[sandbox:chunk=10,tokens=150]]'), leaveAt: 3_500 })
    expect(end).toMatchObject({ how: 'settled', outcome: 'client_gone' })
    expect(entry.billed.output).toBeGreaterThan(0)
    if (shape.dialect === 'gemini-generate') {
      expect(entry.billed.output).toBe(150)
      expect(end.settled!.outputTokens).toBe(150)
    } else {
      expect(entry.billed.output).toBeLessThan(150)
      expect(end.settled!.provenance).not.toBe('upstream')
      // An estimate is of the same order as the bill, regardless of the tokenizer.
      expect(end.settled!.outputTokens).toBeLessThan(entry.billed.output * 3 + 20)
      expect(end.settled!.outputTokens).toBeGreaterThan(entry.billed.output / 4)
    }
  })

  test('an error in mid-stream, a stall, a failed response', async () => {
    const failed = await run(shape, { body: withQuestion(shape, 'Hi [[sandbox:fault=mid-failed,event=8]]') })
    if (shape.dialect === 'openai-responses') expectSame(failed)
    else if (failed.end.settled) expect(failed.end.settled.amount <= failed.end.settled.held).toBe(true)
  })
})
