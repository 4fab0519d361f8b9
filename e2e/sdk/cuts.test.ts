import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BODY_CHUNKINGS, startReplayVendor, type ReplayVendor } from '../transcripts/replay.ts'
import { listEvents, loadTranscripts, type Transcript } from '../transcripts/transcript.ts'
import { exchangeTranscript, collectCallEnds } from './exchange.ts'
import { startRelayUnderTest, type GatewayUnderTest } from './gateway.ts'

/** Bytes between two cuts, and events between two disconnects: 1 tries every position (half a minute); larger for a quick run. */
const STRIDE = Number(process.env['MINGXI_CUT_STRIDE'] ?? 1)
const tiny = loadTranscripts().filter((transcript) => transcript.name.endsWith('tiny'))
const whole = loadTranscripts().filter((transcript) => transcript.name.endsWith('whole-text'))
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
beforeEach(() => gateway.forget())

const toNamedCases = (list: readonly Transcript[]) => list.map((transcript) => [transcript.name, transcript] as const)

function listCutPlaces(transcript: Transcript): number[] {
  const length = Buffer.byteLength(transcript.response.body)
  return Array.from({ length: Math.ceil(length / STRIDE) }, (_, index) => index * STRIDE)
}

/** Checks a client's view of a broken stream: a prefix of the answer, then at most an error in the vendor's shape. */
function expectBeginning(got: string, body: string, where: string): void {
  let same = 0
  while (same < got.length && got[same] === body[same]) same++
  const rest = got.slice(same)
  if (rest && !got.slice(Math.max(0, same - 60)).includes('"error"') && !got.includes('event: error'))
    throw new Error(`${where}: neither the answer nor an error: ${rest.slice(0, 200)}`)
}

describe.each(toNamedCases(tiny))('the upstream breaks off: %s', (_, transcript) => {
  const { body } = transcript.response
  const broken = async (script: { cutAt?: number; endAt?: number }, where: string) => {
    await gateway.pointAt(replay.origin)
    replay.play({ transcript, ...script })
    const got = await exchangeTranscript(gateway, transcript)
    if (got.status === 200) expectBeginning(got.body, body, where)
    else expect(JSON.parse(got.body), where).toHaveProperty('error')
    const [end, ...more] = await collectCallEnds(gateway)
    expect(more, where).toEqual([])
    if (end!.settled) expect(end!.settled.amount <= end!.settled.held, where).toBe(true)
    // A failure without any output costs nothing.
    if (got.status !== 200) expect(end, where).toMatchObject({ how: 'released' })
    await gateway.forget()
    return end!
  }

  test('cut at every place: resolved once', async () => {
    for (const cutAt of listCutPlaces(transcript)) await broken({ cutAt }, `cut at byte ${cutAt}`)
  })

  test('ended cleanly at every place: resolved once', async () => {
    for (const endAt of listCutPlaces(transcript)) await broken({ endAt }, `ended at byte ${endAt}`)
  })

  test('cut before the first byte costs nothing; cut after the last changes nothing', async () => {
    expect(await broken({ cutAt: 0 }, 'nothing')).toMatchObject({ how: 'released' })
    expect(await broken({ cutAt: Buffer.byteLength(body) }, 'everything')).toMatchObject({
      how: 'settled',
      settled: { provenance: 'upstream', outputTokens: transcript.billed.output },
    })
  })
})

describe.each(toNamedCases(whole))('the upstream breaks off: %s', (_, transcript) => {
  test("cut at every place: an error in the vendor's shape, nothing charged", async () => {
    for (const cutAt of listCutPlaces(transcript)) {
      await gateway.pointAt(replay.origin)
      replay.play({ transcript, cutAt })
      const got = await exchangeTranscript(gateway, transcript)
      expect(got.status, `cut at byte ${cutAt}`).toBeGreaterThanOrEqual(500)
      expect(JSON.parse(got.body)).toHaveProperty('error')
      expect(await collectCallEnds(gateway)).toMatchObject([{ how: 'released' }])
      await gateway.forget()
    }
  })
})

describe.each(toNamedCases(loadTranscripts().filter((transcript) => transcript.stream)))('the client leaves: %s', (_, transcript) => {
  test('at each event: resolved once, never above the hold', async () => {
    let bytes = 0
    for (const [at, event] of listEvents(transcript).entries()) {
      if (at % STRIDE === 0) {
        await gateway.pointAt(replay.origin)
        replay.play({ transcript, chunks: () => listEvents(transcript).map((one) => Buffer.from(one)), pauseMs: 1 })
        await exchangeTranscript(gateway, transcript, { leaveAt: bytes })
        const [end, ...more] = await collectCallEnds(gateway)
        expect(more, `left after ${at} events`).toEqual([])
        if (end!.settled) expect(end!.settled.amount <= end!.settled.held, `left after ${at} events`).toBe(true)
        await gateway.forget()
      }
      bytes += Buffer.byteLength(event)
    }
  })
})

test('the chunkings are exact', () => {
  const body = Buffer.from('汉字 and more')
  for (const cut of Object.values(BODY_CHUNKINGS)) expect(Buffer.concat(cut(body)).equals(body)).toBe(true)
})
