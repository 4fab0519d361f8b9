import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { numbers } from '#features/numbers/server/index.ts'
import { releaseUnmatchedNumbers } from '#features/numbers/server/rent/unmatched-numbers.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { callPlatform } from '../visitor.ts'
import { persistThroughCrashes } from './persist.ts'

// L6, G3: killed at each point of a number, a mailbox and a registration: each task ends, and no supplier has one without an order.
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
const KEY = randomBytes(32)
const env = { SECRET_KEY: KEY.toString('base64'), STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail,service,number', MAILBOX_DOMAINS: 'box.example' }
const PIN = '271828'
let server: TestServer
let db: Db
let deps: TestApp['deps']

beforeAll(async () => {
  server = await startTestServer({ roles: 'api,worker,sandbox,mail', env, crashes: true })
  db = connect(server.databaseUrl, { max: 4, asOwner: true })
  const secretKey = Buffer.from(hkdfSync('sha256', KEY, createHash('sha256').update('mingxi').digest(), 'installation', 32))
  ;({ deps } = createTestApp({ features: [account, numbers], db, overrides: { secretKey, publicUrl: () => server.baseUrl } }))
  for (const [key, value] of [
    ['services.hours', { from: 0, to: 24 }],
    ['registration.supplier', 'sandbox'],
  ] as const)
    await db.query(`insert into settings (key, value, updated_by) values ($1, $2, 'test')`, [key, JSON.stringify(value)])
})
afterAll(async () => {
  await server?.stop()
  await db?.close()
})

interface Member extends BuiltUser {
  readonly ask: (path: string, input: object, key: string) => Promise<any>
}
/** A user with a card, ten dollars and a payment password. */
async function aMember(): Promise<Member> {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 10_000_000_000n })
  await db.query(
    `insert into cards_cards (id, user_id, type, state, issuer, issuer_state, months, next_check_at, activated, opened_at)
      values ($1, $2, 'standard', 'active', 'sandbox', 'active', 24, null, true, now())`,
    [`card_${createRandomCode(16).toLowerCase()}`, user.userId],
  )
  const headers = { accesstoken: user.token }
  const ask: Member['ask'] = (path, input, key) =>
    persistThroughCrashes(
      server,
      async () => {
        const reply = await callPlatform(server, 'POST', { path, input, headers: { ...headers, 'idempotency-key': `${key}-${user.userId}` } })
        return reply.code === 4003 ? undefined : reply
      },
      { what: path },
    )
  return { ...user, ask }
}
const waitForState = (id: string, states: readonly string[], what: string) =>
  persistThroughCrashes(
    server,
    async () => {
      await db.query(`update services_tasks set next_check_at = now() where id = $1 and next_check_at > now()`, [id])
      const [row] = await db.query<{ state: string }>('select state from services_tasks where id = $1', [id])
      return states.includes(row!.state) ? row!.state : undefined
    },
    { what },
  )
async function killAtPoint(point: string, work: () => Promise<unknown>): Promise<void> {
  const before = server.pid()
  server.crashAt(point)
  await work()
  await persistThroughCrashes(server, async () => (server.pid() === before ? undefined : true), { what: `a death at ${point}` })
}

const rentNumber = async (member: Member): Promise<string> => (await member.ask('/v1/tool/reward/overseaMobile/apply', { type: 1 }, 'apply')).data.id
const number = async (id: string) =>
  (await db.query<{ ref: string; number: string }>(`select supplier_ref as ref, facts->>'number' as number from services_tasks where id = $1`, [id]))[0]!

/** Every number that the sandbox keeps open belongs to a waiting task. */
async function expectMatchingNumbers(): Promise<void> {
  await persistThroughCrashes(
    server,
    async () => {
      await releaseUnmatchedNumbers(deps, 0)
      const [row] = await db.query<{ strange: number }>(
        `select count(*)::int as strange from numbers_sandbox s where s.state = 'open'
        and not exists (select from services_tasks t where t.supplier_ref = s.ref and t.state in ('waiting','received'))`,
      )
      return row!.strange === 0 ? true : undefined
    },
    { what: 'no number without an order' },
  )
}

test.each(['services.before-call', 'services.after-call', 'services.before-commit'])('a number, killed at %s: rented once or not at all', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const member = await aMember()
    let id = ''
    await killAtPoint(point, async () => {
      id = await rentNumber(member)
      await waitForState(id, ['waiting', 'nobody'], 'a number, or none')
    })
    const [row] = await db.query<{ free: string }>('select free from services_tasks where id = $1', [id])
    const state = await waitForState(id, ['waiting', 'nobody'], 'a number, or none')
    expect(row!.free).toBe(state === 'waiting' ? 'taken' : 'back')
    await db.query(`update services_tasks set deadline_at = now() - interval '1 second', next_check_at = now() where id = $1 and state = 'waiting'`, [id])
    await waitForState(id, ['expired', 'nobody'], 'the end of a number')
    await expectMatchingNumbers()
  }
})

test('a number, killed at numbers.message-before-commit: its code is there, once', async () => {
  const member = await aMember()
  const id = await rentNumber(member)
  await waitForState(id, ['waiting'], 'a number')
  const { ref } = await number(id)
  await killAtPoint('numbers.message-before-commit', async () => {
    await fetch(`${server.baseUrl}/sandbox/numbers/send`, {
      method: 'POST',
      body: new URLSearchParams({ ref, text: 'Your code is 739204' }),
      redirect: 'manual',
    })
    await waitForState(id, ['received'], 'a code')
  })
  expect(await db.query('select 1 from numbers_messages where task_id = $1', [id])).toHaveLength(1)
})

test.each(['numbers.before-giving-back', 'numbers.after-giving-back'])('a number, killed at %s: given back once', async (point) => {
  const member = await aMember()
  const id = await rentNumber(member)
  await waitForState(id, ['waiting'], 'a number')
  await killAtPoint(point, async () => {
    await db.query(`update services_tasks set deadline_at = now() - interval '1 second', next_check_at = now() where id = $1`, [id])
    await persistThroughCrashes(
      server,
      async () => {
        await db.query(`update services_tasks set next_check_at = now() where id = $1 and next_check_at > now()`, [id])
        return (await db.query('select 1 from services_tasks where id = $1 and finished_at is not null and not at_supplier', [id])).length ? true : undefined
      },
      { what: 'a number that was given back' },
    )
  })
  await expectMatchingNumbers()
})

test.each(['services.before-call', 'services.after-call', 'services.before-commit'])('a registration, killed at %s: done once, paid once', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const member = await aMember()
    const input = { email: `${member.userId.toLowerCase()}@example.com`, password: 'a horse of batteries', confirm: 'a horse of batteries' }
    const { data } = await member.ask('/reward/openai/apply', input, 'apply')
    await killAtPoint(point, async () => {
      expect((await member.ask('/v1/pay/balancePay', { orderType: 6, service: data.row.id, payPassword: PIN }, 'pay')).code).toBe(200)
      await waitForState(data.row.id, ['success'], 'a registered account')
    })
    const { posted, held } = await readBalance(db, member.userId)
    expect([formatUsd(posted), held]).toEqual(['9.51', 0n])
  }
  const [books] = await db.query<{ theirs: number; ours: number; open: number }>(
    `select (select count(*) from registration_sandbox where state = 'done')::int as theirs,
      (select count(*) from services_tasks where service = 'openai' and state = 'success')::int as ours,
      (select count(*) from registration_sandbox where state = 'working')::int as open`,
  )
  expect(books).toMatchObject({ theirs: books!.ours, open: 0 })
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('a mailbox, killed while it is made and while a mail comes: one mailbox, one mail', async () => {
  const member = await aMember()
  const name = `k${createRandomCode(8).toLowerCase()}`
  let id = ''
  await killAtPoint('services.before-commit', async () => {
    const { data } = await member.ask('/reward/email/apply', { username: name }, 'box')
    id = data.box.id
    await waitForState(id, ['fresh'], 'a mailbox')
  })
  expect(await db.query(`select 1 from services_tasks where user_id = $1 and service = 'email'`, [member.userId])).toHaveLength(1)
  for (const point of ['mailbox.before-commit', 'mailbox.after-commit']) {
    await killAtPoint(point, () =>
      persistThroughCrashes(
        server,
        async () => {
          const [at] = await db.query<{ port: number }>('select port from mailbox_receivers order by seen_at desc limit 1')
          const transport = createTransport({ host: '127.0.0.1', port: at!.port, secure: false, tls: { rejectUnauthorized: false } })
          try {
            await transport.sendMail({
              from: 'a@sender.example',
              to: `${name}@box.example`,
              subject: point,
              text: 'code 739204',
              messageId: `<${point}@sender.example>`,
              date: new Date(0),
            })
          } finally {
            transport.close()
          }
          return true
        },
        { what: 'a mail that is taken' },
      ),
    )
  }
  const mails = await db.query('select 1 from mailbox_messages m join mailbox_boxes b using (task_id) where b.address = $1', [`${name}@box.example`])
  expect(mails).toHaveLength(2)
})
