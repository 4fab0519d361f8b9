import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Rival } from './load.ts'
import type { Options } from './options.ts'
import { startReal } from './real.ts'
import { startBareProxy, startMock } from './rivals.ts'

/** A request that is meant to slow down other customers. */
interface HostileBody {
  readonly name: string
  readonly path: string
  readonly type?: string
  readonly body: () => Buffer
}

const MB = 1_024 * 1_024
const CHAT = '/v1/chat/completions'
const JSON_TYPE = 'application/json'
const createBodyBuilder =
  (
    path: string,
    model: string,
    { open, inside, close, bytes = 60 * MB }: { readonly open: string; readonly inside: string; readonly close: string; readonly bytes?: number },
  ) =>
  (): Buffer =>
    Buffer.concat([Buffer.from(`{"model":"${model}",${open}`), Buffer.alloc(bytes, inside), Buffer.from(close)])
const toNativeChatBody = (name: string, open: string, { inside, close }: { readonly inside: string; readonly close: string }): HostileBody => ({
  name,
  path: CHAT,
  body: createBodyBuilder(CHAT, 'gpt-4o-mini', { open, inside, close }),
})

const PART = '{"type":"text","text":"a"},'
const MESSAGES = '"messages":[{"role":"user","content":['
const END = '{"type":"text","text":"a"}]}]}'

/** A form whose boundary repeats one letter, before text of that letter: the worst case for searches. */
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

/** The worst known bodies, up to the route's size limit. Those for Claude's model in Chat are translated. */
const HOSTILE_BODIES: readonly HostileBody[] = [
  { name: 'tiny parts, translated, 60 MB', path: CHAT, body: createBodyBuilder(CHAT, 'claude-sonnet-5-5', { open: MESSAGES, inside: PART, close: END }) },
  {
    name: 'tiny parts, translated, 2.4 MB',
    path: CHAT,
    body: createBodyBuilder(CHAT, 'claude-sonnet-5-5', { open: MESSAGES, inside: PART, close: END, bytes: 90_000 * 27 }),
  },
  {
    name: 'text, translated, 15 MB',
    path: CHAT,
    body: createBodyBuilder(CHAT, 'claude-sonnet-5-5', { open: '"messages":[{"role":"user","content":"', inside: 'hello ', close: '"}]}', bytes: 15 * MB }),
  },
  toNativeChatBody('tiny parts', MESSAGES, { inside: PART, close: END }),
  toNativeChatBody('zeros', '"x":[', { inside: '0,', close: '1]}' }),
  toNativeChatBody('empty strings', '"x":[', { inside: '"",', close: '1]}' }),
  toNativeChatBody('fields', '', { inside: '"k":1,', close: '"z":1}' }),
  toNativeChatBody('escaped quotes', '"x":"', { inside: '\\"', close: '"}' }),
  toNativeChatBody('escaped quotes, eight apart', '"x":"', { inside: 'aaaaaa\\"', close: '"}' }),
  toNativeChatBody('backslashes', '"x":"', { inside: '\\\\', close: '"}' }),
  toNativeChatBody('brackets', '"x":', { inside: '[', close: '}' }),
  toNativeChatBody('spaces', '"x":', { inside: ' ', close: '1}' }),
  toNativeChatBody('digits', '"x":', { inside: '1', close: '}' }),
  toNativeChatBody('a picture', `"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,`, {
    inside: 'QUJD',
    close: '"}}]}]}',
  }),
  toNativeChatBody('text', '"messages":[{"role":"user","content":"', { inside: 'hello ', close: '"}]}' }),
  {
    name: 'schemas of tools',
    path: CHAT,
    body: createBodyBuilder(CHAT, 'gpt-4o-mini', {
      open: '"tools":[',
      inside: '{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}},',
      close: '{}]}',
    }),
  },
  {
    name: 'token numbers',
    path: '/v1/embeddings',
    body: createBodyBuilder('', 'text-embedding-3-small', { open: '"input":[', inside: '1,', close: '1]}', bytes: 7 * MB }),
  },
  {
    name: 'counting, 31 MB of text',
    path: '/v1/messages/count_tokens',
    body: createBodyBuilder('', 'gpt-4o-mini', { open: '"messages":[{"role":"user","content":"', inside: 'hello ', close: '"}]}', bytes: 31 * MB }),
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

/** Builds a mixture of all known slow inputs, deterministic for a seed. */
function buildMixture(seed: number): HostileBody {
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
    body: createBodyBuilder(CHAT, model, {
      open: '"messages":[{"role":"user","content":"x"}],"metadata":{"x":[',
      inside: pieces.join(''),
      close: '1]}}',
      bytes,
    }),
  }
}

const SMALL = Buffer.from('{"model":"gpt-4o-mini","max_tokens":9,"messages":[{"role":"user","content":"Hello"}]}')
const PROBE_INTERVAL_MS = 20
const ATTACK_CONNECTIONS = 2
const MIXTURES = 12
const DELAY_FILE = join(tmpdir(), `loop-delay-${process.pid}`)

interface ImpactTimes {
  readonly health: number
  readonly others: number
  readonly loop: number
}

/**
 * Measures the effect of one customer's worst requests on others: /healthz, small calls, and event-loop blocking, while two connections
 * keep sending the same body. Goals: /healthz within 50 ms, the others' p99 within twice its quiet value, the loop never blocked for more
 * than 20 ms. The bare proxy is attacked in turn as a baseline: no Node server on one core can receive so many bytes for less.
 */
export async function benchGuard(o: Options): Promise<void> {
  process.env['BENCH_NODE_ARGS'] = `--import ${join(import.meta.dirname, 'loop-delay.ts')}`
  writeFileSync(DELAY_FILE, '')
  await startMock()
  const bare = await startBareProxy()
  const real = await startReal({ postgres: o.postgres, env: { LOOP_DELAY_FILE: DELAY_FILE } })
  const server = real.rivals[0]!
  try {
    await measureImpact(server, 3_000)
    const quiet = await measureImpact(server, 5_000)
    const quietBare = await measureImpact(bare, 5_000)
    console.log(`\n${'body'.padEnd(44)}  healthz max   others p99   x quiet   bare p99   x quiet   loop held   answered`)
    console.log(row('quiet', { seen: quiet, quiet, bare: quietBare, quietBare }, ''))
    const worst = { health: 0, others: 0, loop: 0 }
    const [over, overBare]: [number[], number[]] = [[], []]
    for (const hostile of [...HOSTILE_BODIES, ...Array.from({ length: MIXTURES }, (_, at) => buildMixture(at))]) {
      if (!hostile.name.includes(o.only)) continue
      const { seen, answers } = await measureAttack(server, hostile, o.seconds * 1_000)
      const { seen: seenBare } = await measureAttack(bare, hostile, o.seconds * 1_000)
      console.log(row(hostile.name, { seen, quiet, bare: seenBare, quietBare }, answers))
      over.push(seen.others / quiet.others)
      overBare.push(seenBare.others / quietBare.others)
      for (const key of ['health', 'others', 'loop'] as const) worst[key] = Math.max(worst[key], seen[key])
    }
    console.log(
      `worst: healthz ${worst.health.toFixed(1)} ms, others ${worst.others.toFixed(1)} ms, loop held ${worst.loop.toFixed(1)} ms; medians: x quiet ${median(over)}, bare ${median(overBare)}; ${readPeakMb(server.pid)} MB at most`,
    )
  } finally {
    console.log(`mingxi: ${await real.finish()}`)
  }
}

const median = (list: number[]): string => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!.toFixed(1)

async function measureAttack(server: Rival, hostile: HostileBody, ms: number): Promise<{ seen: ImpactTimes; answers: string }> {
  const made = hostile.body()
  const body = new Uint8Array(new SharedArrayBuffer(made.length))
  body.set(made)
  const workerData = { base: server.base, key: server.key, path: hostile.path, type: hostile.type ?? 'application/json', body, atOnce: ATTACK_CONNECTIONS }
  const attacker = new Worker(new URL('./guard-attacker.ts', import.meta.url), { workerData })
  const ended = new Promise<Record<string, number>>((done) => attacker.once('message', done))
  await new Promise((done) => setTimeout(done, 500))
  const timer = setTimeout(() => attacker.postMessage('stop'), ms)
  // Measures to the end of the last request; otherwise the longest block would be missed.
  const seen = await measureImpact(server, ms, ended)
  clearTimeout(timer)
  const answers = await ended
  await new Promise((done) => setTimeout(done, 500))
  return {
    seen,
    answers: Object.entries(answers)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', '),
  }
}

/** Requests /healthz and a small call every 20 ms, as two independent customers would. */
async function measureImpact(server: Rival, ms: number, ended: Promise<unknown> = Promise.resolve()): Promise<ImpactTimes> {
  const from = readFileSync(DELAY_FILE, 'utf8').length
  const agent = new Agent({ keepAlive: true })
  const until = performance.now() + ms
  let isOver = false
  void ended.then(() => (isOver = true))
  const health: number[] = []
  const others: number[] = []
  const ask = async (into: number[], path: string, body?: Buffer): Promise<void> => {
    while (!isOver || performance.now() < until) {
      const began = performance.now()
      await requestOnce(agent, server, { path, body })
      into.push(performance.now() - began)
      await new Promise((done) => setTimeout(done, PROBE_INTERVAL_MS))
    }
  }
  await Promise.all([ask(health, '/healthz'), ask(others, '/v1/chat/completions', SMALL)])
  agent.destroy()
  await new Promise((done) => setTimeout(done, 300))
  const delays = readFileSync(DELAY_FILE, 'utf8').slice(from).split('\n').map(Number)
  return { health: Math.max(...health), others: others.toSorted((a, b) => a - b)[Math.floor(others.length * 0.99)]!, loop: Math.max(...delays) }
}

function requestOnce(agent: Agent, server: Rival, { path, body }: { readonly path: string; readonly body: Buffer | undefined }): Promise<void> {
  return new Promise((done) => {
    const headers = {
      'authorization': `Bearer ${server.key}`,
      'content-type': 'application/json',
      ...(body === undefined ? {} : { 'content-length': body.length }),
    }
    const req = request(`${server.base}${path}`, { method: body === undefined ? 'GET' : 'POST', agent, headers }, (res) => {
      res.resume()
      res.on('end', () => done())
    })
    req.on('error', () => done())
    req.end(body)
  })
}

interface Row {
  readonly seen: ImpactTimes
  readonly quiet: ImpactTimes
  readonly bare: ImpactTimes
  readonly quietBare: ImpactTimes
}

function row(name: string, { seen, quiet, bare, quietBare }: Row, answers: string): string {
  const cells = [
    seen.health.toFixed(1).padStart(11),
    seen.others.toFixed(1).padStart(13),
    (seen.others / quiet.others).toFixed(1).padStart(10),
    bare.others.toFixed(1).padStart(11),
    (bare.others / quietBare.others).toFixed(1).padStart(10),
    seen.loop.toFixed(1).padStart(12),
  ]
  return `${name.padEnd(44)}  ${cells.join('')}   ${answers}`
}

const readPeakMb = (pid: number): number => Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024)
