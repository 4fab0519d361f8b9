import { beforeEach, expect, test } from 'vitest'
import { newId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { testApp } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser } from '../builders.ts'
import type { BuiltUser } from '../builders.ts'
import { userNamed } from './data.ts'
import { account } from '../index.ts'
import { freezeAccount, thawAccount } from './freeze-account.ts'

const db = await useTestDb()
const { call, deps } = testApp({ features: [account, notices, risk], db })
const OPERATOR = { kind: 'operator', id: 'op-1' } as const
const FROZEN = 1015

await chooseCaptcha(deps, 'off')

let user: BuiltUser
beforeEach(async () => {
  user = await aUser(deps)
})
const me = (token = user.token) => call('GET', '/user/info', {}, { token })
const signIn = (lang: 'zh' | 'en' = 'zh', password = user.password) => call('POST', '/user/passwordLogin', { email: user.email, password }, { lang })

test('freezing ends the sessions, refuses every way in with the address of customer service, and is written down', async () => {
  expect((await me()).code).toBe(200)
  await freezeAccount(deps, OPERATOR, user.userId, 'stolen cards')
  expect((await me()).status).toBe(401)
  const zh = await signIn()
  expect([zh.code, zh.msg]).toEqual([FROZEN, `账户已冻结，请联系客服：${deps.config.SUPPORT_EMAIL}`])
  expect((await signIn('en')).msg).toBe(`This account is frozen. Contact support at ${deps.config.SUPPORT_EMAIL}`)
  // Who cannot prove to be the owner learns nothing.
  expect((await signIn('zh', 'a wrong password')).code).not.toBe(FROZEN)
  expect(await db.query('select status, frozen_reason, frozen_by from account_users where id = $1', [user.userId])).toEqual([
    { status: 'frozen', frozen_reason: 'stolen cards', frozen_by: 'operator:op-1' },
  ])
  expect(await db.query(`select event from outbox where payload ->> 'userId' = $1 and event like 'account.%'`, [user.userId])).toEqual([
    { event: 'account.frozen' },
  ])
  expect(
    await db.query(`select actor_id, data ->> 'reason' as reason from audit_rows where action = 'account.frozen' and target = $1`, [`user:${user.userId}`]),
  ).toEqual([{ actor_id: 'op-1', reason: 'stolen cards' }])
  await expect(freezeAccount(deps, OPERATOR, user.userId, 'again')).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
})

test('thawing lets the owner sign in; sessions of before stay ended', async () => {
  await freezeAccount(deps, OPERATOR, user.userId, 'a mistake')
  await thawAccount(deps, OPERATOR, user.userId, 'looked at')
  expect((await me()).status).toBe(401)
  const { code, data } = await signIn()
  expect(code).toBe(200)
  expect((await me(data.token)).code).toBe(200)
  await expect(thawAccount(deps, OPERATOR, user.userId, 'again')).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
  await expect(freezeAccount(deps, OPERATOR, newId('usr'), 'nobody')).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
})

test('an operator names a user by mail, mobile or id', async () => {
  const mobile = await aUser(deps, { mobile: '13800138123' })
  expect(await userNamed(db, { kind: 'email', subject: user.email })).toBe(user.userId)
  expect(await userNamed(db, { kind: 'mobile', subject: '+8613800138123' })).toBe(mobile.userId)
  expect(await userNamed(db, { id: user.userId })).toBe(user.userId)
  expect(await userNamed(db, { id: 'usr_nobody' })).toBeUndefined()
})
