import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '#platform/testing/db.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'

// A server with only the settings that production requires.
const REAL = {
  STAGE: 'production',
  PUBLIC_URL: 'https://mingxi.example',
  SECRET_KEY: Buffer.alloc(32, 'a key for tests').toString('base64'),
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'hello@example.com',
  STRIPE_SECRET_KEY: 'sk_live_12345678',
  STRIPE_WEBHOOK_SECRETS: 'whsec_12345678',
  OPENAI_API_KEY: 'sk-real',
}
const opened: TestServer[] = []
afterAll(async () => {
  for (const server of opened) await server.stop()
})

test('production has no sandbox: neither its pages nor its vendors answer', async () => {
  const server = await startTestServer({ roles: 'gateway,worker,sandbox', env: REAL })
  opened.push(server)
  const status = async (path: string, accept = '*/*') => (await fetch(`${server.baseUrl}${path}`, { headers: { accept } })).status
  expect(await status('/healthz')).toBe(200)
  for (const path of ['/sandbox', '/sandbox/mails', '/sandbox/sms', '/sandbox/google', '/sandbox/upstream/v1/models'])
    expect([path, await status(path)]).toEqual([path, 404])
  expect(await status('/sandbox', 'text/html')).toBe(404)
})

test('a vendor’s real key beside sandbox payments does not start where others can reach it', async () => {
  const databaseUrl = (await createTestDatabase()).url
  const start = (env: Record<string, string>) => startTestServer({ databaseUrl, roles: 'gateway,worker', env: { OPENAI_API_KEY: 'sk-real', ...env } })
  await expect(start({ HOST: '0.0.0.0' })).rejects.toThrow(/OPENAI_API_KEY[\s\S]*HOST=127\.0\.0\.1[\s\S]*ALLOW_SANDBOX=payment/)
  opened.push(await start({ HOST: '0.0.0.0', ALLOW_SANDBOX: 'payment' }))
})
