import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileTool, GATEWAY_CORE, waitUntilListening, OTHER_CORE, startProgram } from './load.ts'
import type { Rival } from './load.ts'

const here = import.meta.dirname
const peerFolder = join(here, '..', '.peer')
const PORTKEY = '@portkey-ai/gateway@1.15.2'
const MOCK_PORT = 9100

/**
 * The mock upstream: `chunks` per stream; `/stats?burst=` sets the chunks per write and `/stats?delay=` the milliseconds between writes.
 */
export const MOCK_URL = `http://127.0.0.1:${MOCK_PORT}`

/** `vendorMs`: milliseconds until a response's first byte. */
export async function startMock(core = OTHER_CORE, vendorMs = 0): Promise<Rival> {
  const pid = startProgram(core, compileTool('mock'), { args: [`${MOCK_PORT}:0:${vendorMs}`], quiet: true })
  await waitUntilListening(`${MOCK_URL}/stats`)
  return { name: 'direct', base: MOCK_URL, key: 'x', headers: [], pid }
}

/** Sets the mock's streaming from now on: events per write, and milliseconds between writes. */
export const configureMockStreams = (burst: number, delay = 0) => fetch(`${MOCK_URL}/stats?burst=${burst}&delay=${delay}`)

/** The minimal Node proxy: node:http and undici's dispatch, without parsing the data. */
export async function startBareProxy(core = GATEWAY_CORE, port = 9301): Promise<Rival> {
  const rival = {
    name: 'bare',
    base: `http://127.0.0.1:${port}`,
    key: 'x',
    headers: [],
    pid: startProgram(core, process.execPath, { args: [join(here, 'bare.ts'), String(port), MOCK_URL] }),
  }
  await waitUntilListening(rival.base)
  return rival
}

/** The minimal proxy with a durable row per request. */
export async function startDurableProxy(database: string): Promise<Rival> {
  const rival = {
    name: 'durable',
    base: 'http://127.0.0.1:9305',
    key: 'x',
    headers: [],
    pid: startProgram(GATEWAY_CORE, process.execPath, { args: [join(here, 'durable.ts'), '9305', MOCK_URL, database] }),
  }
  await waitUntilListening(rival.base)
  return rival
}

/** Our relay with its journal in memory. */
export async function startInMemoryRelay(key: string): Promise<Rival> {
  const rival = {
    name: 'in memory',
    base: 'http://127.0.0.1:9302',
    key,
    headers: [],
    pid: startProgram(GATEWAY_CORE, process.execPath, { args: [join(here, 'relay.ts'), '9302', MOCK_URL] }),
  }
  await waitUntilListening(rival.base)
  return rival
}

/**
 * The competitor, installed on first use: in its best configuration (our Node, without its console), and, if the machine has a Node 20, as
 * its own image runs it (`node:20-alpine`, `node build/start-server.js`).
 */
export async function startPortkey(): Promise<Rival[]> {
  const rivals = [await startOnePortkey('portkey', process.execPath, { port: 9303, args: ['--headless'] })]
  const node20 = findNode(20)
  if (node20 !== undefined) rivals.push(await startOnePortkey('its image', node20, { port: 9308, args: [] }))
  return rivals
}

async function startOnePortkey(name: string, node: string, { port, args }: { readonly port: number; readonly args: readonly string[] }): Promise<Rival> {
  const pid = startProgram(GATEWAY_CORE, node, {
    args: [findPortkey(), `--port=${port}`, ...args],
    quiet: true,
    env: {
      NODE_ENV: 'production',
      TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost',
    },
  })
  const rival = { name, base: `http://127.0.0.1:${port}`, key: 'x', headers: ['x-portkey-provider: openai', `x-portkey-custom-host: ${MOCK_URL}/v1`], pid }
  await waitUntilListening(rival.base)
  return rival
}

/** Finds a Node of this major version in the machine's PATH. */
function findNode(major: number): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const program = join(folder, 'node')
    if (!folder.includes('node_modules') && existsSync(program) && execFileSync(program, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`))
      return program
  }
  return undefined
}

function findPortkey(): string {
  const main = join(peerFolder, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js')
  if (existsSync(main)) return main
  mkdirSync(peerFolder, { recursive: true })
  // Its streams answer 500 with later versions of this dependency (immutable headers).
  writeFileSync(join(peerFolder, 'package.json'), '{"private":true,"overrides":{"@hono/node-server":"1.13.8"}}')
  console.error('installing @portkey-ai/gateway into bench/.peer ...')
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', PORTKEY], { cwd: peerFolder, stdio: 'inherit' })
  return main
}
