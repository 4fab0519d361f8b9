import { describe, expect, it } from 'vitest'
import { audioSeconds } from './audio-length.ts'

const whole = (sound: Buffer): number | undefined => audioSeconds(sound, sound.length)
const u32 = (value: number): Buffer => {
  const out = Buffer.alloc(4)
  out.writeUInt32BE(value)
  return out
}
const box = (name: string, data: Buffer): Buffer => Buffer.concat([u32(data.length + 8), Buffer.from(name), data])

function wav(seconds: number, dataSize?: number): Buffer {
  const out = Buffer.alloc(44 + seconds * 16_000)
  out.write('RIFF', 0)
  out.write('WAVEfmt ', 8)
  out.writeUInt32LE(16, 16)
  out.writeUInt16LE(1, 20)
  out.writeUInt16LE(1, 22)
  out.writeUInt32LE(8_000, 24)
  out.writeUInt32LE(4_000_000, 28)
  out.writeUInt16LE(16, 34)
  out.write('data', 36)
  out.writeUInt32LE(dataSize ?? seconds * 16_000, 40)
  return out
}
const mp3 = (frames: number): Buffer => {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}
const adts = (frames: number): Buffer => {
  const frame = Buffer.alloc(200)
  frame.set([0xff, 0xf1, 0x50, 0x80, 200 >> 3, (200 & 7) << 5, 0xfc])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}
const ogg = (granule: bigint): Buffer => {
  const page = (text: string, position: bigint): Buffer => {
    const out = Buffer.alloc(60)
    out.write('OggS', 0)
    out.writeBigInt64LE(position, 6)
    out.write(text, 28, 'latin1')
    return out
  }
  return Buffer.concat([page('OpusHead', 0n), page('', granule)])
}
const flac = (rate: number, samples: number): Buffer => {
  const out = Buffer.alloc(42)
  out.write('fLaC', 0)
  out.writeUInt16BE(rate >> 4, 18)
  out[20] = (rate & 15) << 4
  out.writeUInt32BE(samples, 22)
  return out
}
const mp4 = (scale: number, duration: number): Buffer => {
  const head = Buffer.concat([u32(0), u32(0), u32(0), u32(scale), u32(duration), Buffer.alloc(80)])
  return Buffer.concat([box('ftyp', Buffer.from('M4A ....')), box('mdat', Buffer.alloc(500)), box('moov', box('mvhd', head))])
}

describe('how long a sound is', () => {
  it.each<[string, Buffer, number]>([
    ['wav, whatever byte rate it claims', wav(3), 3],
    ['wav that was streamed', wav(3, 0xffffffff), 3],
    ['wav that claims more than it has', wav(3, 1_000_000), 3],
    ['mp3', mp3(100), 2.612],
    ['mp3 behind a cover picture', Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 7, 104]), Buffer.alloc(1_000, 255), mp3(100)]), 2.612],
    ['aac', adts(100), 2.322],
    ['opus', ogg(96_000n), 2],
    ['flac', flac(44_100, 88_200), 2],
    ['m4a', mp4(1_000, 2_500), 2.5],
  ])('%s', (_, sound, seconds) => expect(whole(sound)).toBeCloseTo(seconds, 2))

  it('webm: its duration, or the last cluster of a recorder that left it out', () => {
    const head = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, 0xff, 0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40])
    const duration = Buffer.from([0x44, 0x89, 0x88, 0, 0, 0, 0, 0, 0, 0, 0])
    duration.writeDoubleBE(4_200, 3)
    expect(whole(Buffer.concat([head, duration]))).toBeCloseTo(4.2)
    const cluster = Buffer.from([0x1f, 0x43, 0xb6, 0x75, 0xff, 0xe7, 0x82, 0x4e, 0x20, 0, 0, 0])
    expect(whole(Buffer.concat([head, cluster]))).toBeCloseTo(30)
  })

  it('a sample of an answer tells the whole', () => {
    const sound = mp3(1_000)
    expect(audioSeconds(sound.subarray(0, 30_000), sound.length)).toBeCloseTo(26.12, 1)
    expect(audioSeconds(wav(20).subarray(0, 1_000), wav(20).length)).toBeCloseTo(20)
  })

  it('nonsense has no length, and nothing throws', () => {
    const seeds = [wav(1), mp3(20), adts(20), ogg(48_000n), flac(8_000, 8_000), mp4(1_000, 1_000)]
    for (const seed of seeds)
      for (let at = 0; at < 64; at++) {
        const bent = Buffer.from(seed)
        bent[at % bent.length] = 255
        expect(() => whole(bent)).not.toThrow()
        expect(() => whole(seed.subarray(0, at))).not.toThrow()
      }
    expect(whole(Buffer.alloc(5_000, 65))).toBeUndefined()
    expect(whole(Buffer.alloc(0))).toBeUndefined()
    expect(whole(flac(0, 100))).toBeUndefined()
    expect(whole(mp4(0, 100))).toBeUndefined()
    expect(whole(ogg(-1n))).toBeUndefined()
  })
})
