import type { Random } from '../random.ts'
import { counts, many, text } from './maker.ts'
import type { Maker } from './maker.ts'

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

/** A text of one sign, or of a few, as long as a body allows. */
export const aRun = (random: Random, most: number): string => {
  const piece = random.pick(RUN)
  return piece.repeat(counts(random, Buffer.byteLength(piece), most)) + random.pick(['', '!', '\0', '@'])
}

/** Member names that the gateway looks for; an object may repeat any of them. */
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

/** JSON that is valid, of values that code does not expect. */
export function aValue(random: Random, most: number): string {
  switch (random.int(11)) {
    case 0:
      return JSON.stringify(aRun(random, most / 4))
    case 1: {
      const depth = counts(random, 12, most)
      return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    }
    case 2: {
      const depth = counts(random, 2, most)
      return `${'['.repeat(depth)}${']'.repeat(depth)}`
    }
    case 3:
      return `[${'0,'.repeat(counts(random, 2, most))}0]`
    case 4:
      return `{${Array.from({ length: Math.min(60_000, counts(random, 12, most)) }, (_, at) => `"k${at}":0`).join(',')}}`
    case 5:
      return random.pick(['1e999', '-0', '123456789012345678901234567890', '1'.repeat(20_000), '0.1e-400', 'null', 'true'])
    case 6:
      return `[${'{"type":"text","text":"x"},'.repeat(counts(random, 27, most))}{}]`
    case 7: {
      const one = `${random.pick(NAMES)}:${random.pick(['"a"', '1', 'null', '{}', '"auto"', '"web_search_20250305"', '"code_interpreter"'])},`
      return `[{${one.repeat(Math.min(random.pick([3, 8_000, 90_000]), counts(random, one.length, most)))}"z":0}]`
    }
    case 8: {
      const one = `{${random.pick(NAMES)}:[${'0,'.repeat(random.pick([1, 300]))}0],${random.pick(NAMES)}:{"type":"auto"}},`
      return `[${one.repeat(counts(random, one.length, most))}{}]`
    }
    case 9:
      return `{"__proto__":{"a":1},"constructor":{"prototype":{}},"a":${JSON.stringify(aRun(random, most / 4))}}`
    default:
      return `{${'"a":1,'.repeat(counts(random, 6, most))}"a":2}`
  }
}

const MOST = 12_000_000
const message = (random: Random): string =>
  random.pick([
    '{"role":"user","content":"hello"}',
    `{"role":"user","content":${aValue(random, MOST)}}`,
    '{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}',
  ])
const list = (random: Random): string => {
  const one = message(random)
  return `[${`${one},`.repeat(counts(random, one.length, MOST) - 1)}${one}]`
}
const rest = (random: Random): string =>
  random.pick([
    '',
    `,"tools":${aValue(random, MOST)}`,
    `,"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":${aValue(random, MOST)}}}`,
    `,"metadata":${aValue(random, MOST)}`,
    `,"stop":${aValue(random, MOST)}`,
    `,"${'k'.repeat(counts(random, 1, MOST))}":1`,
  ])

/** The four wire formats and forms, by the path that takes them. */
export const wireBodies: readonly (Maker & { readonly path: string; readonly type?: string })[] = [
  {
    name: 'chat',
    path: '/v1/chat/completions',
    make: (random) =>
      Buffer.from(`{"model":${random.once(9) ? aValue(random, MOST) : '"gpt-5.4-mini"'},"max_tokens":5,"messages":${list(random)}${rest(random)}}`),
  },
  {
    name: 'responses',
    path: '/v1/responses',
    make: (random) =>
      Buffer.from(`{"model":"gpt-5.4-mini","max_output_tokens":16,"input":${random.once(2) ? list(random) : aValue(random, MOST)}${rest(random)}}`),
  },
  {
    name: 'messages',
    path: '/v1/messages',
    make: (random) => Buffer.from(`{"model":"claude-sonnet-4-6","max_tokens":5,"messages":${list(random)}${rest(random)}}`),
  },
  {
    name: 'messages, translated',
    path: '/v1/messages',
    make: (random) => Buffer.from(`{"model":"gpt-5.4-mini","max_tokens":5,"messages":${list(random)}${rest(random)}}`),
  },
  {
    name: 'gemini',
    path: '/v1beta/models/gemini-3-flash:generateContent',
    make: (random) =>
      Buffer.from(
        `{"contents":[{"role":"user","parts":${random.once(2) ? '[{"text":"hi"}]' : aValue(random, MOST)}}],"generationConfig":{"maxOutputTokens":5}${rest(random)}}`,
      ),
  },
  { name: 'embeddings', path: '/v1/embeddings', make: (random) => Buffer.from(`{"model":"text-embedding-3-small","input":${aValue(random, 7_000_000)}}`) },
]

/** A form of many or strange parts around a file. */
export function aForm(random: Random, file: Buffer): { readonly body: Buffer; readonly type: string } {
  const boundary = random.pick(['edge', '-'.repeat(30), `${'a'.repeat(35)}b`])
  const part = (name: string, value: Buffer, more = ''): Buffer =>
    Buffer.concat([text(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`), value, text('\r\n')])
  const small = part('a', text('b'))
  const looks = text(random.pick([`--${boundary.slice(0, -1)}`, `\r\n--${boundary.slice(0, -1)}x`, '\r\n--', '-', '\r\n']))
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([
      random.once(3) ? many(counts(random, small.length, 5_000_000), small) : text(''),
      part('model', text('whisper-1')),
      random.once(3) ? part('prompt', Buffer.concat([many(counts(random, looks.length, 9_000_000), looks)])) : text(''),
      part('file', file, `; filename="${random.pick(['a.wav', 'a'.repeat(3_000), '\\"'.repeat(800)])}"`),
      random.once(9) ? text('') : text(`--${boundary}--\r\n`),
    ]),
  }
}
