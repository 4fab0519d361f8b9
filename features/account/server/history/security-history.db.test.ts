import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser } from '../builders.ts'
import { listHistoryActions } from './security-history.ts'
import { account } from '../index.ts'

const db = await useTestDb()
const before = createTestApp({ features: [account, notices, risk], db })
const { call, callAs } = before
beforeAll(() => chooseCaptcha(before.deps, 'off'))
const history = async (token: string, input: object = {}, app = before) => (await app.callAs(token)('GET', '/user/securityHistory', input)).data
const events = (page: { rowList: { event: string }[] }) => page.rowList.map((row) => row.event)
const login = (email: string, password: string, ip: string) =>
  call('POST', '/user/passwordLogin', { email, password }, { ip, headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0' } })

test('the history lists the user’s own sign-ins, failures and changes alone, newest first, with network and device', async () => {
  const [user, other] = [await aUser(before.deps), await aUser(before.deps)]
  await login(user.email, 'not it', '203.0.113.77')
  await login(other.email, 'not it', '203.0.113.78')
  const { data } = await login(user.email, user.password, '2001:db8:1:2::3')
  await callAs(data.token)('POST', '/user/session/endOthers')
  await callAs(data.token)('POST', '/user/export')
  const page = await history(data.token)
  expect(events(page)).toEqual(['exported', 'sessionsEnded', 'login', 'loginFailed', 'registered'])
  expect(page.rowList[3]).toMatchObject({ network: '203.0.113.*', userAgent: expect.stringContaining('Windows'), byUser: true })
  expect(page.rowList[2]).toMatchObject({ way: 'password', network: '2001:db8:1:*' })
  expect(page.rowList[1].detail).toBe('1')
  expect(JSON.stringify(page)).not.toContain('203.0.113.77')
  expect(events(await history(other.token))).toEqual(['loginFailed', 'registered'])
  expect(events(await history(data.token, { group: 'signIn' }))).toEqual(['sessionsEnded', 'login', 'loginFailed', 'registered'])
  expect(events(await history(data.token, { group: 'access' }))).toEqual(['exported'])
})

test('failures at an address before the user registered it are not in the user’s history', async () => {
  const email = 'passed-on@example.com'
  await login(email, 'of its owner before', '203.0.113.1')
  const user = await aUser(before.deps, { email })
  expect(events(await history(user.token))).toEqual(['registered'])
})

test('failures are found under each key of the installation', async () => {
  const user = await aUser(before.deps)
  await login(user.email, 'not it', '203.0.113.2')
  const secretKey = Buffer.alloc(32, 'another key')
  const between = createTestApp({ features: [account, notices, risk], db, overrides: { secretKey, secretKeys: [secretKey, before.deps.secretKey] } })
  expect(events(await history(user.token, {}, between))).toEqual(['loginFailed', 'registered'])
})

test('pages by keyset: each row once, whatever comes meanwhile', async () => {
  const user = await aUser(before.deps)
  const write = (n: number) => transact(db, SYSTEM, async (tx) => void (await tx.audit('account.step-up', `user:${user.userId}`, { by: 'code', n })))
  for (let n = 0; n < 45; n++) await write(n)
  const seen: string[] = []
  for (let after: string | undefined; ;) {
    const page = await history(user.token, { pageSize: 20, ...(after ? { after } : {}) })
    seen.push(...page.rowList.map((row: { id: string }) => row.id))
    await write(99)
    if (!page.next) break
    after = page.next
  }
  expect([seen.length, new Set(seen).size]).toEqual([46, 46])
  expect((await call('GET', '/user/securityHistory', { after: "1' or 1=1" }, { token: user.token })).status).toBe(400)
})

test('an operator’s actions are marked as not by the user, without reasons; actions unrelated to security are left out', async () => {
  const user = await aUser(before.deps)
  await transact(db, { kind: 'operator', id: 'op-1' }, async (tx) => {
    await tx.audit('account.frozen', `user:${user.userId}`, { reason: 'a secret reason' })
    await tx.audit('account.mail-choices-changed', `user:${user.userId}`, {})
    await tx.audit('key.deleted', 'key:key_x', { keyName: "op's" })
  })
  const page = await history(user.token)
  expect(page.rowList.map((row: any) => [row.event, row.byUser, row.detail])).toEqual([
    ['frozen', false, null],
    ['registered', true, null],
  ])
  expect(JSON.stringify(page)).not.toContain('secret reason')
})

/** Actions about a user that the history leaves out: housekeeping, or covered by another row. */
const LEFT_OUT = [
  'account.authenticator-started',
  'account.closed',
  'account.code-asked',
  'account.code-burnt',
  'account.invoice-details-changed',
  'account.mail-choices-changed',
  'account.mobile-change-begun',
  'account.profile-changed',
  'account.unproven-email-released',
]

test('every action that the account writes is in the history or left out by name', () => {
  const folder = join(import.meta.dirname, '..')
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .filter((source) => source.includes('audit('))
    .join('\n')
    // names of operators’ commands are not actions
    .replace(/name: 'account\.[a-z-]+'/g, '')
  const written = new Set(
    [...text.matchAll(/'(account\.[a-z]+(?:-[a-z]+)*)'/g)]
      .map((match) => match[1]!)
      .filter((word) => !/^account\.(?:cleanup|code|place|pay-password|export|totp|factor)$/.test(word)),
  )
  expect([...written].filter((action) => !listHistoryActions('all').ofUser.includes(action) && !LEFT_OUT.includes(action))).toEqual([])
})
