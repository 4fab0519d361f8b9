import type { FuzzRandom } from '../random.ts'
import { drawRepeatCount, repeatBytes, encodeLatin1 } from './maker.ts'
import type { FileMaker } from './maker.ts'

const RUN = [
  'a',
  ' ',
  '0',
  '"',
  '\\',
  '[',
  '{',
  '{"a":',
  '[[',
  '\\u0000',
  '😀',
  '@a.',
  'a@',
  '-',
  '/',
  '..',
  '%',
  '\n',
  '=',
  '1e9',
  '="',
  'tool_additio',
  'additional_tool',
  '\\u0',
  '"typ',
]

/** Builds a run of one character, or of a few, up to the size limit of a body. */
export const buildRun = (random: FuzzRandom, most: number): string => {
  const piece = random.pick(RUN)
  return piece.repeat(drawRepeatCount(random, Buffer.byteLength(piece), most)) + random.pick(['', '!', '\0', '@'])
}

/** Member names that the gateway reads; an object may repeat any of them. */
const NAMES = [
  'type',
  'id',
  'file_id',
  'container',
  'container_id',
  'role',
  'content',
  'tools',
  'name',
  'model',
  'inlineData',
  'fileUri',
  'environment',
  'output',
].map((name) => JSON.stringify(name))

/** Builds valid JSON with unexpected values. */
export function buildHostileValue(random: FuzzRandom, most: number): string {
  switch (random.int(11)) {
    case 0:
      return JSON.stringify(buildRun(random, most / 4))
    case 1: {
      const depth = drawRepeatCount(random, 12, most)
      return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    }
    case 2: {
      const depth = drawRepeatCount(random, 2, most)
      return `${'['.repeat(depth)}${']'.repeat(depth)}`
    }
    case 3:
      return `[${'0,'.repeat(drawRepeatCount(random, 2, most))}0]`
    case 4:
      return `{${Array.from({ length: Math.min(60_000, drawRepeatCount(random, 12, most)) }, (_, at) => `"k${at}":0`).join(',')}}`
    case 5:
      return random.pick(['1e999', '-0', '123456789012345678901234567890', '1'.repeat(20_000), '0.1e-400', 'null', 'true'])
    case 6:
      return `[${'{"type":"text","text":"x"},'.repeat(drawRepeatCount(random, 27, most))}{}]`
    case 7: {
      const one = `${random.pick(NAMES)}:${random.pick(['"a"', '1', 'null', '{}', '"auto"', '"web_search_20250305"', '"code_interpreter"'])},`
      return `[{${one.repeat(Math.min(random.pick([3, 8_000, 90_000]), drawRepeatCount(random, one.length, most)))}"z":0}]`
    }
    case 8: {
      const one = `{${random.pick(NAMES)}:[${'0,'.repeat(random.pick([1, 300]))}0],${random.pick(NAMES)}:{"type":"auto"}},`
      return `[${one.repeat(drawRepeatCount(random, one.length, most))}{}]`
    }
    case 9:
      return `{"__proto__":{"a":1},"constructor":{"prototype":{}},"a":${JSON.stringify(buildRun(random, most / 4))}}`
    default:
      return `{${'"a":1,'.repeat(drawRepeatCount(random, 6, most))}"a":2}`
  }
}

const MAX_BODY_BYTES = 12_000_000
const message = (random: FuzzRandom): string =>
  random.pick([
    '{"role":"user","content":"hello"}',
    `{"role":"user","content":${buildHostileValue(random, MAX_BODY_BYTES)}}`,
    '{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}',
  ])
const list = (random: FuzzRandom): string => {
  const one = message(random)
  return `[${`${one},`.repeat(drawRepeatCount(random, one.length, MAX_BODY_BYTES) - 1)}${one}]`
}
const buildExtraMembers = (random: FuzzRandom): string =>
  random.pick([
    '',
    `,"tools":${buildHostileValue(random, MAX_BODY_BYTES)}`,
    `,"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":${buildHostileValue(random, MAX_BODY_BYTES)}}}`,
    `,"metadata":${buildHostileValue(random, MAX_BODY_BYTES)}`,
    `,"stop":${buildHostileValue(random, MAX_BODY_BYTES)}`,
    `,"${'k'.repeat(drawRepeatCount(random, 1, MAX_BODY_BYTES))}":1`,
  ])

/** Body makers for the four wire formats and for forms, by path. */
export const wireBodies: readonly (FileMaker & { readonly path: string; readonly type?: string })[] = [
  {
    name: 'chat',
    path: '/v1/chat/completions',
    make: (random) =>
      Buffer.from(
        `{"model":${random.once(9) ? buildHostileValue(random, MAX_BODY_BYTES) : '"gpt-5.4-mini"'},"max_tokens":5,"messages":${list(random)}${buildExtraMembers(random)}}`,
      ),
  },
  {
    name: 'responses',
    path: '/v1/responses',
    make: (random) =>
      Buffer.from(
        `{"model":"gpt-5.4-mini","max_output_tokens":16,"input":${random.once(2) ? list(random) : buildHostileValue(random, MAX_BODY_BYTES)}${buildExtraMembers(random)}}`,
      ),
  },
  {
    name: 'messages',
    path: '/v1/messages',
    make: (random) => Buffer.from(`{"model":"claude-sonnet-4-6","max_tokens":5,"messages":${list(random)}${buildExtraMembers(random)}}`),
  },
  {
    name: 'messages, translated',
    path: '/v1/messages',
    make: (random) => Buffer.from(`{"model":"gpt-5.4-mini","max_tokens":5,"messages":${list(random)}${buildExtraMembers(random)}}`),
  },
  {
    name: 'gemini',
    path: '/v1beta/models/gemini-3-flash:generateContent',
    make: (random) =>
      Buffer.from(
        `{"contents":[{"role":"user","parts":${random.once(2) ? '[{"text":"hi"}]' : buildHostileValue(random, MAX_BODY_BYTES)}}],"generationConfig":{"maxOutputTokens":5}${buildExtraMembers(random)}}`,
      ),
  },
  {
    name: 'embeddings',
    path: '/v1/embeddings',
    make: (random) => Buffer.from(`{"model":"text-embedding-3-small","input":${buildHostileValue(random, 7_000_000)}}`),
  },
]

/** Builds a form with many or unusual parts around a file. */
export function buildHostileForm(random: FuzzRandom, file: Buffer): { readonly body: Buffer; readonly type: string } {
  const boundary = random.pick(['edge', '-'.repeat(30), `${'a'.repeat(35)}b`])
  const part = (name: string, value: Buffer, more = ''): Buffer =>
    Buffer.concat([encodeLatin1(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`), value, encodeLatin1('\r\n')])
  const small = part('a', encodeLatin1('b'))
  const looks = encodeLatin1(random.pick([`--${boundary.slice(0, -1)}`, `\r\n--${boundary.slice(0, -1)}x`, '\r\n--', '-', '\r\n']))
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([
      random.once(3) ? repeatBytes(drawRepeatCount(random, small.length, 5_000_000), small) : encodeLatin1(''),
      part('model', encodeLatin1('whisper-1')),
      random.once(3) ? part('prompt', Buffer.concat([repeatBytes(drawRepeatCount(random, looks.length, 9_000_000), looks)])) : encodeLatin1(''),
      part('file', file, `; filename="${random.pick(['a.wav', 'a'.repeat(3_000), '\\"'.repeat(800)])}"`),
      random.once(9) ? encodeLatin1('') : encodeLatin1(`--${boundary}--\r\n`),
    ]),
  }
}
