import { beforeEach, expect, test, vi } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser } from '../builders.ts'
import type { BuiltUser } from '../builders.ts'
import { selectCallFreezes, selectFreezes, lockActive, arePayoutsFrozen, selectUserId } from './data.ts'
import { account } from '../index.ts'
import { freezeAccount, thawAccount } from './freeze-account.ts'
import { requirePayouts } from './money-out.ts'

const db = await useTestDb()
const { call, deps } = createTestApp({ features: [account, notices, risk], db })
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
  await freezeAccount(deps, OPERATOR, { userId: user.userId, reason: 'stolen cards' })
  expect((await me()).status).toBe(401)
  const zh = await signIn()
  expect([zh.code, zh.msg]).toEqual([FROZEN, `账户已冻结，请联系客服：${deps.config.SUPPORT_EMAIL}`])
  expect((await signIn('en')).msg).toBe(`This account is frozen. Contact support at ${deps.config.SUPPORT_EMAIL}`)
  // A caller without the password learns nothing.
  expect((await signIn('zh', 'a wrong password')).code).not.toBe(FROZEN)
  expect(await db.query('select status, frozen_reason, frozen_by from account_users where id = $1', [user.userId])).toEqual([
    { status: 'frozen', frozenReason: 'stolen cards', frozenBy: 'operator:op-1' },
  ])
  expect(await db.query(`select event from outbox where payload ->> 'userId' = $1 and event like 'account.%'`, [user.userId])).toEqual([
    { event: 'account.frozen' },
  ])
  expect(
    await db.query(`select actor_id, data ->> 'reason' as reason from audit_rows where action = 'account.frozen' and target = $1`, [`user:${user.userId}`]),
  ).toEqual([{ actorId: 'op-1', reason: 'stolen cards' }])
  await expect(freezeAccount(deps, OPERATOR, { userId: user.userId, reason: 'again' })).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
})

test('thawing lets the owner sign in; sessions of before stay ended', async () => {
  await freezeAccount(deps, OPERATOR, { userId: user.userId, reason: 'a mistake' })
  await thawAccount(deps, OPERATOR, { userId: user.userId, reason: 'looked at' })
  expect((await me()).status).toBe(401)
  const { code, data } = await signIn()
  expect(code).toBe(200)
  expect((await me(data.token)).code).toBe(200)
  await expect(thawAccount(deps, OPERATOR, { userId: user.userId, reason: 'again' })).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
  await expect(freezeAccount(deps, OPERATOR, { userId: createId('usr'), reason: 'no such user' })).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
})

test('parts are frozen alone or together, beside the whole; each ends by itself, and open sessions stay', async () => {
  const parts = async () => (await selectFreezes(db, user.userId)).map(({ scope, reason }) => `${scope}: ${reason}`).sort()
  await freezeAccount(deps, OPERATOR, { userId: user.userId, reason: 'payee is asked about', scopes: ['money_out'] })
  expect([(await me()).code, (await signIn()).code, await parts()]).toEqual([200, 200, ['money_out: payee is asked about']])
  expect([await lockActive(db, user.userId), await arePayoutsFrozen(db, user.userId), [...(await selectCallFreezes(db, [user.userId]))]]).toEqual([
    true,
    true,
    [],
  ])
  await expect(requirePayouts(db, user.userId)).rejects.toMatchObject({ errorName: 'MONEY_OUT_FROZEN' })
  // parts that are already frozen keep their reason
  await freezeAccount(deps, OPERATOR, { userId: user.userId, reason: 'a shared key', scopes: ['money_out', 'calls'] })
  expect(await parts()).toEqual(['calls: a shared key', 'money_out: payee is asked about'])
  await expect(freezeAccount(deps, OPERATOR, { userId: user.userId, reason: 'again', scopes: ['calls'] })).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
  expect([...(await selectCallFreezes(db, [user.userId]))]).toEqual([[user.userId, 'calls']])
  await freezeAccount(deps, OPERATOR, { userId: user.userId, reason: 'all of it' })
  expect([...(await selectCallFreezes(db, [user.userId]))]).toEqual([[user.userId, 'account']])
  await thawAccount(deps, OPERATOR, { userId: user.userId, reason: 'looked at', scopes: ['all'] })
  await thawAccount(deps, OPERATOR, { userId: user.userId, reason: 'looked at', scopes: ['money_out'] })
  expect([await parts(), await arePayoutsFrozen(db, user.userId)]).toEqual([['calls: a shared key'], false])
  await freezeAccount(deps, OPERATOR, { userId: user.userId, reason: 'once more' })
  await thawAccount(deps, OPERATOR, { userId: user.userId, reason: 'all that there is' })
  expect([await parts(), (await signIn()).code]).toEqual([[], 200])
  const written = await db.query<{ action: string }>(`select action from audit_rows where target = $1 and action ~ 'frozen|thawed' order by id`, [
    `user:${user.userId}`,
  ])
  expect(written.map(({ action }) => action.replace('account.', '')).join(' ')).toBe(
    'payouts-frozen calls-frozen frozen thawed payouts-thawed frozen calls-thawed thawed',
  )
})

test('a payout that has begun is waited for by the freeze, and none begins after it', async () => {
  const paying = await db.pool.connect()
  await paying.query('begin')
  await paying.query('select status from account_users where id = $1 for share', [user.userId])
  const freezing = freezeAccount(deps, OPERATOR, { userId: user.userId, reason: 'asked about', scopes: ['money_out'] })
  await vi.waitFor(
    async () => expect(await db.owner.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%no key update%'`)).toHaveLength(1),
    {
      timeout: PATIENCE_MS,
    },
  )
  expect(await arePayoutsFrozen(db, user.userId)).toBe(false)
  await paying.query('commit')
  paying.release()
  await freezing
  expect(await arePayoutsFrozen(db, user.userId)).toBe(true)
})

test('an operator names a user by mail, mobile or id', async () => {
  const mobile = await aUser(deps, { mobile: '13800138123' })
  expect(await selectUserId(db, { kind: 'email', subject: user.email })).toBe(user.userId)
  expect(await selectUserId(db, { kind: 'mobile', subject: '+8613800138123' })).toBe(mobile.userId)
  expect(await selectUserId(db, { id: user.userId })).toBe(user.userId)
  expect(await selectUserId(db, { id: 'usr_nobody' })).toBeUndefined()
})
