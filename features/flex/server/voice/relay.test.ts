import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'
import { afterAll, describe, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { takeFromBudget, sanitizeOffer } from './relay.ts'
import { startRelayThread } from './relay-thread.ts'
import { createVoiceRooms } from './rooms.ts'
import type { VoiceLimits } from './rooms.ts'

// Voices in pairs, through the relay's own thread. `VOICES=20` sets the number of pairs, `VOICE_SECONDS` the length, and prints figures.
const PAIRS = Number(process.env['VOICES'] ?? 2)
const SECONDS = Number(process.env['VOICE_SECONDS'] ?? 1)
/** Opus sends a packet every 20 ms. */
const EVERY_MS = 20
const OPUS = new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 })

let ended = 0
const relay = startRelayThread(createLog('silent'), { addresses: [], bytesPerSecond: 12_000 }, () => ended++)
let clock = Date.now()
const rooms = createVoiceRooms(relay, () => clock)
const limits = (more: Partial<VoiceLimits> = {}): VoiceLimits => ({ people: 2, rooms: 100, until: clock + 3_600_000, ...more })
const open: RTCPeerConnection[] = []
afterAll(async () => {
  await Promise.all(open.map((connection) => connection.close()))
  await relay.stop()
})

/** A person with a browser who sends their own name as audio, so that a receiver can identify the sender. */
async function aVoice(room: string, name: string, more: Partial<VoiceLimits> = {}) {
  const connection = new RTCPeerConnection({ codecs: { audio: [OPUS], video: [] }, bundlePolicy: 'max-bundle', iceUseIpv6: false, iceUseTcp: false })
  open.push(connection)
  const mouth = new MediaStreamTrack({ kind: 'audio' })
  connection.addTransceiver(mouth, { direction: 'sendonly' })
  const { people } = limits(more)
  for (let at = 1; at < people; at++) connection.addTransceiver('audio', { direction: 'recvonly' })
  const heard: { from: string; ms: number }[] = []
  connection.onTrack.subscribe((track) =>
    track.onReceiveRtp.subscribe(({ payload }) => {
      const [from, at] = payload.toString().split('|')
      heard.push({ from: from!, ms: performance.now() - Number(at) })
    }),
  )
  await connection.setLocalDescription(await connection.createOffer())
  const joined = await rooms.join(room, { taskId: 'srv_x', who: 'owner', sdp: connection.localDescription!.sdp, limits: limits(more) })
  await connection.setRemoteDescription({ type: 'answer', sdp: joined.sdp })
  await waitForValue(() => (connection.connectionState === 'connected' ? true : undefined), 'a connected voice')
  let number = 0
  const say = (bytes = 0) => {
    number++
    const header = new RtpHeader({ payloadType: 111, sequenceNumber: number, timestamp: number * 960, ssrc: 1 })
    mouth.writeRtp(new RtpPacket(header, Buffer.from(`${name}|${performance.now()}|${'.'.repeat(bytes)}`)))
  }
  return { connection, heard, say, me: joined.me, said: () => number }
}

describe('voices', () => {
  test(`${PAIRS} pairs at once hear each other, and no other voice`, async () => {
    const pairs = await Promise.all(
      Array.from({ length: PAIRS }, async (_, at) => {
        const host = await aVoice(`room-${at}`, `host-${at}`)
        return [host, await aVoice(`room-${at}`, `guest-${at}`)] as const
      }),
    )
    const everybody = pairs.flat()
    const cpu = process.cpuUsage()
    const begun = performance.now()
    await new Promise<void>((done) => {
      const talk = setInterval(() => {
        for (const voice of everybody) voice.say(60)
        if (performance.now() - begun < SECONDS * 1000) return
        clearInterval(talk)
        done()
      }, EVERY_MS)
    })
    for (const [at, [host, guest]] of pairs.entries()) {
      await waitForValue(() => (host.heard.length > 10 && guest.heard.length > 10 ? true : undefined), 'voices that are heard')
      expect(new Set(host.heard.map(({ from }) => from))).toEqual(new Set([`guest-${at}`]))
      expect(new Set(guest.heard.map(({ from }) => from))).toEqual(new Set([`host-${at}`]))
    }
    if (process.env['VOICES']) reportLoad(everybody, begun, { cpu, figures: await relay.figures() })
    for (const { me } of everybody) rooms.leave(me.secret)
    expect(rooms.size()).toBe(0)
  })

  test('a third person finds the room full, a silent one is removed, and a room ends on time', async () => {
    const first = await aVoice('small', 'first')
    await aVoice('small', 'second')
    await expect(aVoice('small', 'third')).rejects.toMatchObject({ errorName: 'FLEX_VOICE_FULL' })
    await expect(aVoice('other', 'fourth', { rooms: 1 })).rejects.toMatchObject({ errorName: 'FLEX_VOICE_FULL' })
    clock += 40_000
    expect(rooms.seen(first.me.secret, true)?.room.voices.size).toBe(2)
    clock += 40_000
    expect([...rooms.room('small')!.voices.values()]).toMatchObject([{ id: first.me.id, muted: true, places: [undefined] }])
    clock += 3_600_000
    expect(rooms.room('small')).toBeUndefined()
    expect(rooms.seen(first.me.secret, false)).toBeUndefined()
  })

  test('a voice is limited to its bandwidth, and the next one on a line is heard after it left', async () => {
    const [loud, ear] = [await aVoice('loud', 'loud'), await aVoice('loud', 'ear')]
    for (let at = 0; at < 60; at++) loud.say(900)
    await waitForValue(async () => ((await relay.figures()).dropped > 20 ? true : undefined), 'what is left out')
    expect(ear.heard.length).toBeLessThan(40)
    rooms.leave(loud.me.secret)
    const next = await aVoice('loud', 'next')
    await waitForValue(() => {
      next.say(20)
      return ear.heard.some(({ from }) => from === 'next') ? true : undefined
    }, 'the next voice')
  })

  test('all rooms end when the thread dies, and the next voice starts it again', async () => {
    await aVoice('before', 'before')
    const was = ended
    await relay.stop()
    expect(ended).toBe(was + 1)
    rooms.clear()
    const after = await aVoice('after', 'after')
    expect(after.me.id).toHaveLength(12)
  })
})

function reportLoad(
  everybody: readonly Awaited<ReturnType<typeof aVoice>>[],
  begun: number,
  { cpu, figures }: { readonly cpu: NodeJS.CpuUsage; readonly figures: object },
): void {
  const seconds = (performance.now() - begun) / 1000
  const used = process.cpuUsage(cpu)
  const said = everybody.reduce((sum, one) => sum + one.said(), 0)
  const delays = everybody.flatMap(({ heard }) => heard.map(({ ms }) => ms)).toSorted((a, b) => a - b)
  const at = (share: number) => delays[Math.floor(delays.length * share)]?.toFixed(1)
  // Cost of speakers and relay together, as both run in this process.
  console.info(
    JSON.stringify({
      pairs: PAIRS,
      seconds: Number(seconds.toFixed(1)),
      said,
      heard: delays.length,
      lostPercent: Number((100 - (100 * delays.length) / said).toFixed(3)),
      halfMs: at(0.5),
      p99Ms: at(0.99),
      cores: Number(((used.user + used.system) / 1e6 / seconds).toFixed(2)),
      rssMb: Math.round(process.memoryUsage().rss / 1e6),
      ...figures,
    }),
  )
}

test('empty packets are counted, too', () => {
  const line = { budget: 12_000, since: Date.now() }
  const passed = Array.from({ length: 3000 }, () => takeFromBudget(line, 1, 12_000)).filter(Boolean).length
  expect(passed).toBeLessThan(600)
})

describe('an offer', () => {
  const sdp = (...media: string[]) => ['v=0', ...media, 'a=candidate:1 1 udp 1 10.0.0.1 53 typ host', 'a=end-of-candidates', 'a=mid:0'].join('\r\n')
  test('has audio only, with the required lines, and no addresses', () => {
    expect(sanitizeOffer(sdp('m=audio 9 X 111', 'm=audio 9 X 111'), 1)).not.toMatch(/10\.0\.0\.1|end-of-candidates/)
    for (const wrong of [sdp('m=audio 9 X 111'), sdp('m=audio 9 X 111', 'm=video 9 X 96'), sdp('m=audio 9 X 111', 'm=application 9 X webrtc')])
      expect(() => sanitizeOffer(wrong, 1)).toThrow('other lines')
    expect(() => sanitizeOffer('x'.repeat(40_000), 1)).toThrow('too long')
  })
})
