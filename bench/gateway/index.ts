import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startReal } from './real.ts'
import type { RealServer } from './real.ts'

/**
 * The gateway bench: bare proxy, relay (or a server given by --base/--key) and Portkey in the same run, gateway on core 0,
 * load and mock upstream on core 1. Compare figures of one run only.
 *   node bench/gateway/index.ts [--seconds 5] [--rounds 3] [--concurrency 32] [--bursts 1,4] [--api openai|anthropic|gemini] [--base URL --key KEY [--model M] [--pid PID]] [--no-portkey]
 */
const here = import.meta.dirname
const bin = join(here, '..', '.bin')
const peer = join(here, '..', '.peer')
const MOCK = 9100

interface Options {
  seconds: number
  rounds: number
  concurrency: number
  /** Chunks that the mock puts into one write, one table each. */
  bursts: readonly number[]
  api: string
  base: string
  key: string
  model: string
  pid: string
  portkey: boolean
}
interface Result {
  rps: number
  err: number
  lat_p50: number
  lat_p99: number
  cpuMs: number
  leastCpuMs: number
}
interface Rival {
  name: string
  base: string
  key: string
  headers: readonly string[]
  pid: number
}

const PORTKEY = '@portkey-ai/gateway@1.15.2'

function options(): Options {
  const read: Options = {
    seconds: 5,
    rounds: 3,
    concurrency: 32,
    bursts: [1, 4],
    api: 'openai',
    base: '',
    key: 'sk-bench',
    model: 'gpt-4o-mini',
    pid: '',
    portkey: true,
  }
  const args = process.argv.slice(2)
  for (let i = 0; i < args.length; i++) {
    const name = args[i]!.replace(/^--/, '')
    if (name === 'no-portkey') read.portkey = false
    else if (name === 'bursts') read.bursts = args[++i]!.split(',').map(Number)
    else if (name in read) Object.assign(read, { [name]: /^(?:seconds|rounds|concurrency)$/.test(name) ? Number(args[++i]) : args[++i] })
    else throw new Error(`unknown option --${name}`)
  }
  return read
}

function compile(name: string): string {
  const target = join(bin, name)
  const source = join(here, `${name}.c`)
  mkdirSync(bin, { recursive: true })
  if (existsSync(target) && statSync(target).mtimeMs > statSync(source).mtimeMs) return target
  try {
    execFileSync('gcc', ['-O3', '-w', '-o', target, source])
  } catch (error) {
    console.error('gcc is needed to build the load generator and the mock upstream (apt-get install gcc).', error instanceof Error ? error.message : '')
    process.exit(2)
  }
  return target
}

const children: ChildProcess[] = []

function start(core: number, command: string, args: readonly string[], quiet = false, env: Record<string, string> = {}): number {
  const child = spawn('taskset', ['-c', String(core), command, ...args], {
    stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'inherit'],
    env: { ...process.env, ...env },
  })
  children.push(child)
  return child.pid!
}

async function listening(url: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    try {
      await fetch(url)
      return
    } catch {
      await sleep(100)
    }
  }
  throw new Error(`nothing listens at ${url}`)
}

/** CPU seconds of a process, all threads. */
function cpu(pid: number): number {
  let total = 0
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9
  } catch {
    return Number.NaN
  }
  return total
}

function request(o: Options, sse: boolean): { path: string; body: string; headers: string[] } {
  const pad = 'You are a careful assistant. Answer the question with a short list and no preamble. '.repeat(10)
  const ask = 'What is a gateway?'
  if (o.api === 'anthropic')
    return {
      path: '/v1/messages',
      headers: ['anthropic-version: 2023-06-01'],
      body: JSON.stringify({ model: o.model, max_tokens: 256, system: pad, messages: [{ role: 'user', content: ask }], stream: sse }),
    }
  if (o.api === 'gemini')
    return {
      path: `/v1beta/models/${o.model}:${sse ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      headers: [],
      body: JSON.stringify({
        systemInstruction: { parts: [{ text: pad }] },
        contents: [{ role: 'user', parts: [{ text: ask }] }],
        generationConfig: { maxOutputTokens: 256 },
      }),
    }
  return {
    path: '/v1/chat/completions',
    headers: [],
    body: JSON.stringify({
      model: o.model,
      messages: [
        { role: 'system', content: pad },
        { role: 'user', content: ask },
      ],
      temperature: 0.2,
      max_tokens: 256,
      stream: sse,
      ...(sse ? { stream_options: { include_usage: true } } : {}),
    }),
  }
}

/** Twice as many streams at once as plain requests: each is long. */
const connections = (o: Options, sse: boolean): number => (sse ? o.concurrency * 2 : o.concurrency)

async function measure(o: Options, lg: string, rival: Rival, sse: boolean): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const { path, body, headers } = request(o, sse)
  const url = new URL(rival.base)
  writeFileSync(join(folder, 'body'), body)
  writeFileSync(join(folder, 'head'), [`Authorization: Bearer ${rival.key}`, ...headers, ...rival.headers].map((line) => `${line}\r\n`).join(''))
  const args = [
    '-c',
    '1',
    lg,
    '--host',
    url.hostname,
    '--port',
    url.port,
    '--path',
    url.pathname.replace(/\/$/, '') + path,
    '--c',
    connections(o, sse),
    '--seconds',
    o.seconds,
    '--warmup',
    2,
    '--sse',
    sse ? 1 : 0,
    '--hdr',
    join(folder, 'head'),
    '--body',
    join(folder, 'body'),
  ]
  const child = spawn('taskset', args.map(String))
  let out = '',
    err = ''
  let before = 0,
    after = 0
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    const text = data.toString()
    err += text
    if (text.includes('START')) before = cpu(rival.pid)
    if (text.includes('END')) after = cpu(rival.pid)
  })
  await new Promise((resolve) => child.on('close', resolve))
  rmSync(folder, { recursive: true })
  if (err.includes('ERRSAMPLE')) console.error(`${rival.name}: ${err.trim()}`)
  const figures = JSON.parse(out) as { rps: number; ok: number; err: number; lat_p50: number; lat_p99: number }
  return {
    rps: figures.rps,
    err: figures.err,
    lat_p50: figures.lat_p50,
    lat_p99: figures.lat_p99,
    cpuMs: ((after - before) * 1_000) / figures.ok,
    leastCpuMs: 0,
  }
}

function median(results: readonly Result[]): Result {
  const sorted = results.toSorted((a, b) => a.rps - b.rps)
  // On a machine with other work the least CPU of all rounds is the steadiest figure.
  return { ...sorted[Math.floor(sorted.length / 2)]!, leastCpuMs: Math.min(...results.map((one) => one.cpuMs)) }
}

function portkey(): string {
  const main = join(peer, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js')
  if (existsSync(main)) return main
  mkdirSync(peer, { recursive: true })
  // Its streams answer 500 with later versions of this dependency (immutable headers).
  writeFileSync(join(peer, 'package.json'), '{"private":true,"overrides":{"@hono/node-server":"1.13.8"}}')
  console.error('installing @portkey-ai/gateway into bench/.peer ...')
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', PORTKEY], { cwd: peer, stdio: 'inherit' })
  return main
}

async function rivals(o: Options): Promise<Rival[]> {
  const mock = `http://127.0.0.1:${MOCK}`
  const list: Rival[] = [
    { name: 'bare', base: 'http://127.0.0.1:9301', key: 'x', headers: [], pid: start(0, process.execPath, [join(here, 'bare.ts'), '9301', mock]) },
  ]
  if (o.base === '') {
    real = await startReal(9304, mock)
    list.push({ name: 'mingxi', base: real.base, key: real.key, headers: [], pid: real.pid })
    list.push({
      name: 'in memory',
      base: 'http://127.0.0.1:9302',
      key: o.key,
      headers: [],
      pid: start(0, process.execPath, [join(here, 'relay.ts'), '9302', mock]),
    })
  } else list.push({ name: 'mingxi', base: o.base, key: o.key, headers: [], pid: Number(o.pid) || 0 })
  if (o.portkey && o.api === 'openai') {
    const pid = start(0, process.execPath, [portkey(), '--port=9303', '--headless'], true, {
      NODE_ENV: 'production',
      TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost',
    })
    list.push({ name: 'portkey', base: 'http://127.0.0.1:9303', key: 'x', headers: ['x-portkey-provider: openai', `x-portkey-custom-host: ${mock}/v1`], pid })
  }
  for (const rival of list) await listening(rival.base)
  return list
}

function print(mode: string, names: readonly string[], results: readonly Result[]): void {
  const at = (name: string): Result | undefined => results[names.findIndex((one) => one.startsWith(name))]
  const ratio = (a: number | undefined, b: number | undefined): string => (a === undefined || b === undefined ? '-' : (a / b).toFixed(2))
  console.log(`\n${mode}`)
  console.log('             req/s   CPU ms/req     least    p50 ms    p99 ms   errors   x bare   x portkey   CPU / bare')
  names.forEach((name, i) => {
    const r = results[i]!
    console.log(
      `${name.padEnd(10)}${r.rps.toFixed(0).padStart(8)}${r.cpuMs.toFixed(4).padStart(13)}${r.leastCpuMs.toFixed(4).padStart(10)}${r.lat_p50.toFixed(2).padStart(10)}${r.lat_p99.toFixed(2).padStart(10)}${String(r.err).padStart(9)}${ratio(r.rps, at('bare')?.rps).padStart(9)}${ratio(r.rps, at('portkey')?.rps).padStart(12)}${ratio(r.leastCpuMs, at('bare')?.leastCpuMs).padStart(13)}`,
    )
  })
}

let real: RealServer | undefined
const o = options()
try {
  const lg = compile('lg')
  start(1, compile('mock'), [String(MOCK)], true)
  await listening(`http://127.0.0.1:${MOCK}/stats`)
  const list = await rivals(o)
  for (const burst of [0, ...o.bursts]) {
    const sse = burst > 0
    await fetch(`http://127.0.0.1:${MOCK}/stats?burst=${burst}`)
    const rounds: Result[][] = list.map(() => [])
    for (let round = 0; round < o.rounds; round++) for (const [i, rival] of list.entries()) rounds[i]!.push(await measure(o, lg, rival, sse))
    print(
      sse ? `${o.api} SSE, 64 chunks, ${burst} a write of the upstream, ${connections(o, sse)} at once` : `${o.api} JSON, ${connections(o, sse)} at once`,
      list.map((rival) => rival.name),
      rounds.map(median),
    )
  }
} finally {
  for (const child of children) child.kill()
  if (real) console.log(`\nmingxi: ${await real.finish()}`)
}
