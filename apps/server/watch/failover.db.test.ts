import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { createTestDatabase } from '#platform/testing/db.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'

// A database that becomes read-only under a running server, and recovers; `npm run drill` measures it.

let server: TestServer
let secret: string
let databaseUrl: string
beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).url
  server = await startTestServer({
    databaseUrl,
    roles: 'gateway,sandbox',
    env: { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail', SANDBOX_CHUNK_MS: '0', GATEWAY_REFUSE_MS: '800' },
  })
  const db = connect(databaseUrl, { max: 1 })
  secret = (await aKey(db, await aFundedUser(db, { userId: createId('user') }))).secret
  await db.close()
})
afterAll(() => server?.stop())

const ASKS = [
  ['/v1/chat/completions', { model: 'gpt-6-luna', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }],
  ['/v1/messages', { model: 'claude-haiku-5-5', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }],
  ['/v1beta/models/gemini-3.8-flash:generateContent', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 10 } }],
] as const
async function call([path, body]: (typeof ASKS)[number]) {
  const headers = { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const reply = await fetch(`${server.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), body: (await reply.json()) as object }
}
async function isReady(): Promise<boolean> {
  const reply = await fetch(`${server.baseUrl}/readyz`)
  await reply.arrayBuffer()
  return reply.status === 200
}

test('a read-only database: calls are refused in each vendor’s shape and the node is not ready; both recover unaided', async () => {
  for (const ask of ASKS) expect((await call(ask)).status).toBe(200)
  const name = new URL(databaseUrl).pathname.slice(1)
  const admin = connect(databaseUrl, { max: 1, asOwner: true })
  // An existing session can still write.
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  try {
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`, [name])
    // A call that starts before the fault is noticed waits for the database.
    const dialled = call(ASKS[0])
    await waitForValue(async () => !(await isReady()), 'a server that is not ready')
    const refused = await Promise.all(ASKS.map(call))
    expect(refused.map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
      [503, '1'],
      [503, '1'],
      [503, '1'],
    ])
    expect(refused.map(({ body }) => body)).toMatchObject([
      { error: { type: 'server_error', code: 'service_unavailable', message: expect.any(String) as string } },
      { type: 'error', error: { type: 'api_error', message: expect.any(String) as string } },
      { error: { code: 503, status: 'UNAVAILABLE', message: expect.any(String) as string } },
    ])
    await admin.query(`alter database ${name} reset default_transaction_read_only`)
    expect([200, 503]).toContain((await dialled).status)
  } finally {
    // A new session would be read-only.
    await admin.query(`alter database ${name} reset default_transaction_read_only`)
    await admin.close()
  }
  await waitForValue(isReady, 'a server that is ready')
  for (const ask of ASKS) await waitForValue(async () => (await call(ask)).status === 200, `an answer at ${ask[0]}`)
})
