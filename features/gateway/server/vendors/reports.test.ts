import { createVerify, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { vendors } from './index.ts'
import { parseReportUsd, parseReportCents } from './report-port.ts'

// Answers in the format of the vendors' references (OpenAI usage and costs, Anthropic Usage and Cost Admin API, BigQuery jobs.query).
const DAY = '2026-11-20'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const CONFIG: Record<string, string> = {
  OPENAI_ADMIN_KEY: 'sk-admin-1',
  ANTHROPIC_ADMIN_KEY: 'sk-ant-admin-1',
  GOOGLE_BILLING_TABLE: 'my-project.billing.gcp_billing_export_v1_0A1B2C',
  GOOGLE_SERVICE_ACCOUNT: JSON.stringify({
    client_email: 'reader@my-project.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: 'https://oauth2.googleapis.com/token',
  }),
}

type Asked = { url: URL; init: RequestInit }
function createFakeSend(answer: (asked: Asked) => unknown): { send: typeof fetch; asked: Asked[] } {
  const asked: Asked[] = []
  const send = (async (url: string, init: RequestInit) => {
    const one = { url: new URL(url), init }
    asked.push(one)
    const given = answer(one)
    return given instanceof Response ? given : Response.json(given)
  }) as unknown as typeof fetch
  return { send, asked }
}
const readReport = (id: string, send: typeof fetch, more: Record<string, string> = {}) => {
  const vendor = vendors.find((one) => one.id === id)!
  return vendor.report!.read({
    send,
    baseUrl: vendor.baseUrl,
    key: '',
    config: (name) => ({ ...CONFIG, ...more })[name],
    day: DAY,
    now: new Date(`${DAY}T12:00:00Z`),
  })
}
const page = (results: object[], next: string | null = null) => ({
  object: 'page',
  data: [{ object: 'bucket', start_time: 1, end_time: 2, results }],
  has_more: next !== null,
  next_page: next,
})

test('OpenAI: pages are followed, embeddings join, costs by line item belong to their model', async () => {
  const { send, asked } = createFakeSend(({ url }) => {
    if (url.pathname.endsWith('/completions'))
      return url.searchParams.get('page')
        ? page([{ object: 'organization.usage.completions.result', model: 'gpt-6-sol-2026-08-07', input_tokens: 5, output_tokens: 1, num_model_requests: 1 }])
        : page(
            [
              {
                object: 'organization.usage.completions.result',
                model: 'gpt-6-luna',
                input_tokens: 1000,
                input_cached_tokens: 800,
                output_tokens: 500,
                num_model_requests: 5,
              },
            ],
            'AAAA',
          )
    if (url.pathname.endsWith('/embeddings'))
      return page([{ object: 'organization.usage.embeddings.result', model: 'text-embedding-4', input_tokens: 77, num_model_requests: 2 }])
    if (url.pathname.endsWith('/audio_speeches'))
      return page([{ object: 'organization.usage.audio_speeches.result', model: 'tts-2', characters: 45, num_model_requests: 3 }])
    if (!url.pathname.endsWith('/costs')) return page([])
    return page([
      { object: 'organization.costs.result', amount: { value: 0.0600000001, currency: 'usd' }, line_item: 'gpt-6-luna, input' },
      { object: 'organization.costs.result', amount: { value: 1e-7, currency: 'usd' }, line_item: 'gpt-6-luna, cached input' },
      { object: 'organization.costs.result', amount: { value: 3, currency: 'usd' }, line_item: null },
    ])
  })
  const report = await readReport('openai', send, { OPENAI_PROJECT_ID: 'proj_1' })
  expect(report).toEqual([
    { model: 'gpt-6-luna', calls: 5n, input: 1000n, cached: 800n, output: 500n, cost: 60_000_100n },
    { model: 'gpt-6-sol-2026-08-07', calls: 1n, input: 5n, cached: 0n, output: 1n, cost: 0n },
    { model: 'text-embedding-4', calls: 2n, input: 77n, cached: 0n, output: 0n, cost: 0n },
    { model: 'tts-2', calls: 3n, input: undefined, cached: undefined, output: undefined, cost: 0n },
    { model: 'other', calls: 0n, input: undefined, cached: undefined, output: undefined, cost: 3_000_000_000n },
  ])
  expect(asked[0]!.url.href).toBe(
    'https://api.openai.com/v1/organization/usage/completions?start_time=1795132800&end_time=1795219200&bucket_width=1d&limit=31&project_ids=proj_1&group_by=model',
  )
  expect(new Headers(asked[0]!.init.headers).get('authorization')).toBe('Bearer sk-admin-1')
})

test('Anthropic: caches are part of the input, amounts are cents in text, and only the configured workspace is read', async () => {
  const usage = {
    uncached_input_tokens: 1500,
    cache_creation: { ephemeral_1h_input_tokens: 1000, ephemeral_5m_input_tokens: 500 },
    cache_read_input_tokens: 200,
    output_tokens: 500,
    model: 'claude-opus-5',
  }
  const { send, asked } = createFakeSend(({ url }) =>
    url.pathname.endsWith('/messages')
      ? page([usage])
      : page([
          { amount: '123.78912', currency: 'USD', model: 'claude-opus-5', description: 'Claude Opus 5 Usage - Input Tokens', workspace_id: 'wrkspc_1' },
          { amount: '999', currency: 'USD', model: 'claude-opus-5', workspace_id: 'wrkspc_2' },
          { amount: '5', currency: 'USD', model: null, description: 'Web Search Usage', workspace_id: 'wrkspc_1' },
        ]),
  )
  expect(await readReport('anthropic', send, { ANTHROPIC_WORKSPACE_ID: 'wrkspc_1' })).toEqual([
    { model: 'claude-opus-5', calls: undefined, input: 3200n, cached: 200n, output: 500n, cost: 1_237_891_200n },
    { model: 'other', calls: undefined, input: 0n, cached: 0n, output: 0n, cost: 50_000_000n },
  ])
  expect(asked[0]!.url.searchParams.get('starting_at')).toBe('2026-11-20T00:00:00Z')
  expect(asked[0]!.url.searchParams.get('ending_at')).toBe('2026-11-21T00:00:00Z')
  expect(new Headers(asked[0]!.init.headers).get('x-api-key')).toBe('sk-ant-admin-1')
})

test('Google: a signed assertion, one question to BigQuery, SKUs in words become models and classes', async () => {
  const row = (...cells: string[]) => ({ f: cells.map((v) => ({ v })) })
  const { send, asked } = createFakeSend(({ url }) =>
    url.host === 'oauth2.googleapis.com'
      ? { access_token: 'ya29.x', expires_in: 3599, token_type: 'Bearer' }
      : {
          kind: 'bigquery#queryResponse',
          jobComplete: true,
          rows: [
            row('Generate content input token count gemini 3.8 flash lite text input', '1200.0', '0.00012', 'USD'),
            row('Generate content cached input token count gemini 3.8 flash lite', '300.0', '0.000003', 'USD'),
            row('Generate content output token count gemini 3.8 flash lite thinking text output', '50.0', '1.5E-5', 'USD'),
            row('Gemini 3.8 Flash Image Output', '7', '0.01', 'USD'),
            row('Caching storage gemini 3.8 flash lite', '2.5', '0.1', 'USD'),
          ],
        },
  )
  expect(await readReport('google', send)).toEqual([
    { model: 'gemini-3.8-flash-lite', calls: undefined, input: 1500n, cached: 300n, output: 50n, cost: 100_138_000n },
    { model: 'gemini-3.8-flash', calls: undefined, input: 0n, cached: 0n, output: 7n, cost: 10_000_000n },
  ])
  const assertion = new URLSearchParams(String(asked[0]!.init.body)).get('assertion')!
  const [head, body, signature] = assertion.split('.')
  expect(createVerify('RSA-SHA256').update(`${head}.${body}`).verify(publicKey, signature!, 'base64url')).toBe(true)
  expect(JSON.parse(Buffer.from(body!, 'base64url').toString())).toMatchObject({
    scope: 'https://www.googleapis.com/auth/bigquery',
    aud: 'https://oauth2.googleapis.com/token',
  })
  const { queryParameters, query } = JSON.parse(String(asked[1]!.init.body)) as { queryParameters: { parameterValue: { value: string } }[]; query: string }
  expect(queryParameters[0]!.parameterValue.value).toBe('2026-11-20T00:00:00Z')
  expect(query).toContain('`my-project.billing.gcp_billing_export_v1_0A1B2C`')
})

test.each([
  ['an error', () => new Response('{"error":"sk-admin-1"}', { status: 401 })],
  ['a page that never ends', () => page([], 'again')],
  ['a page without a next page', () => ({ ...page([]), has_more: true })],
  ['another currency', () => page([{ amount: { value: 1, currency: 'eur' }, model: 'm', input_tokens: 1, output_tokens: 1, num_model_requests: 1 }])],
  ['something else', () => ({ data: 'x' })],
])('an incomplete report is rejected: %s', async (_name, answer) => {
  const { send } = createFakeSend(answer)
  await expect(readReport('openai', send)).rejects.toThrow()
  await expect(readReport('openai', send)).rejects.not.toThrow(/sk-admin/)
})

test('a table’s name is no place for SQL', async () => {
  const { send, asked } = createFakeSend(() => ({ access_token: 'x' }))
  await expect(readReport('google', send, { GOOGLE_BILLING_TABLE: 'p.d.t` where true --' })).rejects.toThrow('GOOGLE_BILLING_TABLE')
  expect(asked).toEqual([])
})

test('amounts of vendors, to the nano-dollar', () => {
  expect(parseReportUsd(0.1 + 0.2)).toBe(300_000_000n)
  expect(parseReportUsd(-0.5)).toBe(-500_000_000n)
  expect(parseReportUsd('12.3456789019')).toBe(12_345_678_901n)
  expect(parseReportCents('123.45')).toBe(1_234_500_000n)
  expect(() => parseReportUsd('1e5')).toThrow('not an amount')
})
