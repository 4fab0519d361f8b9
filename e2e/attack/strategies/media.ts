import { SMALL_BALANCE_NANO, pickInTurn, buildRareText, repeatRequest } from './strategy.ts'
import type { Strategy } from './strategy.ts'
import { buildLyingM4a, buildLyingMp3, buildLyingWav } from '../vendor/sound.ts'

const BOUNDARY = 'attack-boundary'
const FORM = { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }

function form(fields: Readonly<Record<string, string>>, files: readonly (readonly [name: string, file: string, bytes: Buffer])[]): Buffer {
  const parts: Buffer[] = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  )
  for (const [name, file, bytes] of files)
    parts.push(
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: application/octet-stream\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    )
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

const TRANSCRIBE = '/v1/audio/transcriptions'
const buildTranscription = (model: string, file: string, { bytes, format }: { readonly bytes: Buffer; readonly format: string }): Buffer =>
  form({ model, response_format: format }, [['file', file, bytes]])
const m4a = [buildLyingM4a(7_200), buildLyingM4a(7_200, 'Opus')]
const mp3 = buildLyingMp3(600)
const wav = buildLyingWav(60)
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** Images, speech and embeddings. */
export const MEDIA_STRATEGIES: readonly Strategy[] = [
  {
    name: 'audio-m4a',
    tries: 'two hours of sound whose header says one second',
    run: repeatRequest(2, TRANSCRIBE, {
      body: (n) =>
        buildTranscription(pickInTurn(['whisper-1', 'gpt-transcribe'], n), 'a.m4a', {
          bytes: pickInTurn(m4a, n >> 1),
          format: pickInTurn(['text', 'json', 'verbose_json', 'srt'], n >> 1),
        }),
      asking: FORM,
    }),
  },
  {
    name: 'audio-mp3',
    tries: 'ten minutes whose header says eight frames',
    run: repeatRequest(2, TRANSCRIBE, {
      body: (n) => buildTranscription(pickInTurn(['whisper-1', 'gpt-4o-transcribe'], n), 'a.mp3', { bytes: mp3, format: n % 2 ? 'json' : 'text' }),
      asking: FORM,
    }),
  },
  {
    name: 'audio-wav',
    left: SMALL_BALANCE_NANO,
    tries: 'a minute whose header says one second',
    run: repeatRequest(2, TRANSCRIBE, {
      body: (n) => buildTranscription('whisper-1', pickInTurn(['a.wav', 'a.mp3'], n), { bytes: wav, format: 'text' }),
      asking: FORM,
    }),
  },
  {
    name: 'images',
    tries: 'ten pictures of the most expensive kind, in forms and streams',
    run: repeatRequest(6, '/v1/images/generations', {
      body: (n) => ({
        model: 'gpt-image-2.6-sunburst',
        prompt: 'a',
        n: pickInTurn([1, 10], n),
        quality: pickInTurn(['max', 'high', 'low'], n),
        size: pickInTurn(['3840x2160', '1024x1536', '99999x99999'], n),
        ...(n % 3 ? {} : { stream: true, partial_images: 3 }),
      }),
    }),
  },
  {
    name: 'image-edits',
    tries: 'sixteen pictures sent along that say they have one pixel',
    run: repeatRequest(4, '/v1/images/edits', {
      body: () =>
        form(
          { model: 'gpt-image-2', prompt: 'a', quality: 'low', size: '1024x1024' },
          Array.from({ length: 16 }, () => ['image[]', 'a.png', PNG] as const),
        ),
      asking: FORM,
    }),
  },
  {
    name: 'speech',
    tries: 'digits that take long to say, at a quarter of the speed',
    run: repeatRequest(4, '/v1/audio/speech', {
      body: (n) => ({
        model: pickInTurn(['gpt-4o-mini-tts', 'tts-1-hd'], n),
        voice: 'alloy',
        input: pickInTurn(['9'.repeat(1_500), '語'.repeat(1_900)], n >> 1),
        speed: 0.25,
        stream_format: n % 2 ? 'audio' : 'sse',
      }),
    }),
  },
  {
    name: 'embeddings',
    left: SMALL_BALANCE_NANO,
    tries: 'many long inputs at once, as numbers and as text',
    run: repeatRequest(4, '/v1/embeddings', {
      body: (n) => ({
        model: pickInTurn(['text-embedding-3-large', 'text-embedding-3-small'], n),
        input: pickInTurn<unknown>(
          [Array.from({ length: 40 }, () => Array.from({ length: 2_000 }, () => 7)), Array.from({ length: 60 }, () => buildRareText(1_600))],
          n >> 1,
        ),
      }),
    }),
  },
  {
    name: 'rerank',
    left: SMALL_BALANCE_NANO,
    tries: 'documents that are more pieces than they look',
    run: repeatRequest(20, '/v1/rerank', {
      body: (n) => ({
        model: pickInTurn(['rerank-v4.0-pro', 'rerank-v5.0-pro'], n),
        query: buildRareText(400),
        documents: Array.from({ length: 60 }, () => buildRareText(2_000)),
      }),
    }),
  },
]
