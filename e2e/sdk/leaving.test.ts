import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModelStandIn } from '#stand-ins/models/test-server.ts'
import type { RunningModelStandIn } from '#stand-ins/models/test-server.ts'
import { RECORDINGS } from '../transcripts/record.ts'
import type { Transcript } from '../transcripts/transcript.ts'
import { exchangeTranscript, collectCallEnds } from './exchange.ts'
import { startRelayUnderTest } from './gateway.ts'
import type { GatewayUnderTest } from './gateway.ts'

// M2: the client disconnects at four places of a stream. A key that drains pays the vendor's own figure to the token; one that aborts pays
// for its input and the output it was sent, or the vendor's figure if the vendor bills the whole response, had already reported usage, or
// an estimate was due for a check.
/** Disconnects at each place of each dialect, for each kind of key; 200 for a release. */
const ROUNDS = Number(process.env['DEPARTURES'] ?? 2)
const PLACES = ['at byte 0', 'after the first token', 'in the middle', 'just before the usage'] as const
const shapes = RECORDINGS.filter((it) => /^(chat|responses|messages|gemini)-stream-text$/.test(it.name))

let gateway: GatewayUnderTest
let box: RunningModelStandIn
beforeAll(async () => {
  gateway = await startRelayUnderTest({ drainMs: 60_000 })
  box = await startModelStandIn()
  const { origin, pathname } = new URL(box.url)
  await gateway.pointAt(origin, pathname)
})
afterAll(async () => {
  await gateway.stop()
  await box.stop()
})
beforeEach(() => gateway.forget())

describe.each(shapes.map((shape) => [shape.name, shape] as const))('M2: the client leaves %s', (_, shape) => {
  const text = 'Hi [[sandbox:chunk=2,tokens=60]]'
  const body = {
    ...shape.body,
    ...('contents' in shape.body
      ? { contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }
      : 'input' in shape.body
        ? { input: text }
        : { messages: [{ role: 'user', content: text }] }),
  }
  const transcript = { ...shape, request: { path: shape.path, headers: shape.headers, body } } as unknown as Transcript
  /** Bytes after which the client disconnects, by place. */
  const offsets = new Map<string, number>()
  beforeAll(async () => {
    const events = (await exchangeTranscript(gateway, transcript)).body.split(/(?<=\r?\n\r?\n)/)
    const bytesTo = (n: number) => Buffer.byteLength(events.slice(0, n).join(''))
    const first = events.findIndex((event) => /"(content|delta|text)":\s*"[^"]/.test(event))
    const usage = events.findLastIndex((event) => /"(usage|usageMetadata)":\s*\{/.test(event))
    expect(first).toBeGreaterThanOrEqual(0)
    expect(usage).toBeGreaterThan(first + 3)
    const marks = [0, bytesTo(first + 1), bytesTo(first + ((usage - first) >> 1)), bytesTo(usage)]
    for (const [n, place] of PLACES.entries()) offsets.set(place, marks[n]!)
    await collectCallEnds(gateway)
  })

  test.each(PLACES)('%s', async (place) => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const key of [gateway.drainKey, gateway.apiKey]) {
        await exchangeTranscript({ ...gateway, apiKey: key }, transcript, { leaveAt: offsets.get(place)! })
        const [end, ...more] = await collectCallEnds(gateway)
        expect(more).toEqual([])
        const { billed } = await box.closed(end!.callId)
        const { settled } = end!
        if (key === gateway.drainKey || shape.dialect === 'gemini-generate') {
          expect(settled).toMatchObject({ provenance: 'upstream' })
          expect(billed.output).toBe(60)
        }
        if (settled?.provenance === 'upstream')
          expect([settled.inputTokens, settled.cachedTokens, settled.outputTokens, settled.reasoningTokens]).toEqual([
            billed.input,
            billed.cached,
            billed.output,
            billed.reasoning,
          ])
        // Input is charged once the call was dialled, regardless of where the client disconnected.
        expect(settled!.inputTokens).toBeGreaterThanOrEqual(billed.input)
        expect(settled!.amount <= settled!.held).toBe(true)
        // The estimate covers the output that was sent, without any that the client never read.
        expect(settled!.outputTokens).toBeLessThanOrEqual(billed.output * 2 + 20)
        await gateway.forget()
      }
    }
  })
})
