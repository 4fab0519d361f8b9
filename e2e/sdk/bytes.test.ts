import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recordTranscripts } from '../transcripts/record.ts'
import { BODY_CHUNKINGS, startReplayVendor, type ReplayVendor } from '../transcripts/replay.ts'
import { loadTranscripts } from '../transcripts/transcript.ts'
import { exchangeTranscript, collectCallEnds } from './exchange.ts'
import { startRelayUnderTest, type GatewayUnderTest } from './gateway.ts'

const transcripts = loadTranscripts()
let gateway: GatewayUnderTest
let replay: ReplayVendor
beforeAll(async () => {
  gateway = await startRelayUnderTest()
  replay = await startReplayVendor()
})
afterAll(async () => {
  await gateway.stop()
  await replay.stop()
})
beforeEach(async () => {
  await gateway.forget()
  await gateway.pointAt(replay.origin)
})

test('the fixtures are what the sandbox says today (else: node e2e/transcripts/record.ts)', async () => {
  expect((await recordTranscripts()).toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(transcripts.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
})

describe.each(transcripts.map((transcript) => [transcript.name, transcript] as const))('%s', (_, transcript) => {
  test.each(Object.keys(BODY_CHUNKINGS))('the body arrives byte for byte (%s)', async (chunking) => {
    replay.play({ transcript, chunks: BODY_CHUNKINGS[chunking]! })
    const got = await exchangeTranscript(gateway, transcript)
    expect(got.body).toBe(transcript.response.body)
    expect(got.status).toBe(200)
    expect(got.broken).toBe(false)
    expect(got.contentType.split(';')[0]).toBe(transcript.response.contentType.split(';')[0])
    const [end, ...more] = await collectCallEnds(gateway)
    expect(more).toEqual([])
    expect(end).toMatchObject({ how: 'settled', outcome: 'completed', settled: { provenance: 'upstream', dialect: transcript.dialect } })
    const { inputTokens, cachedTokens, outputTokens, reasoningTokens } = end!.settled!
    expect({ input: inputTokens, cached: cachedTokens, output: outputTokens, reasoning: reasoningTokens }).toEqual(transcript.billed)
  })

  test('the request reaches the upstream as it was sent', async () => {
    replay.play({ transcript })
    await exchangeTranscript(gateway, transcript)
    const seen = replay.seen.at(-1)!
    expect(JSON.parse(seen.body)).toEqual(transcript.request.body)
    expect(seen.path).toBe(transcript.request.path)
    expect(seen.headers['anthropic-version']).toBe(transcript.request.headers['anthropic-version'])
    expect(JSON.stringify(seen.headers)).not.toContain(gateway.apiKey)
  })
})

/** OpenAI's stream for a client that does not request usage: no final usage chunk, and no `usage: null` on the others. */
function stripUsage(body: string): string {
  const without = body.replace(/data: [^\n]*"choices":\[\],[^\n]*\n\n/, '').replaceAll(',"usage":null}', '}')
  if (without === body) throw new Error('the transcript has no usage chunk')
  return without
}

describe('a chat stream whose client did not ask for usage', () => {
  const streams = transcripts.filter((transcript) => transcript.dialect === 'openai-chat' && transcript.stream)

  test.each(streams.flatMap((transcript) => Object.keys(BODY_CHUNKINGS).map((chunking) => [transcript.name, chunking, transcript] as const)))(
    '%s, %s: all but the usage chunk arrives, and it is billed from it',
    async (_, chunking, transcript) => {
      const { stream_options: __, ...body } = transcript.request.body
      replay.play({ transcript, chunks: BODY_CHUNKINGS[chunking]! })
      const got = await exchangeTranscript(gateway, transcript, { body })
      expect(JSON.parse(replay.seen.at(-1)!.body)).toEqual({ ...body, stream_options: { include_usage: true } })
      expect(got.body).toBe(stripUsage(transcript.response.body))
      const [end] = await collectCallEnds(gateway)
      expect(end).toMatchObject({ how: 'settled', settled: { provenance: 'upstream', outputTokens: transcript.billed.output } })
    },
  )
})
