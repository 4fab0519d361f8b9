import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { systemClock } from '#platform/server/clock.ts'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { listSandboxMails, listSandboxSms, sendMail, sendSms } from '#features/notices/server/door.ts'
import { isProcessAlive } from './persist.ts'

// The worker is killed between the carrier's acceptance and our record of it: the recipient gets one message (money.md L6).
const KEY = randomBytes(32)
const env = { SECRET_KEY: KEY.toString('base64'), STAGE: 'qa', ALLOW_SANDBOX: 'mail,sms,models,payment' }
let server: TestServer
let db: Db

beforeAll(async () => {
  server = await startTestServer({ roles: 'worker,sandbox', env, crashes: true })
  db = connect(server.databaseUrl, { max: 2 })
})
afterAll(async () => {
  await db?.close()
  await server?.stop()
})

const texts = mapLangs(() => ({ subject: 'Code {code}', body: '{code}' }))
const orders = {
  sms: {
    table: 'notices_sms',
    to: '+8613800001234',
    place: (deps: any, tx: any) => sendSms(deps, tx, { to: '+8613800001234', template: 'code', lang: 'zh', code: '731904', purpose: 'login' }),
    seen: () => listSandboxSms(db, '+8613800001234'),
  },
  mail: {
    table: 'notices_mails',
    to: 'reader@example.com',
    place: (deps: any, tx: any) =>
      sendMail(deps, tx, {
        to: 'reader@example.com',
        template: { name: 't', texts, subject: 'subject', body: 'body' },
        values: { code: '731904' },
        lang: 'zh',
        dedupe: 'crash-test',
      }),
    seen: () => listSandboxMails(db, 'reader@example.com'),
  },
} as const

test.each(['sms', 'mail'] as const)('%s', async (kind) => {
  const { table, to, place, seen } = orders[kind]
  server.crashAt(`notices.${kind}-taken`)
  const killed = server.pid()
  // Ordered by another process, whose job is lost: the worker finds the row by itself.
  const deps = {
    jobs: { send: async () => {} },
    config: readConfig(platformConfig, env),
    log: createLog('silent'),
    clock: { now: () => new Date(systemClock.now().getTime() - 61_000) },
    secretKey: Buffer.from(hkdfSync('sha256', KEY, createHash('sha256').update('mingxi').digest(), 'installation', 32)),
  }
  await transact(db, SYSTEM, (tx) => place(deps, tx))
  await expect.poll(() => isProcessAlive(killed)).toBe(false)
  expect(await seen()).toHaveLength(1)
  expect((await db.query(`select state from ${table} where recipient = $1`, [to]))[0]).toEqual({ state: 'waiting' })

  await server.restart()
  await db.query(`update ${table} set claimed_until = now() where recipient = $1`, [to]) // expires the lease
  const state = async () => (await db.query<{ state: string }>(`select state from ${table} where recipient = $1`, [to]))[0]!.state
  await expect.poll(state).toBe('sent')
  expect(await seen()).toHaveLength(1)
})
