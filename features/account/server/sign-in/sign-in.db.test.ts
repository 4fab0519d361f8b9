import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser, readMailedCode, signInBuiltUser } from '../builders.ts'
import { account, accountJobs } from '../index.ts'

const db = await useTestDb()
const clock = createTestClock()
const { call, callAs, deps, settle } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const DAY = 86_400_000
const PASSWORD = 'correct horse battery'

async function code(email: string, verifyCodeType: string): Promise<string> {
  clock.advance(60_000)
  expect((await call('POST', '/user/email/verifyCode', { email, verifyCodeType })).code).toBe(200)
  await settle()
  return readMailedCode(deps, email)
}
const audits = async (userId: string) =>
  (await db.query<{ action: string }>(`select action from audit_rows where target = $1 order by id`, [`user:${userId}`])).map((row) => row.action)

test('register, sign out, sign in by password and by code', async () => {
  const email = 'Wang.Wei@Example.CN'
  const registered = await call('POST', '/user/register', { email, password: PASSWORD, verifyCode: await code(email, 'register'), inviteCode: 'friend-1' })
  expect(registered).toMatchObject({
    code: 200,
    data: { token: expect.stringMatching(/^[\w-]{43}$/), loginUser: { email, emailVerifyStatus: 1, mobile: null } },
  })
  const me = callAs(registered.data.token)
  const info = await me('GET', '/user/info')
  expect(info.data).toEqual({
    balance: '0',
    cardNo: null,
    id: expect.stringMatching(/^usr_/),
    email,
    emailVerifyStatus: 1,
    mobile: null,
    isHkUser: false,
    google: false,
    password: true,
    existPayPassword: false,
    name: '',
    firstName: '',
    lastName: '',
    language: 'zh',
    theme: null,
    hmac: expect.stringMatching(/^[0-9a-f]{64}$/),
    createdAt: expect.any(String),
  })
  expect(await db.query('select payload from outbox where event = $1', ['user.registered'])).toEqual([
    { payload: { userId: info.data.id, inviteCode: 'friend-1' } },
  ])

  expect((await me('POST', '/user/logout')).code).toBe(200)
  expect(await me('GET', '/user/info')).toMatchObject({ status: 401, code: 401 })
  expect(await me('POST', '/user/logout')).toMatchObject({ status: 401 })

  const byPassword = await call('POST', '/user/passwordLogin', { email: ' wang.wei@example.cn ', password: `${PASSWORD} ` })
  expect(byPassword.data).toEqual({ token: expect.any(String), loginUser: { email, emailVerifyStatus: 1, mobile: null } })
  const byCode = await call('POST', '/user/login', { email, verifyCode: await code(email, 'login') })
  expect(byCode.data.loginUser).toEqual({ email, emailVerifyStatus: 1, mobile: null })
  expect(await audits(info.data.id)).toEqual(['account.registered', 'account.logout', 'account.login', 'account.login'])
})

test('validateLogin says whether a token is good, without ending anything', async () => {
  const user = await aUser(deps)
  expect((await call('GET', '/user/validate/login', {}, { token: user.token })).data).toEqual({ valid: true })
  for (const token of [undefined, 'x', user.token.slice(1), `${user.token}x`, 'A'.repeat(43)]) {
    expect((await call('GET', '/user/validate/login', {}, { token })).data).toEqual({ valid: false })
  }
})

test('only a caller with a code of the mailbox learns that the e-mail is taken', async () => {
  const email = 'late@example.com'
  const early = await code(email, 'register')
  const first = await aUser(deps, { email: 'other@example.com' })
  await db.query(`update account_identities set subject = $1, display = $1 where user_id = $2`, [email, first.userId])
  expect(await call('POST', '/user/register', { email, password: PASSWORD, verifyCode: '000000' })).toMatchObject({ status: 200, code: 1009 })
  expect(await call('POST', '/user/register', { email, password: PASSWORD, verifyCode: early })).toMatchObject({ status: 200, code: 1011 })
  expect(await db.query('select 1 from account_users u where not exists (select 1 from account_identities i where i.user_id = u.id)')).toEqual([])
})

test('of parallel registrations with one code one succeeds', async () => {
  const email = 'race@example.com'
  const verifyCode = await code(email, 'register')
  const replies = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/user/register', { email, password: PASSWORD, verifyCode })))
  expect(replies.map((reply) => reply.code).sort((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(1009)])
})

test('a reset ends the other sessions, kills the old password and tells the owner', async () => {
  const user = await aUser(deps)
  const elsewhere = await signInBuiltUser(deps, user)
  const verifyCode = await code(user.email, 'updatePassword')
  expect((await callAs(user.token)('POST', '/user/forgotPassword', { email: user.email, password: 'another fine horse', verifyCode })).code).toBe(200)
  expect((await callAs(user.token)('GET', '/user/info')).code).toBe(200)
  expect((await callAs(elsewhere.token)('GET', '/user/info')).status).toBe(401)
  expect((await call('POST', '/user/passwordLogin', user)).code).toBe(1010)
  expect((await call('POST', '/user/passwordLogin', { email: user.email, password: 'another fine horse' })).code).toBe(200)
  await settle()
  expect((await listSandboxMails(db, user.email))[0]!.subject).toBe('【明细】你的密码已修改')
  const anonymous = await code(user.email, 'updatePassword')
  await call('POST', '/user/forgotPassword', { email: user.email, password: 'a third fine horse', verifyCode: anonymous })
  expect((await callAs(user.token)('GET', '/user/info')).status).toBe(401)
})

test('a session ended from another one answers with that reason; a session that was logged out does not', async () => {
  const user = await aUser(deps)
  const [one, two, three, four] = [
    await signInBuiltUser(deps, user),
    await signInBuiltUser(deps, user),
    await signInBuiltUser(deps, user),
    await signInBuiltUser(deps, user),
  ]
  const told = { status: 401, code: 1005, data: { reason: 'elsewhere' } }
  await callAs(one.token)('POST', '/user/session/end', { sessionId: two.sessionId })
  expect(await callAs(two.token)('GET', '/user/info')).toMatchObject(told)
  await callAs(three.token)('POST', '/user/logout')
  expect(await callAs(three.token)('GET', '/user/info')).toMatchObject({ status: 401, code: 401, data: null })
  await callAs(one.token)('POST', '/user/session/endOthers')
  for (const { token } of [user, four]) expect(await callAs(token)('GET', '/user/info')).toMatchObject(told)
  const { data } = await callAs(one.token)('POST', '/user/passwordLogin', user)
  expect(await callAs(one.token)('GET', '/user/info')).toMatchObject(told)
  expect((await callAs(data.token)('GET', '/user/info')).code).toBe(200)
  // public calls still work, and an unknown token gets no reason
  expect((await callAs(two.token)('POST', '/user/passwordLogin', user)).code).toBe(200)
  expect(await callAs('A'.repeat(43))('GET', '/user/info')).toMatchObject({ status: 401, code: 401, data: null })
  clock.advance(10 * DAY)
  await accountJobs[0]!.handle(deps, undefined as never)
  expect(await db.query('select 1 from account_ended_sessions')).toEqual([])
})

test('sessions are listed with where and when, and ended one by one', async () => {
  const user = await aUser(deps)
  clock.advance(1000)
  const phone = (await call('POST', '/user/passwordLogin', user, { ip: '203.0.113.9', headers: { 'user-agent': 'Phone/1' } })).data.token as string
  const me = callAs(phone)
  const { sessions } = (await me('GET', '/user/sessions')).data
  expect(sessions).toHaveLength(2)
  expect(sessions[0]).toMatchObject({ current: true, ip: '203.0.113.9', userAgent: 'Phone/1', lastSeenAt: clock.now().toISOString() })
  expect(JSON.stringify(sessions)).not.toContain(phone)
  const stranger = await aUser(deps)
  expect(await callAs(stranger.token)('POST', '/user/session/end', { sessionId: sessions[1].id })).toMatchObject({ status: 404, code: 404 })
  expect((await me('POST', '/user/session/end', { sessionId: sessions[1].id })).code).toBe(200)
  expect((await callAs(user.token)('GET', '/user/info')).status).toBe(401)
  expect((await me('POST', '/user/session/end', { sessionId: sessions[1].id })).code).toBe(404)
})

test('a session lives seven days after its last use, which is written at most once a minute', async () => {
  const user = await aUser(deps)
  const seen = async () => (await db.query<{ lastSeenAt: Date }>('select last_seen_at from account_sessions where id = $1', [user.sessionId]))[0]!.lastSeenAt
  const opened = await seen()
  clock.advance(59_000)
  await callAs(user.token)('GET', '/user/info')
  expect(await seen()).toEqual(opened)
  clock.advance(1000)
  await callAs(user.token)('GET', '/user/info')
  expect(await seen()).toEqual(clock.now())
  clock.advance(7 * DAY - 1000)
  expect((await callAs(user.token)('GET', '/user/info')).code).toBe(200)
  clock.advance(7 * DAY)
  expect((await callAs(user.token)('GET', '/user/info')).status).toBe(401)
})

test('every login has a new token, and the token it came with is dead', async () => {
  const user = await aUser(deps)
  const next = await callAs(user.token)('POST', '/user/passwordLogin', user)
  expect(next.data.token).not.toBe(user.token)
  expect((await callAs(user.token)('GET', '/user/info')).status).toBe(401)
  const chosen = 'B'.repeat(43)
  const fixed = await callAs(chosen)('POST', '/user/passwordLogin', user)
  expect(fixed.data.token).not.toBe(chosen)
  expect((await callAs(chosen)('GET', '/user/info')).status).toBe(401)
})

test('a frozen user is signed out at once and learns of the freeze only with the right password or code', async () => {
  const user = await aUser(deps)
  await db.query(`update account_users set status = 'frozen', frozen_at = now(), frozen_reason = 'test', frozen_by = 'test' where id = $1`, [user.userId])
  expect((await callAs(user.token)('GET', '/user/info')).status).toBe(401)
  expect((await call('POST', '/user/passwordLogin', user)).code).toBe(1015)
  expect((await call('POST', '/user/passwordLogin', { ...user, password: 'wrong horse' })).code).toBe(1010)
  expect((await call('POST', '/user/login', { email: user.email, verifyCode: await code(user.email, 'login') })).code).toBe(1015)
})

test('no token, code or password is anywhere in the database', async () => {
  const user = await aUser(deps)
  await call('POST', '/user/email/verifyCode', { email: user.email, verifyCodeType: 'login' })
  await call('POST', '/user/passwordLogin', { email: user.email, password: 'a wrong one 4471' })
  await settle()
  const secret = await readMailedCode(deps, user.email)
  const tables = await db.owner.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'notices_sandbox_mails'`,
  )
  for (const { name } of tables) {
    const dump = (await db.owner.query<{ line: string }>(`select t::text as line from ${name} t`)).map((row) => row.line).join('\n')
    for (const text of [user.token, user.password, 'a wrong one 4471', Buffer.from(user.token).toString('hex')])
      expect(dump.includes(text), `${name}: ${text}`).toBe(false)
    // the same digits may occur in a hash or in fractions of a second
    expect(new RegExp(`(?<![\\w.])${secret}\\b`).test(dump), `${name}: the code`).toBe(false)
  }
})

test('expired rows are forgotten, living ones stay', async () => {
  const user = await aUser(deps)
  clock.advance(9 * DAY)
  const fresh = await aUser(deps)
  for (const job of account.jobs!) await job.handle(deps, {})
  expect(await db.query('select 1 from account_sessions where id = $1', [user.sessionId])).toEqual([])
  expect(await db.query('select 1 from account_sessions where id = $1', [fresh.sessionId])).toHaveLength(1)
  expect(await db.query('select 1 from account_codes where target = $1', [user.email])).toEqual([])
  expect((await callAs(fresh.token)('GET', '/user/info')).code).toBe(200)
})

test('a login by the old password while it is changed gets no session', async () => {
  const { email, userId } = await aUser(deps, { password: PASSWORD })
  const client = await db.owner.pool.connect()
  await client.query('begin')
  await client.query(`update account_users set password_hash = password_hash || 'x' where id = $1`, [userId])
  let answer: Awaited<ReturnType<typeof call>> | undefined
  const login = call('POST', '/user/passwordLogin', { email, password: PASSWORD }).then((one) => (answer = one))
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitForValue(async () => (answer || (await db.owner.query(waits)).length > 0 ? true : undefined), 'the login to come to the lock')
  await client.query('commit')
  client.release()
  await login
  expect(answer).toMatchObject({ code: (await call('POST', '/user/passwordLogin', { email, password: 'another horse altogether' })).code, data: null })
  expect(await db.query('select id from account_sessions where user_id = $1', [userId])).toHaveLength(1)
})
