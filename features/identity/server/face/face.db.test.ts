import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestCall } from '#platform/testing/http.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aHolderForm, aStoredPicture, aReadyHolder } from '../builders.ts'
import { readCardholder, requireReady, readIdentityStatus } from '../door.ts'
import type { IdentityPerson } from '../person.ts'
import { identity } from '../index.ts'
import { decideIdentityReview } from '../review/commands.ts'
import { workChecks } from './settle-check.ts'
import { samplePapers } from '../samples/serve-papers.ts'

const db = await useTestDb()
const clock = createTestClock()
const app = createTestApp({ features: [account, identity, notices, risk], db, clock, env: { IDENTITY_FOLDER: mkdtempSync(join(tmpdir(), 'papers-')) } })

/** A user with saved papers and no face check yet. */
async function aSaved(): Promise<{ userId: string; call: TestCall; token: string }> {
  const { userId, token } = await aUser(app.deps)
  await aReadyHolder(app.deps, userId)
  await db.query(`update identity_people set status = 'saved', face_passed_at = null where user_id = $1`, [userId])
  return { userId, token, call: app.callAs(token) }
}
const pathOf = (url: string) => new URL(url).pathname
const press = async (url: string, saw: string) =>
  app.inject({ method: 'POST', url: pathOf(url), payload: `saw=${saw}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
/** Saves the papers with every line confirmed. */
async function save({ userId, call }: { userId: string; call: TestCall }, holder: IdentityPerson) {
  const picture = (side: 'idFront' | 'idBack') =>
    aStoredPicture(app.deps, userId, { purpose: side, jpeg: Buffer.from('a picture'), size: { width: 1012, height: 638 } })
  const files = { idFront: await picture('idFront'), idBack: await picture('idBack') }
  return call('POST', '/account/create', { ...holder, files, confirmed: ['chineseName', 'number', 'birthDate', 'address', 'issuer', 'validUntil'] })
}
const aVictim = () => aHolderForm({ chineseName: '王小明', lastName: 'WANG', firstName: 'XIAOMING' })
const news = (userId: string) => db.query(`select event from outbox where event like 'identity.%' and payload->>'userId' = $1`, [userId])

test('a recognised face identifies its user once, by whichever path it is queried, and is announced', async () => {
  const { userId, call } = await aSaved()
  const begun = (await call('GET', '/account/identityVerify', { returnUrl: '/open-account-payment' })).data
  expect(begun).toMatchObject({ state: 'processing', status: 0, triesLeft: 4 })
  expect((await call('GET', '/v1/user/identityVerify')).data.certifyId).toBe(begun.certifyId)
  expect((await call('POST', '/v1/pay/identityVerify', { returnUrl: '/x' })).data.certifyId).toBe(begun.certifyId)
  expect((await call('GET', '/v1/pay/identityStatus')).data).toEqual({ identityStatus: 'PROCESSING', identityInfoStatus: 1, certifyId: begun.certifyId })
  const form = (await call('GET', '/account/identity/formData', { certifyId: begun.certifyId })).data
  expect(form).toMatchObject({ method: 'GET', action: expect.stringContaining('/sandbox/face/') })
  // The camera page and the return URL share the browser's origin, because its form may lead nowhere else.
  expect(new URL(begun.url).origin).toBe('http://localhost:3000')
  const page = await app.inject({ method: 'GET', url: pathOf(begun.url) })
  expect(page.body).toContain('*阳修文')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  const back = await press(begun.url, 'passed')
  expect([back.statusCode, back.headers['location']]).toEqual([303, `http://localhost:3000/open-account-payment?certifyId=${begun.certifyId}`])
  const ends = await Promise.all(
    ['/account/identityVerifyStatus', '/v1/user/identityVerifyStatus', '/account/identityVerifyStatus'].map((path) =>
      call('GET', path, { certifyId: begun.certifyId }),
    ),
  )
  for (const { data } of ends) expect(data).toMatchObject({ state: 'passed', status: 1, url: '' })
  await workChecks(app.deps)
  expect(await news(userId)).toEqual([{ event: 'identity.passed' }])
  expect(await readIdentityStatus(db, userId)).toMatchObject({ status: 'passed', verified: true, step: 6 })
  await expect(requireReady(db, userId)).resolves.toBeUndefined()
  expect((await call('GET', '/v1/pay/identityStatus')).data.identityStatus).toBe('SUCCESS')
  expect((await call('GET', '/account/identityVerify')).code).toBe(3667)
  expect((await call('GET', '/account/identity/formData', { certifyId: begun.certifyId })).code).toBe(3666)
})

test('a face that is not recognised and another person’s face are distinguished, and another try is left', async () => {
  const { userId, call } = await aSaved()
  const first = (await call('GET', '/account/identityVerify')).data
  await press(first.url, 'failed')
  expect((await call('GET', '/account/identityVerifyStatus', { certifyId: first.certifyId })).data).toMatchObject({ state: 'failed', status: 2 })
  await expect(requireReady(db, userId)).rejects.toMatchObject({ errorName: 'FACE_NOT_PASSED' })
  expect((await call('POST', '/v1/pay/rechargeIdentity', { orderNo: '20261123-ABCDEFGHJKMN' })).data).toEqual({
    isAuth: true,
    identityStatus: 'FAIL',
    certifyId: null,
  })
  const second = (await call('GET', '/account/identityVerify')).data
  expect(second.certifyId).not.toBe(first.certifyId)
  await press(second.url, 'other')
  // pressed twice with different results: the first one counts
  await press(second.url, 'passed')
  expect((await call('GET', '/account/identityVerifyStatus', { certifyId: second.certifyId })).data.state).toBe('other')
  await expect(requireReady(db, userId)).rejects.toMatchObject({ errorName: 'IDENTITY_MISMATCH' })
  const third = (await call('GET', '/account/identityVerify')).data
  await press(third.url, 'passed')
  // without a page that polls, the job queries the result
  clock.advance(6_000)
  await workChecks(app.deps)
  expect((await readIdentityStatus(db, userId)).verified).toBe(true)
})

test('a check that has ended at the company is not offered again, even before its result was queried', async () => {
  const { call } = await aSaved()
  const first = (await call('GET', '/account/identityVerify')).data
  await press(first.url, 'failed')
  const second = (await call('GET', '/account/identityVerify')).data
  expect([second.certifyId !== first.certifyId, second.triesLeft]).toEqual([true, first.triesLeft - 1])
  expect((await app.inject({ method: 'GET', url: pathOf(second.url) })).body).toContain('<form')
  await press(second.url, 'passed')
  expect((await call('GET', '/account/identityVerify')).code).toBe(3667)
})

test('a check ends with its time, and a user has five a day', async () => {
  const { call } = await aSaved()
  for (let n = 0; n < 5; n++) {
    const { data } = await call('GET', '/account/identityVerify')
    expect(data.triesLeft).toBe(4 - n)
    clock.advance(31 * 60_000)
    expect((await app.inject({ method: 'GET', url: pathOf(data.url) })).body).not.toContain('<form')
    expect((await call('GET', '/account/identityVerifyStatus', { certifyId: data.certifyId })).data.state).toBe('expired')
  }
  const late = await call('GET', '/account/identityVerify')
  expect([late.code, late.data.retryAt]).toEqual([2216, expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)])
  clock.advance(86_400_000)
  expect((await call('GET', '/account/identityVerify')).code).toBe(200)
})

test('checks are their owner’s, and lead back to pages of this site only', async () => {
  const [one, other] = [await aSaved(), await aSaved()]
  const begun = (await one.call('GET', '/account/identityVerify', { returnUrl: 'https://evil.example/x' })).data
  expect((await press(begun.url, 'failed')).headers['location']).toBe(`http://localhost:3000/pay-face-verify-result?certifyId=${begun.certifyId}`)
  for (const path of ['/account/identityVerifyStatus', '/account/identity/formData', '/v1/user/identityVerifyStatus', '/v1/user/identity/formData'])
    expect([path, (await other.call('GET', path, { certifyId: begun.certifyId })).code]).toEqual([path, 3666])
})

test('a face passed in review does not end the review', async () => {
  const { userId, call } = await aSaved()
  await db.query(`update identity_people set status = 'review', reason = 'second_account' where user_id = $1`, [userId])
  const begun = (await call('GET', '/account/identityVerify')).data
  await press(begun.url, 'passed')
  await call('GET', '/account/identityVerifyStatus', { certifyId: begun.certifyId })
  expect([(await readIdentityStatus(db, userId)).status, await news(userId)]).toEqual(['review', []])
  await expect(requireReady(db, userId)).rejects.toMatchObject({ errorName: 'IDENTITY_IN_REVIEW' })
  const desk = { kind: 'operator', id: 'lin' } as const
  await decideIdentityReview(app.deps, desk, { userId, decision: 'reject', why: 'another person' })
  await expect(requireReady(db, userId)).rejects.toMatchObject({ errorName: 'IDENTITY_REJECTED' })
  await decideIdentityReview(app.deps, desk, { userId, decision: 'approve', why: 'the other account was a mistake' })
  expect([(await readIdentityStatus(db, userId)).verified, await news(userId)]).toEqual([true, [{ event: 'identity.passed' }]])
  expect((await db.query(`select template from notices_mails where dedupe like 'identity.review:' || $1 || ':%' order by template`, [userId])).length).toBe(2)
  await expect(decideIdentityReview(app.deps, desk, { userId, decision: 'reject', why: 'too late' })).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
})

test('many devices at once begin one check', async () => {
  const { call } = await aSaved()
  const ends = await Promise.all(Array.from({ length: 6 }, () => call('GET', '/account/identityVerify')))
  const rows = new Set(ends.filter(({ code }) => code === 200).map(({ data }) => data.certifyId))
  expect([ends.map(({ code }) => code), rows.size]).toEqual([Array(6).fill(200), 1])
  expect(await db.query(`select count(*)::int as n from identity_checks where state = 'processing' group by user_id having count(*) > 1`)).toEqual([])
})

test('a holder with a passport gets no face check and takes the deposit', async () => {
  const { userId, token } = await aUser(app.deps)
  await aReadyHolder(app.deps, userId, { method: 'deposit', holder: { ...aHolderForm(), paper: 'passport', number: 'E12345678' } })
  expect((await app.callAs(token)('GET', '/account/identityVerify')).code).toBe(3668)
  await transact(db, SYSTEM, async (tx) => tx.audit('test', 'test'))
})

test('a face check passes no other person’s papers that are saved meanwhile', async () => {
  const me = await aSaved()
  const mine = aHolderForm()
  await save(me, mine)
  const begun = (await me.call('GET', '/account/identityVerify')).data
  await save(me, aVictim())
  await press(begun.url, 'passed')
  expect((await me.call('GET', '/account/identityVerifyStatus', { certifyId: begun.certifyId })).data.state).toBe('expired')
  await workChecks(app.deps)
  expect([(await readCardholder(app.deps, me.userId))?.lastName, await readIdentityStatus(db, me.userId), await news(me.userId)]).toMatchObject([
    'WANG',
    { verified: false },
    [],
  ])
  await expect(requireReady(db, me.userId)).rejects.toMatchObject({ errorName: 'FACE_NOT_PASSED' })
  // reopening for correction also ends the check that is shown
  const second = (await me.call('GET', '/account/identityVerify')).data
  await me.call('POST', '/account/update')
  expect((await me.call('GET', '/account/identityVerifyStatus', { certifyId: second.certifyId })).data.state).toBe('expired')
  await save(me, mine)
  const third = (await me.call('GET', '/account/identityVerify')).data
  await press(third.url, 'passed')
  await me.call('GET', '/account/identityVerifyStatus', { certifyId: third.certifyId })
  expect([(await readCardholder(app.deps, me.userId))?.lastName, (await readIdentityStatus(db, me.userId)).verified]).toEqual(['OUYANG', true])
})

test('a face passed in review is passed for that person alone', async () => {
  const [first, second] = [await aSaved(), await aSaved()]
  const mine = aHolderForm()
  await save(first, mine)
  expect((await save(second, mine)).data.status).toBe('review')
  const begun = (await second.call('GET', '/account/identityVerify')).data
  await press(begun.url, 'passed')
  expect((await second.call('GET', '/account/identityVerifyStatus', { certifyId: begun.certifyId })).data.state).toBe('passed')
  expect((await save(second, aVictim())).data).toMatchObject({ status: 'saved', step: 'face' })
  await expect(requireReady(db, second.userId)).rejects.toMatchObject({ errorName: 'FACE_NOT_PASSED' })
})

test('a holder saved again as the same person need not show the face again', async () => {
  const [first, second] = [await aSaved(), await aSaved()]
  const mine = aHolderForm()
  await save(first, mine)
  await save(second, mine)
  const begun = (await second.call('GET', '/account/identityVerify')).data
  // saved twice, then with another address: the check continues
  await save(second, mine)
  const moved = { ...mine, street: '粤海街道科苑路15号', postalCode: '518000' }
  await save(second, moved)
  await press(begun.url, 'passed')
  expect((await second.call('GET', '/account/identityVerifyStatus', { certifyId: begun.certifyId })).data.state).toBe('passed')
  await second.call('POST', '/account/update')
  expect((await save(second, mine)).data).toMatchObject({ status: 'review', step: 'payment' })
  // the other account releases the number: nothing blocks it any more
  await db.query('delete from identity_numbers where user_id = $1', [first.userId])
  expect((await save(second, moved)).data).toMatchObject({ status: 'passed', step: 'payment' })
  expect([(await readIdentityStatus(db, second.userId)).verified, await news(second.userId)]).toEqual([true, [{ event: 'identity.passed' }]])
})

test('a save while the company answers never verifies another person than the one who showed the face', async () => {
  for (let round = 0; round < chooseRounds(6, 100); round++) {
    const me = await aSaved()
    await save(me, aHolderForm())
    const begun = (await me.call('GET', '/account/identityVerify')).data
    await press(begun.url, 'passed')
    await Promise.all([me.call('GET', '/account/identityVerifyStatus', { certifyId: begun.certifyId }), save(me, aVictim())])
    const isVictim = (await readCardholder(app.deps, me.userId))?.lastName === 'WANG'
    expect((await readIdentityStatus(db, me.userId)).verified).toBe(!isVictim)
  }
})

test('sample documents exist where the sandbox checks faces, another person for each number, and never in production', async () => {
  const look = (path: string) => app.inject({ method: 'GET', url: path })
  const front = await look('/sandbox/papers/7/idFront')
  expect([front.statusCode, front.headers['content-type'], decodeURIComponent(String(front.headers['x-sample-name']))]).toEqual([200, 'image/jpeg', '赵敏'])
  expect((await look('/sandbox/papers/8/idFront')).rawPayload.equals(front.rawPayload)).toBe(false)
  expect((await look('/sandbox/papers/7/photo')).headers['content-type']).toBe('image/jpeg')
  for (const path of ['/sandbox/papers/x/idFront', '/sandbox/papers/7/other', '/sandbox/papers/999999/idFront']) expect((await look(path)).statusCode).toBe(404)
  const production = { ...app.deps, config: { ...app.deps.config, STAGE: 'production', ALLOW_SANDBOX: [] } } as unknown as typeof app.deps
  expect((await samplePapers.handle(production, { params: { n: '7', side: 'idFront' } } as never)).status).toBe(404)
})
