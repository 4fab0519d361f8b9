import { execFile } from 'node:child_process'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { startFundedServer } from '../../server.ts'
import type { FundedServer } from '../../server.ts'
import { CHAT_SHAPES } from './chat.ts'
import { GEMINI_SHAPES, MESSAGES_SHAPES, RESPONSES_SHAPES } from './native-shapes.ts'
import { SHAPE_VENDORS } from './shape.ts'
import type { RequestShape, ShapeVendor } from './shape.ts'
import { formatShapesPage } from './table.ts'
import type { ShapeOutcome } from './table.ts'

/** Sends every shape to a model of every vendor, through the whole server; then checks the charges of all calls. */
const GROUPS = { 'Chat Completions': CHAT_SHAPES, 'Responses': RESPONSES_SHAPES, 'Messages': MESSAGES_SHAPES, 'generateContent': GEMINI_SHAPES }
const SHAPES = Object.values(GROUPS).flat()
const MODELS: Readonly<Record<ShapeVendor, string>> = { openai: 'gpt-4.1-mini', anthropic: 'claude-haiku-5-5', google: 'gemini-3.8-flash' }

let server: FundedServer
let db: Db
let before: bigint
const outcomes = new Map<string, ShapeOutcome>()
beforeAll(async () => {
  server = await startFundedServer()
  db = connect(server.databaseUrl, { max: 1, asOwner: true })
  before = await balance()
})
afterAll(async () => {
  await db.close()
  await server.stop()
})

const get = async (path: string) => {
  const reply = await fetch(`${server.baseUrl}${path}`, { headers: { authorization: `Bearer ${server.apiKey}` } })
  expect([path, reply.status]).toEqual([path, 200])
  return (await reply.json()) as Record<string, unknown>
}
const balance = async (): Promise<bigint> =>
  (await db.query<{ posted: bigint }>(`select posted from wallet_accounts where owner = $1 and kind = 'customer'`, [`user:${server.userId}`]))[0]!.posted

async function send(shape: RequestShape, vendor: ShapeVendor): Promise<ShapeOutcome> {
  const body = shape.body(MODELS[vendor])
  const key: Record<string, string> = shape.path('').includes('/deployments/') ? { 'api-key': server.apiKey } : { authorization: `Bearer ${server.apiKey}` }
  const version: Record<string, string> = shape.vendor === 'anthropic' && shape.headers === undefined ? { 'anthropic-version': '2023-06-01' } : {}
  const reply = await fetch(server.baseUrl + shape.path(MODELS[vendor]), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key, ...version, ...shape.headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })
  const text = await reply.text()
  if (reply.status < 300) {
    // A response ends in its own dialect.
    expect(text, `${shape.name} at ${vendor}`).toMatch(/finish_reason|"status":"(?:completed|incomplete)"|stop_reason|finishReason/)
    return { status: reply.status, dropped: reply.headers.get('x-mingxi-dropped') ?? '', message: '' }
  }
  return { status: reply.status, dropped: '', message: (JSON.parse(text) as { error: { message: string } }).error.message }
}

test('the table has each shape once, and more than 80 of them', () => {
  expect(new Set(SHAPES.map((shape) => `${shape.vendor} ${shape.path('m')} ${shape.name}`)).size).toBe(SHAPES.length)
  expect(SHAPES.length).toBeGreaterThan(80)
})

test.each(Object.entries(GROUPS).flatMap(([group, shapes]) => shapes.map((shape) => [group, shape.name, shape] as const)))(
  '%s: %s',
  async (group, name, shape) => {
    const refused: ShapeVendor[] = []
    for (const vendor of SHAPE_VENDORS) {
      const outcome = await send(shape, vendor)
      outcomes.set(`${group} ${name} ${vendor}`, outcome)
      // Every refusal is a client error with a reason, never a server error.
      if (outcome.status >= 300)
        expect([name, vendor, outcome.status < 500 && outcome.status !== 429, outcome.message]).toMatchObject([name, vendor, true, /\w/])
      if (outcome.status >= 300) refused.push(vendor)
    }
    expect(refused).toEqual(SHAPE_VENDORS.filter((vendor) => shape.refusedAt.includes(vendor)))
  },
)

test('docs/shapes.md matches the outcomes', async () => {
  const rows = Object.entries(GROUPS).map(
    ([group, shapes]) =>
      [group, shapes.map((shape) => ({ shape, outcomes: SHAPE_VENDORS.map((vendor) => outcomes.get(`${group} ${shape.name} ${vendor}`)!) }))] as const,
  )
  await expect(formatShapesPage(rows)).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/shapes.md'))
})

test('rows, balance and the vendors’ books agree to the nano-dollar', async () => {
  await expect.poll(async () => (await db.query('select count(*)::int as n from gateway_unposted'))[0]!['n']).toBe(0)
  const [rows] = await db.query<{ calls: number; amount: bigint }>(
    'select (count(*) filter (where status < 300))::int as calls, sum(amount)::bigint as amount from gateway_usage',
  )
  const answered = [...outcomes.values()].filter(({ status }) => status < 300).length
  expect(rows!.calls).toBe(answered)
  expect(before - (await balance())).toBe(rows!.amount)
  // A call refused by the vendor costs nothing; every other row has the vendor's own figure.
  const [odd] = await db.query(`select count(*)::int as n from gateway_usage where case when status < 300 then provenance <> 'upstream' else amount <> 0 end`)
  expect(odd!['n']).toBe(0)
  const { code, text } = await compare()
  expect(text).not.toContain('ALARM')
  expect(code).toBe(0)
})

test.each([false, true])('a signed call goes to a caller of Messages without a thinking block, and back (stream: %s)', async (stream) => {
  const anthropic = new Anthropic({ baseURL: server.baseUrl, apiKey: server.apiKey, maxRetries: 0 })
  const tools = [{ name: 'get_weather', description: 'The weather', input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } } }]
  const question = { role: 'user' as const, content: 'What is the weather in Paris?' }
  const ask = { model: MODELS.google, max_tokens: 2_048, tools }
  const first = { ...ask, messages: [question] }
  const answer = stream ? await anthropic.messages.stream(first).finalMessage() : await anthropic.messages.create(first)
  expect(answer.content.map((block) => block.type)).toEqual(['tool_use'])
  const [call] = answer.content as [Anthropic.ToolUseBlock]
  expect(call.id).toMatch(/^[\w-]+__mx1_[\w-]+$/)
  // The sandbox refuses requests to its newer models whose signatures are missing or altered.
  const result = { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: call.id, content: 'sunny' }] }
  const again = await anthropic.messages.create({ ...ask, messages: [question, { role: 'assistant', content: answer.content }, result] })
  expect(JSON.stringify(again.content)).toContain('sunny')
  const thinking = await anthropic.messages.create({ ...first, thinking: { type: 'enabled', budget_tokens: 1_024 } })
  expect(thinking.content.map((block) => block.type)).toContain('thinking')
})

test('JSON mode of Claude is JSON and nothing else, streamed or not', async () => {
  const openai = new OpenAI({ baseURL: `${server.baseUrl}/v1`, apiKey: server.apiKey, maxRetries: 0 })
  const ask = { model: MODELS.anthropic, response_format: { type: 'json_object' as const } }
  const about = (content: string) => ({ ...ask, messages: [{ role: 'user' as const, content }] })
  const given = about('Say this: ```json {"a":{"b":[1]}} ``` and a word more.')
  const whole = await openai.chat.completions.create(given)
  const streamed = await openai.chat.completions.stream(given).finalChatCompletion()
  for (const { choices } of [whole, streamed]) expect(JSON.parse(choices[0]!.message.content!)).toEqual({ a: { b: [1] } })
  const words = await openai.chat.completions.create(about('What is a ledger?'))
  expect([words.choices[0]!.message.content, words.choices[0]!.message.refusal]).toEqual([null, expect.stringContaining('ledger')])
})

test('models that frameworks ask for by default are answered by their successors, or the refusal names them', async () => {
  const ask = (path: string, body: object) =>
    fetch(server.baseUrl + path, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const answered = await ask('/v1/chat/completions', { model: 'gpt-3.5-turbo', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20, temperature: 0.7 })
  expect([answered.status, answered.headers.get('x-mingxi-model'), answered.headers.get('x-mingxi-rerouted-from')]).toEqual([
    200,
    'gpt-4o-mini',
    'gpt-3.5-turbo',
  ])
  await answered.text()
  await expect
    .poll(() => db.query(`select model, asked_model from gateway_usage where asked_model <> ''`))
    .toEqual([{ model: 'gpt-4o-mini', askedModel: 'gpt-3.5-turbo' }])
  const refused: [string, object, string][] = [
    ['/v1/embeddings', { model: 'text-embedding-ada-002', input: 'Hi' }, 'text-embedding-3-small'],
    ['/v1beta/models/gemini-embedding-001:embedContent', { content: { parts: [{ text: 'Hi' }] } }, 'gemini-embedding-2'],
    ['/v1/rerank', { model: 'rerank-v3.5', query: 'a', documents: ['b'] }, 'rerank-v5.0-fast'],
  ]
  for (const [path, body, successor] of refused) {
    const reply = await ask(path, body)
    expect([path, reply.status]).toEqual([path, 404])
    expect(await reply.text()).toContain(successor)
  }
})

test('clients and usage scripts read the remaining balance', async () => {
  // Waits until every call has ended and is in the ledger; a balance read before that is cached for some seconds.
  await expect.poll(() => db.query('select account_id from gateway_calls union all select account_id from gateway_unposted')).toEqual([])
  const left = await balance()
  await expect.poll(async () => Number((await get('/user/balance'))['balance'])).toBeCloseTo(Number(left) / 1e9, 9)
  const info = (await get('/user/balance'))['balance_infos'] as { total_balance: string }[]
  expect(parseUsd(info[0]!.total_balance)).toBe(left)
  for (const base of ['', '/v1']) {
    const { hard_limit_usd: limit } = await get(`${base}/dashboard/billing/subscription`)
    const { total_usage: usage } = await get(`${base}/dashboard/billing/usage?start_date=2026-11-01&end_date=2026-12-01`)
    expect(Number(limit) - Number(usage) / 100).toBeCloseTo(Number(left) / 1e9, 6)
    expect(Number(usage)).toBeGreaterThan(0)
  }
  const { data } = (await get('/api/usage/token')) as { data: Record<string, number> }
  expect(data['total_granted']).toBe(data['total_used']! + data['total_available']!)
  expect(data['total_available']! / 500_000).toBeCloseTo(Number(left) / 1e9, 4)
  expect(await get('/v1/usage')).toMatchObject({ isValid: true, unit: 'USD', remaining: Number(left) / 1e9 })
})

const compare = () =>
  new Promise<{ code: number; text: string }>((done) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, '../../../features/gateway/server/books/compare-command.ts'), '--day', new Date().toISOString().slice(0, 10)],
      { env: { ...process.env, DATABASE_URL: server.databaseUrl, PUBLIC_URL: server.baseUrl, STAGE: 'qa', ALLOW_SANDBOX: 'models' } },
      (error, stdout, stderr) => done({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr }),
    )
  })
