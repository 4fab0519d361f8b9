import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Cores as `taskset` names them: the gateway's, and the one for load, mock upstream and database. */
export const GATEWAY_CORE = '0'
export const OTHER_CORE = '1'

const here = import.meta.dirname
const bin = join(here, '..', '.bin')
const children: ChildProcess[] = []

/** Compiles one of the C programs once. */
export function compileTool(name: string): string {
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

/** Starts a program on its cores, to run until `stopPrograms`; returns its pid. */
export function startProgram(
  core: string,
  command: string,
  { args, quiet = false, env = {} }: { readonly args: readonly string[]; readonly quiet?: boolean; readonly env?: Record<string, string> },
): number {
  const child = spawn('taskset', ['-c', core, command, ...args], {
    stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'inherit'],
    env: { ...process.env, ...env },
  })
  children.push(child)
  return child.pid!
}

/** Ends every program of `start`; resolves when their ports are free again. */
export async function stopPrograms(): Promise<void> {
  const gone = children.splice(0).map((child) => (child.exitCode ?? child.signalCode) === null && new Promise((done) => child.once('exit', done).kill()))
  await Promise.all(gone)
}

export async function waitUntilListening(url: string): Promise<void> {
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
export function readCpuSeconds(pid: number): number {
  let total = 0
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9
  } catch {
    return Number.NaN
  }
  return total
}

/** Resident memory in MB; 0 if the process has ended. */
export function readResidentMb(pid: number): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4096) / 2 ** 20
  } catch {
    return 0
  }
}

/** A server under load. */
export interface Rival {
  readonly name: string
  readonly base: string
  readonly key: string
  readonly headers: readonly string[]
  readonly pid: number
}

export interface LoadRequest {
  readonly api: string
  readonly model: string
  readonly sse: boolean
}

/** Result of one run of the load generator. Times in milliseconds. */
export interface LoadFigures {
  readonly rps: number
  readonly ok: number
  readonly err: number
  readonly lat_p50: number
  readonly lat_p99: number
  readonly ttfb_p50: number
  readonly ttfb_p99: number
  readonly chunk_delay_p50?: number
  readonly chunk_delay_p99?: number
}
export interface MeasuredRun extends LoadFigures {
  readonly cpuMs: number
  /** Peak memory in MB. */
  readonly peak: number
}

export interface LoadProfile {
  /** Connections, each with one request at a time. */
  readonly connections: number
  readonly seconds: number
  readonly warmup?: number
  /** Requests per second, regardless of responses; without it each connection sends as fast as responses arrive. */
  readonly rate?: number
  /** Seconds over which the connections are opened, one after the other. */
  readonly ramp?: number
  /** Seconds to wait at most until each connection has received a first byte. */
  readonly settle?: number
  /** Expected number of chunks in a stream. */
  readonly expect?: number
  /** File with one key per line; every request takes a random one. The rival's key must be the first. */
  readonly keys?: string
  /** Core of the load generator. */
  readonly core?: string
}

/** Runs load against a server once. */
export async function measureLoad(rival: Rival, ask: LoadRequest, load: LoadProfile): Promise<MeasuredRun> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const { path, body, headers } = request(ask)
  const url = new URL(rival.base)
  const [bodyFile, headFile] = [join(folder, 'body'), join(folder, 'head')]
  writeFileSync(bodyFile, body)
  writeFileSync(headFile, [`Authorization: Bearer ${rival.key}`, ...headers, ...rival.headers].map((line) => `${line}\r\n`).join(''))
  const options = {
    host: url.hostname,
    port: url.port,
    path: url.pathname.replace(/\/$/, '') + path,
    c: load.connections,
    seconds: load.seconds,
    warmup: load.warmup ?? 2,
    sse: ask.sse ? 1 : 0,
    hdr: headFile,
    body: bodyFile,
    rate: load.rate,
    ramp: load.ramp,
    settle: load.settle,
    expect: load.expect,
    keys: load.keys,
  }
  const args = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]))
  const child = spawn('taskset', ['-c', load.core ?? OTHER_CORE, compileTool('lg'), ...args])
  let out = '',
    err = ''
  let before = 0,
    after = 0,
    peak = 0
  const watch = setInterval(() => {
    if (rival.pid) peak = Math.max(peak, readResidentMb(rival.pid))
  }, 250)
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    const text = data.toString()
    err += text
    if (text.includes('START')) before = readCpuSeconds(rival.pid)
    if (text.includes('END')) after = readCpuSeconds(rival.pid)
  })
  await new Promise((resolve) => child.on('close', resolve))
  clearInterval(watch)
  rmSync(folder, { recursive: true })
  if (err.includes('ERRSAMPLE')) console.error(`${rival.name}: ${err.trim()}`)
  const figures = JSON.parse(out) as LoadFigures
  return { ...figures, cpuMs: ((after - before) * 1_000) / figures.ok, peak }
}

/** Loads each rival for `seconds` at full speed, so that its code is compiled before the measurement. */
export async function warmUpRivals(
  rivals: readonly Rival[],
  ask: LoadRequest,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<void> {
  if (seconds > 0) for (const rival of rivals) await measureLoad(rival, ask, { connections, seconds, warmup: 0 })
}

function request({ api, model, sse }: LoadRequest): { path: string; body: string; headers: string[] } {
  const pad = 'You are a careful assistant. Answer the question with a short list and no preamble. '.repeat(10)
  const ask = 'What is a gateway?'
  if (api === 'anthropic')
    return {
      path: '/v1/messages',
      headers: ['anthropic-version: 2023-06-01'],
      body: JSON.stringify({ model, max_tokens: 256, system: pad, messages: [{ role: 'user', content: ask }], stream: sse }),
    }
  if (api === 'gemini')
    return {
      path: `/v1beta/models/${model}:${sse ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
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
      model,
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
