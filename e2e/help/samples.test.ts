import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { SAMPLES_FOLDER } from '#features/site/help/read.ts'
import { startFundedServer, type FundedServer } from '../server.ts'

// The samples of the help centre as a reader would run them: copied with this site's URL, in a shell or a separate file, with only the key
// in the environment.
const root = join(import.meta.dirname, '../..')
const folder = join(root, 'e2e/.shots/samples')
const run = promisify(execFile)
let server: FundedServer

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  server = await startFundedServer()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.stop()
})

const code = (file: string, origin = server.baseUrl) => readFileSync(join(SAMPLES_FOLDER, file), 'utf8').trimEnd().replaceAll('{{origin}}', origin)
/** Base URL in replies if PUBLIC_URL is not set. */
const getLocalhostUrl = () => server.baseUrl.replace('127.0.0.1', 'localhost')
/** Samples of webhook receivers have their own test: webhook.test.ts. */
const files = (id: string) => readdirSync(SAMPLES_FOLDER).filter((file) => file.split('.')[1] === id && !file.startsWith('webhook.'))
const env = () => ({ PATH: process.env['PATH'], MINGXI_API_KEY: server.apiKey })

/** Expected output of each sample. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'first-call': /\w+ \w+/,
  'claude-call': /\w+ \w+/,
  'gemini-call': /\w+ \w+/,
  'list-models': /gpt-5\.4-mini/,
  'streaming': /\d+/,
  'tools': /get_weather.*Paris[\s\S]*sunny, 21 degrees/,
  'realtime': /You said: Say hello\.[\s\S]*\d+ \d+/,
  'live': /You said: Say hello\.[\s\S]*\d+ \d+/,
  'responses-socket': /Say hello\.[\s\S]*\d+ \d+[\s\S]*And now goodbye\.[\s\S]*\d+ \d+/,
  'retries': /\w+ \w+/,
  'any-model': /gpt-5\.4-mini \w+[\s\S]*claude-haiku-4-5 \w+[\s\S]*gemini-3\.5-flash-lite \w+/,
  'quote': /^0\.00270525 true$/m,
  'image-call': /output tokens \d+/,
  'speech-call': /Twenty-four dollars in all\./,
}

describe.each(files('node'))('%s', (file) => {
  test('runs as it stands', async () => {
    const path = join(folder, file.replace('.txt', '.mjs'))
    writeFileSync(path, code(file))
    const { stdout, stderr } = await run(process.execPath, [path], { env: env(), cwd: folder, timeout: PATIENCE_MS })
    expect(stderr).toBe('')
    expect(stdout).toMatch(PRINTS[file.split('.')[0]!]!)
  })
})

describe.each(files('curl'))('%s', (file) => {
  test('runs as it stands', async () => {
    const { stdout } = await run('sh', ['-c', `${code(file)} -sS -w '\\n%{http_code}'`], {
      env: env(),
      cwd: folder,
      timeout: PATIENCE_MS,
      maxBuffer: 64 * 1024 * 1024,
    })
    expect(stdout).toMatch(/\n200$/)
    expect(stdout).not.toContain('"error"')
  })
})

test('curl and Node samples exist for what the articles promise', () => {
  expect(files('node').length).toBeGreaterThanOrEqual(7)
  expect(files('curl').length).toBeGreaterThanOrEqual(5)
  expect(Object.keys(PRINTS).sort()).toEqual(
    files('node')
      .map((file) => file.split('.')[0])
      .sort(),
  )
})

test('the quote that the article shows is the quote that comes', async () => {
  const sent = /--?d '([\s\S]*?)'/.exec(code('quote.curl.txt'))![1]!
  const reply = await fetch(`${server.baseUrl}/v1/quote`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    body: sent,
  })
  const shown = JSON.parse(code('quote-answer.answer.txt')) as object
  expect({ ...((await reply.json()) as object), price_version: 1 }).toEqual(shown)
})

/** Replaces values that differ from call to call. */
const maskIds = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/req_\w+|req_\.\.\./g, 'REQUEST')
      .replaceAll(/key_\w+|key_\.\.\./g, 'KEY'),
  )
/** Figures of a limit, and the time until it resets. */
const maskLimitFigures = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(maskIds(value))
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME')
      .replaceAll(/(?:\d+m)?[\d.]+s\b/g, 'PAUSE')
      .replaceAll(/(limit|used|"retry-after",|"[\w-]+-requests-limit",|"[\w-]+-limit-requests",)( ?"?)\d+/g, '$1$2N'),
  )

const surfaces = {
  openai: (key: string) =>
    fetch(`${server.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"model":"gpt-5.4-mini","messages":[{"role":"user","content":"Hi"}]}',
    }),
  anthropic: (key: string) =>
    fetch(`${server.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: '{"model":"claude-haiku-4-5","max_tokens":16,"messages":[{"role":"user","content":"Hi"}]}',
    }),
  gemini: (key: string) =>
    fetch(`${server.baseUrl}/v1beta/models/gemini-3.5-flash-lite:generateContent`, {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: '{"contents":[{"parts":[{"text":"Hi"}]}]}',
    }),
}

async function compare(file: string, reply: Response, strip: (value: unknown) => unknown): Promise<void> {
  const [head, body] = code(file, getLocalhostUrl()).split('\n\n')
  expect(strip(await reply.json())).toEqual(strip(JSON.parse(body!)))
  const [status, ...headers] = head!.split('\n')
  expect(status).toBe(`HTTP ${reply.status}`)
  for (const line of headers) {
    const [name, ...value] = line.split(': ')
    expect(strip([name, reply.headers.get(name!) ?? ''])).toEqual(strip([name, value.join(': ')]))
  }
}

describe.each(Object.entries(surfaces))('the errors that the articles show are the errors that come: %s', (surface, send) => {
  test('without money', async () => {
    await compare(`error-money.${surface}.txt`, await send(server.poorKey), maskIds)
  })
  test('at a limit of the key', async () => {
    const key = await server.keyOf({ requestsMinute: 1 })
    expect((await (await send(key)).text()).length).toBeGreaterThan(10)
    await compare(`error-limit.${surface}.txt`, await send(key), maskLimitFigures)
  })
})
