/** Sound that says its own text: real audio, with what was spoken kept in a comment, so that it can be written down again. */
export const PCM_RATE = 24_000
const MARK = 'sandbox-says:'

export type SoundFormat = 'wav' | 'pcm' | 'mp3'
export const SOUND_TYPES: Readonly<Record<SoundFormat, string>> = { wav: 'audio/wav', pcm: 'audio/pcm', mp3: 'audio/mpeg' }

/** Slow enough to be heard, short enough for tests. */
export function secondsFor(text: string, speed: number): number {
  return Math.round((0.4 + [...text].length * 0.05) * (1 / speed) * 100) / 100
}

export function speak(text: string, voice: string, seconds: number, format: SoundFormat): Buffer {
  if (format === 'mp3') return mp3(text, seconds)
  const samples = tone(voice, Math.round(seconds * PCM_RATE))
  return format === 'pcm' ? samples : wav(samples, text)
}

/** A sine whose pitch is the voice's, fading in and out. */
function tone(voice: string, count: number): Buffer {
  const pitch = 180 + ([...voice].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 12) * 20
  const out = Buffer.alloc(count * 2)
  for (let i = 0; i < count; i++) {
    const fade = Math.min(1, i / 1_200, (count - i) / 1_200)
    out.writeInt16LE(Math.round(Math.sin((2 * Math.PI * pitch * i) / PCM_RATE) * 9_000 * fade), i * 2)
  }
  return out
}

function wav(samples: Buffer, text: string): Buffer {
  const comment = Buffer.from(MARK + text)
  const note = riff('ICMT', comment)
  const list = riff('LIST', Buffer.concat([Buffer.from('INFO'), note]))
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(PCM_RATE, 4)
  format.writeUInt32LE(PCM_RATE * 2, 8)
  format.writeUInt16LE(2, 12)
  format.writeUInt16LE(16, 14)
  return riff('RIFF', Buffer.concat([Buffer.from('WAVE'), riff('fmt ', format), list, riff('data', samples)]))
}

function riff(id: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(id, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
}

/** Frames of silence (MPEG 1, layer 3, 64 kbit/s, 44.1 kHz, mono) behind an ID3 comment. */
function mp3(text: string, seconds: number): Buffer {
  const comment = Buffer.from(MARK + text)
  const tag = Buffer.alloc(10 + 10)
  tag.write('ID3', 0, 'latin1')
  tag[3] = 4
  const size = comment.length + 10
  for (let i = 0; i < 4; i++) tag[6 + i] = (size >> (7 * (3 - i))) & 127
  tag.write('TXXX', 10, 'latin1')
  for (let i = 0; i < 4; i++) tag[14 + i] = (comment.length >> (7 * (3 - i))) & 127
  const frame = Buffer.alloc(Math.floor((144 * 64_000) / 44_100))
  frame.set([0xff, 0xfb, 0x50, 0xc0])
  const frames = Math.max(3, Math.round((seconds * 44_100) / 1_152))
  return Buffer.concat([tag, comment, ...Array.from({ length: frames }, () => frame)])
}

/** Text stored in a sound made here; undefined for others. */
export function heard(sound: Buffer): string | undefined {
  const at = sound.subarray(0, 262_144).indexOf(MARK)
  if (at < 0) return undefined
  const isWav = sound.toString('latin1', 0, 4) === 'RIFF'
  const from = at + MARK.length
  const end = isWav ? at + sound.readUInt32LE(at - 4) : 10 + ((sound[6]! << 21) | (sound[7]! << 14) | (sound[8]! << 7) | sound[9]!)
  return sound.toString('utf8', from, Math.min(end, sound.length))
}

/** Exact for WAV and for MP3 of ours; else as if it had 16,000 bytes a second. */
export function soundSeconds(sound: Buffer): number {
  if (sound.toString('latin1', 0, 4) === 'RIFF') {
    const rate = sound.readUInt32LE(28)
    for (let at = 12; at + 8 <= sound.length; at += 8 + sound.readUInt32LE(at + 4) + (sound.readUInt32LE(at + 4) & 1))
      if (sound.toString('latin1', at, at + 4) === 'data' && rate > 0) return Math.min(sound.readUInt32LE(at + 4), sound.length - at - 8) / rate
  }
  if (sound.toString('latin1', 0, 3) === 'ID3' && heard(sound) !== undefined) {
    const from = 10 + ((sound[6]! << 21) | (sound[7]! << 14) | (sound[8]! << 7) | sound[9]!)
    return (Math.floor((sound.length - from) / 208) * 1_152) / 44_100
  }
  return sound.length / 16_000
}
