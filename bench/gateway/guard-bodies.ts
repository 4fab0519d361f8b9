/** A request that is meant to cost others something. */
export interface HostileBody {
  readonly name: string
  readonly path: string
  readonly type?: string
  readonly body: () => Buffer
}

const MB = 1_024 * 1_024
const CHAT = '/v1/chat/completions'
const JSON_TYPE = 'application/json'
const createBodyBuilder =
  (path: string, model: string, open: string, inside: string, close: string, bytes = 60 * MB) =>
  (): Buffer =>
    Buffer.concat([Buffer.from(`{"model":"${model}",${open}`), Buffer.alloc(bytes, inside), Buffer.from(close)])
const toNativeChatBody = (name: string, open: string, inside: string, close: string): HostileBody => ({
  name,
  path: CHAT,
  body: createBodyBuilder(CHAT, 'gpt-4o-mini', open, inside, close),
})

const PART = '{"type":"text","text":"a"},'
const MESSAGES = '"messages":[{"role":"user","content":['
const END = '{"type":"text","text":"a"}]}]}'

/** A form whose boundary is one letter, before text of that letter: searches like it least. */
function form(parts: number, fill: Buffer, bytes: number): Buffer {
  const boundary = 'a'.repeat(70)
  const head = (name: string, more = ''): string => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
  const many = Array.from({ length: parts }, (_, at) => `${head(`f${at}`)}x\r\n`).join('')
  return Buffer.concat([
    Buffer.from(`${many}${head('model')}whisper-1\r\n${head('file', '; filename="a.mp3"')}`),
    Buffer.alloc(bytes, fill),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
}
const sound = (name: string, fill: Buffer, head: Buffer = Buffer.alloc(0)): HostileBody => ({
  name,
  path: '/v1/audio/transcriptions',
  type: `multipart/form-data; boundary=${'a'.repeat(70)}`,
  body: () => {
    const whole = form(200, fill, 24 * MB)
    const at = whole.indexOf('a.mp3"\r\n\r\n') + 10
    head.copy(whole, at)
    return whole
  },
})

/** The worst that is known, up to the route's bytes. Those of Claude's model in Chat are translated. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  { name: 'tiny parts, translated, 60 MB', path: CHAT, body: createBodyBuilder(CHAT, 'claude-sonnet-5-5', MESSAGES, PART, END) },
  { name: 'tiny parts, translated, 2.4 MB', path: CHAT, body: createBodyBuilder(CHAT, 'claude-sonnet-5-5', MESSAGES, PART, END, 90_000 * 27) },
  {
    name: 'text, translated, 15 MB',
    path: CHAT,
    body: createBodyBuilder(CHAT, 'claude-sonnet-5-5', '"messages":[{"role":"user","content":"', 'hello ', '"}]}', 15 * MB),
  },
  toNativeChatBody('tiny parts', MESSAGES, PART, END),
  toNativeChatBody('zeros', '"x":[', '0,', '1]}'),
  toNativeChatBody('empty strings', '"x":[', '"",', '1]}'),
  toNativeChatBody('fields', '', '"k":1,', '"z":1}'),
  toNativeChatBody('escaped quotes', '"x":"', '\\"', '"}'),
  toNativeChatBody('escaped quotes, eight apart', '"x":"', 'aaaaaa\\"', '"}'),
  toNativeChatBody('backslashes', '"x":"', '\\\\', '"}'),
  toNativeChatBody('brackets', '"x":', '[', '}'),
  toNativeChatBody('spaces', '"x":', ' ', '1}'),
  toNativeChatBody('digits', '"x":', '1', '}'),
  toNativeChatBody('a picture', `"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,`, 'QUJD', '"}}]}]}'),
  toNativeChatBody('text', '"messages":[{"role":"user","content":"', 'hello ', '"}]}'),
  {
    name: 'schemas of tools',
    path: CHAT,
    body: createBodyBuilder(
      CHAT,
      'gpt-4o-mini',
      '"tools":[',
      '{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}},',
      '{}]}',
    ),
  },
  { name: 'token numbers', path: '/v1/embeddings', body: createBodyBuilder('', 'text-embedding-3-small', '"input":[', '1,', '1]}', 7 * MB) },
  {
    name: 'counting, 31 MB of text',
    path: '/v1/messages/count_tokens',
    body: createBodyBuilder('', 'gpt-4o-mini', '"messages":[{"role":"user","content":"', 'hello ', '"}]}', 31 * MB),
  },
  sound('frames of seven bytes', Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 7 << 5, 0xfc])),
  sound('frames with a byte between them', Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 7 << 5, 0xfc, 0])),
  sound('boxes of eight bytes', Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]), Buffer.from([0, 0, 0, 8, 0x66, 0x74, 0x79, 0x70])),
  sound('one letter', Buffer.from('a')),
]

const UNITS = [
  '{},',
  '0,',
  '"",',
  '[],',
  '"\\"",',
  'null,',
  '{"a":[{}]},',
  '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\n",',
  '[[[[1]]]],',
  '"\\u0041",',
  `"${'A'.repeat(3_000)}",`,
]

/** Mixtures of all that is known to be slow, the same for a seed. */
export function buildMixture(seed: number): HostileBody {
  let state = seed * 7_919 + 17
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
  const pieces = Array.from({ length: 1 + random(6) }, () => UNITS[random(UNITS.length)]!.repeat(1 + random(50)))
  const bytes = [200_000, 1 * MB, 4 * MB, 15 * MB, 60 * MB][random(5)]!
  const model = random(2) === 0 ? 'gpt-4o-mini' : 'claude-sonnet-5-5'
  return {
    name: `mixture ${seed} (${model}, ${bytes} bytes)`,
    path: CHAT,
    type: JSON_TYPE,
    body: createBodyBuilder(CHAT, model, '"messages":[{"role":"user","content":"x"}],"metadata":{"x":[', pieces.join(''), '1]}}', bytes),
  }
}
