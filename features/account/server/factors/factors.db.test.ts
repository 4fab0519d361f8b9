import { beforeAll, beforeEach, expect, test } from 'vitest'
import { generateTotp } from '#platform/server/proof/one-time.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { createSoftPasskey } from '#platform/testing/soft-passkey.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { createReadOnlyDb } from '#platform/server/database/read-only.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { aUser } from '../builders.ts'
import type { BuiltUser } from '../builders.ts'
import { account } from '../index.ts'
import { endViews } from '../sessions/data.ts'
import { openView } from '../sessions/list-sessions.ts'

const db = await useTestDb()
const clock = createRunningClock()
const { call, deps } = createTestApp({ features: [account, notices, risk], db, clock })
const ORIGIN = 'http://localhost:3000'
const PASSWORD = 'a horse of correct battery'

let user: BuiltUser
let token: string
beforeAll(() => chooseCaptcha(deps, 'off'))
beforeEach(async () => {
  user = await aUser(deps, { password: PASSWORD })
  token = user.token
})
const post = (path: string, input: object = {}, by = token) => call('POST', path, input, { token: by })
const get = (path: string, by = token) => call('GET', path, {}, { token: by })
async function prove(input: object) {
  const answer = await post('/user/secondaryVerify', input)
  if (answer.code === 200) token = answer.data.token
  return answer.code
}
async function authenticator() {
  const { secret } = (await post('/user/authenticator/start')).data
  const { recoveryCodes } = (await post('/user/authenticator/confirm', { code: generateTotp(secret, clock.now()) })).data
  return { secret, recoveryCodes }
}
/** Advances past the ten-minute validity of a proof and the time step of a code. */
const later = () => clock.advance(11 * 60_000)

test('an authenticator is confirmed by its first code; then each code proves once, and the password no longer does', async () => {
  const { secret } = (await post('/user/authenticator/start')).data
  expect((await post('/user/authenticator/confirm', { code: '000000' })).code).toBe(1009)
  expect((await get('/user/factors')).data.authenticatorSince).toBeNull()
  const { recoveryCodes } = (await post('/user/authenticator/confirm', { code: generateTotp(secret, clock.now()) })).data
  expect(recoveryCodes).toHaveLength(10)
  expect((await get('/user/factors')).data).toMatchObject({ recoveryLeft: 10, authenticatorSince: expect.any(String) })
  expect((await post('/user/authenticator/start')).code).toBe(1037)

  later()
  expect((await post('/user/authenticator/remove')).code).toBe(1020)
  expect(await prove({ password: PASSWORD })).toBe(1036)
  expect(await prove({ factorCode: '123456' })).toBe(1009)
  const code = generateTotp(secret, clock.now())
  expect(await prove({ factorCode: code })).toBe(200)
  later()
  expect(await prove({ factorCode: code })).toBe(1009)
  expect(await prove({ factorCode: recoveryCodes[3].toLowerCase() })).toBe(200)
  expect(await prove({ factorCode: recoveryCodes[3] })).toBe(1009)
  expect((await get('/user/factors')).data.recoveryLeft).toBe(9)
  expect((await post('/user/recovery/renew')).data.recoveryCodes).toHaveLength(10)
  expect((await post('/user/authenticator/remove')).code).toBe(200)
  expect((await get('/user/factors')).data).toEqual({ authenticatorSince: null, recoveryLeft: 0, passkeys: [] })
  expect((await get('/user/securityHistory')).data.rowList.map((row: { event: string }) => row.event)).toEqual(
    expect.arrayContaining(['authenticatorAdded', 'authenticatorRemoved', 'recoveryRenewed', 'stepUp']),
  )
})

test('a sign-in by password does not prove the factor', async () => {
  const { secret } = await authenticator()
  const signedIn = await call('POST', '/user/passwordLogin', { email: user.email, password: PASSWORD })
  token = signedIn.data.token
  expect((await post('/user/recovery/renew')).code).toBe(1020)
  clock.advance(31_000)
  expect(await prove({ factorCode: generateTotp(secret, clock.now()) })).toBe(200)
  expect((await post('/user/recovery/renew')).code).toBe(200)
})

test('a passkey of this site proves its own user, each challenge once; another user can neither remove nor use it', async () => {
  const key = createSoftPasskey(ORIGIN)
  const asked = (await post('/user/passkey/options')).data
  const made = key.register(asked.options.challenge)
  expect(
    (await post('/user/passkey/add', { id: asked.id, name: '手机', credential: createSoftPasskey('https://evil.example').register(asked.options.challenge) }))
      .code,
  ).toBe(1009)
  expect((await post('/user/passkey/add', { id: asked.id, name: '手机', credential: made })).code).toBe(1009)
  const again = (await post('/user/passkey/options')).data
  expect((await post('/user/passkey/add', { id: again.id, name: '手机', credential: key.register(again.options.challenge) })).data.recoveryCodes).toHaveLength(
    10,
  )

  later()
  const challenge = (await post('/user/secondaryVerify/passkey')).data
  const signed = key.sign(challenge.options.challenge)
  const stranger = await aUser(deps)
  expect((await post('/user/secondaryVerify', { passkey: { id: challenge.id, credential: signed } }, stranger.token)).code).toBe(1009)
  expect(await prove({ passkey: { id: challenge.id, credential: signed } })).toBe(200)
  expect(await prove({ passkey: { id: challenge.id, credential: signed } })).toBe(1009)
  const { passkeys } = (await get('/user/factors')).data
  expect(passkeys).toMatchObject([{ name: '手机', lastUsedAt: expect.any(String) }])
  expect((await post('/user/passkey/remove', { passkeyId: passkeys[0].id }, stranger.token)).status).toBe(404)
  expect((await post('/user/passkey/remove', { passkeyId: passkeys[0].id })).code).toBe(200)
})

test('an operator’s view is read-only, appears in the customer’s history, and ends after 15 minutes or with the operator', async () => {
  const view = (operatorId = 'opr_x') =>
    transact(db, { kind: 'operator', id: operatorId }, (tx) => openView(deps, tx, { userId: user.userId, operatorId, reason: 'a reason of some length' }))
  const { token: seen } = await view()
  expect((await get('/user/info', seen)).data.id).toBe(user.userId)
  for (const path of ['/user/logout', '/user/session/endOthers', '/user/export', '/user/authenticator/start', '/user/secondaryVerify'])
    expect([path, (await post(path, path.endsWith('Verify') ? { password: PASSWORD } : {}, seen)).code]).toEqual([path, 4032])
  // the database itself rejects a write by a GET
  const eyes = createReadOnlyDb(db)
  await expect(eyes.query('delete from account_sessions')).rejects.toThrow('VIEW_ONLY')
  await expect(transact(eyes, SYSTEM, (tx) => tx.audit('x', 'y'))).rejects.toThrow('VIEW_ONLY')
  expect((await call('GET', '/user/updateUserMobile/verify', { verifyCode: '123456' }, { token: seen })).code).toBe(4032)
  const [entry] = (await get('/user/securityHistory')).data.rowList
  expect(entry).toMatchObject({ event: 'viewed', byUser: false, detail: null })
  const { token: other } = await view('opr_y')
  await endViews(db, 'opr_y')
  expect((await get('/user/info', other)).code).toBe(401)
  clock.advance(15 * 60_000)
  expect((await get('/user/info', seen)).code).toBe(401)
  expect((await db.query('select count(*)::int as n from account_sessions where user_id = $1', [user.userId]))[0]).toEqual({ n: 1 })
})
