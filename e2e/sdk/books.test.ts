import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { startFundedServer } from '../server.ts'
import type { FundedServer } from '../server.ts'

// The operators' command that compares the books, against the sandbox's own book, after real calls of every vendor.
let server: FundedServer
beforeAll(async () => {
  server = await startFundedServer()
})
afterAll(() => server.stop())

const postJson = async (path: string, body: object) => {
  const reply = await fetch(`${server.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${server.apiKey}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  })
  expect([path, reply.status]).toEqual([path, 200])
  await reply.text()
}
const compare = (...more: string[]) =>
  new Promise<{ code: number; text: string }>((done) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, '../../features/gateway/server/books/compare-command.ts'), '--day', new Date().toISOString().slice(0, 10), ...more],
      { env: { ...process.env, DATABASE_URL: server.databaseUrl, PUBLIC_URL: server.baseUrl, STAGE: 'qa', ALLOW_SANDBOX: 'models' } },
      (error, stdout, stderr) => done({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr }),
    )
  })

test('M7: our rows, the ledger and the vendors’ books agree after calls of every kind; a missing row is reported', async () => {
  const user = [{ role: 'user', content: 'What is a ledger?' }]
  await Promise.all(
    [true, false].flatMap((stream) => [
      postJson('/v1/chat/completions', { model: 'gpt-4.1-mini', messages: user, stream, max_tokens: 40 }),
      postJson('/v1/responses', { model: 'gpt-5.2', input: 'What is a ledger?', stream, max_output_tokens: 60 }),
      postJson('/v1/messages', { model: 'claude-sonnet-5-5', max_tokens: 40, stream, messages: user }),
      postJson(`/v1beta/models/gemini-2.5-flash:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, {
        contents: [{ role: 'user', parts: [{ text: 'What is a ledger?' }] }],
      }),
      postJson('/v1/messages', { model: 'gpt-4.1-mini', max_tokens: 40, stream, messages: user }),
    ]),
  )
  await postJson('/v1/embeddings', { model: 'text-embedding-3-small', input: 'What is a ledger?' })
  const db = connect(server.databaseUrl, { max: 1, asOwner: true })
  try {
    await expect.poll(async () => (await db.query('select count(*)::int as n from gateway_unposted'))[0]!['n']).toBe(0)
    const { code, text } = await compare()
    expect(text).not.toContain('ALARM')
    expect(code).toBe(0)
    const rows = await db.query<{ vendor: string; calls: bigint }>(
      `select vendor, sum(our_calls)::bigint as calls from gateway_books
       where our_calls = their_calls and our_input = their_input and our_cached = their_cached and our_output = their_output group by 1 order by 1`,
    )
    expect(rows).toEqual([
      { vendor: 'sandbox-anthropic', calls: 2n },
      { vendor: 'sandbox-google', calls: 2n },
      { vendor: 'sandbox-openai', calls: 7n },
    ])
    expect((await db.query('select sums = captured as same, charged = posted as today from gateway_book_days'))[0]).toEqual({ same: true, today: true })

    await db.query('alter table gateway_usage disable trigger user')
    for (const { name } of await db.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'gateway_usage'::regclass`,
    ))
      await db.query(`alter table ${name} disable trigger user`)
    await db.query(`insert into settings (key, value, updated_by) values ('gateway.book-drift-tokens', '1', 'test')`)
    await db.query(`delete from gateway_usage where call_id = (select call_id from gateway_usage where model = 'claude-sonnet-5-5' limit 1)`)
    const csv = await compare('--csv')
    expect(csv.code).toBe(1)
    expect(csv.text).toMatch(/sandbox-anthropic,claude-sonnet-5-5,1,2,/)
  } finally {
    await db.close()
  }
})
