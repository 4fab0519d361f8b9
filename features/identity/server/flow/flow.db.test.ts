import { randomInt } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestCall } from '#platform/testing/http.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aHolderForm, aStoredPicture, anIdentityNumber, aReadyHolder } from '../builders.ts'
import { readCardholder, markPaid, requireReady, readIdentityStatus } from '../door.ts'
import { identity } from '../index.ts'
import { sealReading } from '../ocr/readings.ts'
import { readDataKey } from '../person.ts'
import { sanctions } from '../settings.ts'
import { storeReading } from '../uploads/data.ts'
import type { FieldReading } from '../../contract-papers.ts'
import type { UploadPurpose } from '../../contract-words.ts'

const db = await useTestDb()
const clock = createTestClock(new Date('2026-11-23T04:00:00Z'))
const app = createTestApp({ features: [account, identity, notices, risk], db, clock, env: { IDENTITY_FOLDER: mkdtempSync(join(tmpdir(), 'papers-')) } })
const PICTURE = Buffer.from('a picture')
const SIZE = { width: 1012, height: 638 }

interface Member {
  readonly userId: string
  readonly call: TestCall
}
async function aMember(): Promise<Member> {
  const { userId, token } = await aUser(app.deps)
  return { userId, call: app.callAs(token) }
}
const field = (
  name: FieldReading['name'],
  value: string,
  { sure, proof = sure ? 'read' : null }: { readonly sure: boolean; readonly proof?: FieldReading['proof'] },
): FieldReading => ({
  name,
  value,
  sure,
  proof,
  reason: sure ? null : 'glare',
  doubtful: [],
  box: null,
})
/** Both sides of a card, read as these fields and no others. */
async function pictures(userId: string, fields: readonly FieldReading[] = []) {
  const idFront = await aStoredPicture(app.deps, userId, { purpose: 'idFront', jpeg: PICTURE, size: SIZE })
  const idBack = await aStoredPicture(app.deps, userId, { purpose: 'idBack', jpeg: PICTURE, size: SIZE })
  const key = (await readDataKey(app.deps, db, userId))!
  await storeReading(db, idFront, { sealed: sealReading(key, { filePath: idFront, purpose: 'idFront', fields: [...fields] }), purpose: 'idFront' })
  await storeReading(db, idBack, { sealed: sealReading(key, { filePath: idBack, purpose: 'idBack', fields: [] }), purpose: 'idBack' })
  return { idFront, idBack }
}
const payload = async (
  userId: string,
  holder = aHolderForm(),
  { fields = [], confirmed = [] }: { readonly fields?: readonly FieldReading[]; readonly confirmed?: string[] } = {},
) => ({
  ...holder,
  files: await pictures(userId, fields),
  confirmed,
})
const aPhoto = (userId: string) => aStoredPicture(app.deps, userId, { purpose: 'photo', jpeg: PICTURE, size: SIZE })
/** Pictures that the deposit needs: the papers and a photo of the holder. */
const withPhoto = async (userId: string, holder = aHolderForm()) => {
  const sent = await payload(userId, holder)
  return { ...sent, files: { ...sent.files, photo: await aPhoto(userId) } }
}
/** Completes all steps before the papers. */
async function walked(member: Member, method: 'face' | 'deposit' = 'face') {
  await member.call('POST', '/account/opening/notice', { agreed: true })
  await member.call('POST', '/account/opening/taxpayer', { isTaxResidentUS: false, declared: true })
  return member.call('POST', '/account/opening/method', { method })
}

test('the steps follow one another, and another device continues where the first left', async () => {
  const member = await aMember()
  expect((await member.call('GET', '/account/opening')).data).toMatchObject({
    status: 'none',
    step: 'notice',
    identityInfoStatus: 0,
    faceStatus: null,
    files: {},
  })
  expect((await member.call('POST', '/account/opening/notice', { agreed: true })).data.step).toBe('taxpayer')
  expect((await member.call('POST', '/account/opening/taxpayer', { isTaxResidentUS: false, declared: true })).data.step).toBe('method')
  expect((await member.call('POST', '/account/opening/method', { method: 'face' })).data.step).toBe('papers')
  const draft = { values: { chineseName: '欧阳修文', number: '4403051991' }, confirmed: ['address'] }
  expect((await member.call('POST', '/account/opening/draft', draft)).data.draft).toEqual(draft)
  const again = (await member.call('GET', '/account/opening')).data
  expect([again.step, again.draft, again.method]).toEqual(['papers', draft, 'face'])
  const holder = aHolderForm()
  const saved = await member.call('POST', '/account/create', await payload(member.userId, holder))
  expect([saved.code, saved.msg]).toEqual([200, expect.anything()])
  expect(saved.data).toMatchObject({ status: 'saved', step: 'face', identityInfoStatus: 1, draft: null })
  expect(saved.data.saved.number).toBe(`${holder.number.slice(0, 4)}**********${holder.number.slice(-4)}`)
  expect(saved.raw.body).not.toContain(holder.number)
  // corrected before the check: opened again, saved again
  expect((await member.call('POST', '/account/update')).data.step).toBe('papers')
  expect((await member.call('POST', '/user/createAccount', await payload(member.userId, holder))).data.step).toBe('face')
})

test('no step is skipped, from either end', async () => {
  const refused = { code: 3651 }
  const member = await aMember()
  const tries = async () => [
    await member.call('POST', '/account/create', await payload(member.userId)),
    await member.call('POST', '/account/opening/draft', { values: {}, confirmed: [] }),
    await member.call('GET', '/account/identityVerify'),
    await member.call('POST', '/v1/pay/identityVerify', { returnUrl: '/x' }),
    await member.call('GET', '/v1/user/identityVerify'),
    await member.call('POST', '/user/updateAccount'),
  ]
  for (const at of ['none', 'notice', 'taxpayer']) {
    for (const answer of await tries()) expect([at, answer.code]).toEqual([at, refused.code])
    await expect(requireReady(db, member.userId)).rejects.toMatchObject({ errorName: 'IDENTITY_STEP_MISSING' })
    if (at === 'none') {
      expect((await member.call('POST', '/account/opening/taxpayer', { isTaxResidentUS: false, declared: true })).code).toBe(3651)
      expect((await member.call('POST', '/account/opening/method', { method: 'deposit' })).code).toBe(3651)
      await member.call('POST', '/account/opening/notice', { agreed: true })
    } else if (at === 'notice') {
      expect((await member.call('POST', '/account/opening/method', { method: 'deposit' })).code).toBe(3651)
      await member.call('POST', '/account/opening/taxpayer', { isTaxResidentUS: false, declared: true })
    }
  }
  await member.call('POST', '/account/opening/method', { method: 'face' })
  await member.call('POST', '/account/create', await payload(member.userId))
  await expect(requireReady(db, member.userId)).rejects.toMatchObject({ errorName: 'FACE_NOT_PASSED' })
})

test('a U.S. taxpayer ends there, and continues only after another answer', async () => {
  const member = await aMember()
  await member.call('POST', '/account/opening/notice', { agreed: true })
  const ended = (await member.call('POST', '/account/opening/taxpayer', { isTaxResidentUS: true, declared: true })).data
  expect([ended.status, ended.reason, ended.step]).toEqual(['rejected', 'us_taxpayer', 'taxpayer'])
  expect((await member.call('POST', '/account/opening/method', { method: 'face' })).code).toBe(3652)
  await expect(requireReady(db, member.userId)).rejects.toMatchObject({ errorName: 'IDENTITY_US_TAXPAYER' })
  expect((await readIdentityStatus(db, member.userId)).isTaxResidentUS).toBe(true)
  expect((await member.call('POST', '/account/opening/taxpayer', { isTaxResidentUS: false, declared: true })).data).toMatchObject({
    status: 'started',
    reason: null,
    step: 'method',
  })
})

test('the deposit replaces the face check', async () => {
  const member = await aMember()
  await walked(member, 'deposit')
  const holder = aHolderForm()
  expect((await member.call('POST', '/account/create', await withPhoto(member.userId, holder))).data.step).toBe('payment')
  await expect(requireReady(db, member.userId)).resolves.toBeUndefined()
  expect(await readIdentityStatus(db, member.userId)).toMatchObject({ status: 'saved', method: 'deposit', verified: false, isTaxResidentUS: false, step: 6 })
  expect(await readCardholder(app.deps, member.userId)).toMatchObject({
    firstName: 'XIUWEN',
    lastName: 'OUYANG',
    birthDate: holder.birthDate,
    address: { city: expect.stringContaining('Shen Zhen'), postalCode: '518057', country: 'CN' },
  })
  await transact(db, SYSTEM, async (tx) => {
    await markPaid(tx, member.userId, clock.now())
    await tx.audit('test', 'test')
  })
  expect((await member.call('GET', '/account/opening')).data.identityInfoStatus).toBe(2)
  expect((await member.call('POST', '/account/update')).code).toBe(3667)
  expect((await member.call('POST', '/account/create', await payload(member.userId))).code).toBe(3667)
  expect((await readCardholder(app.deps, member.userId))?.birthDate).toBe(holder.birthDate)
  // a paid opening stays paid even if the photo is gone
  const { filePath } = (await member.call('GET', '/account/opening')).data.files.photo
  await member.call('POST', '/common/upload/delete', { filePath })
  expect((await member.call('POST', '/account/opening/method', { method: 'face' })).data.step).toBe('face')
  expect((await member.call('POST', '/account/opening/method', { method: 'deposit' })).data.step).toBe('payment')
})

const aPassport = () => aHolderForm({ paper: 'passport', birthDate: '1991-02-28', number: `E${randomInt(10_000_000, 99_999_999)}` })
test.each(['idcard', 'passport'] as const)('without a face check nothing is saved without a photo of the holder: %s', async (paper) => {
  const member = await aMember()
  const { data } = await walked(member, 'deposit')
  const side = paper === 'idcard' ? ['idFront', 'idBack'] : ['passport']
  expect(data.needed[paper]).toEqual([...side, 'photo'])
  const holder = paper === 'idcard' ? aHolderForm() : aPassport()
  const papers = Object.fromEntries(
    await Promise.all(
      side.map(async (one) => [one, await aStoredPicture(app.deps, member.userId, { purpose: one as UploadPurpose, jpeg: PICTURE, size: SIZE })]),
    ),
  )
  const confirmed = ['chineseName', 'latinName', 'number', 'birthDate', 'address', 'issuer', 'validFrom', 'validUntil', 'country']
  const create = (files: object) => member.call('POST', '/account/create', { ...holder, files, confirmed })
  const bare = await create(papers)
  expect([bare.code, bare.data]).toEqual([3659, { purposes: ['photo'] }])
  expect((await create({ photo: await aPhoto(member.userId) })).data).toEqual({ purposes: side })
  // neither a picture of a paper nor another member's photo is accepted
  expect((await create({ ...papers, photo: papers[side[0]!] })).code).toBe(3663)
  expect((await create({ ...papers, photo: await aPhoto((await aMember()).userId) })).code).toBe(3663)
  expect((await create({ ...papers, photo: await aPhoto(member.userId) })).data.step).toBe('payment')
})

test('with a face check the photo may be left out; taking the deposit instead later asks for it', async () => {
  const member = await aMember()
  expect((await walked(member)).data.needed.idcard).toEqual(['idFront', 'idBack'])
  const holder = aHolderForm()
  expect((await member.call('POST', '/account/create', await withPhoto(member.userId, holder))).data.step).toBe('face')
  const without = await aMember()
  await walked(without)
  expect((await without.call('POST', '/account/create', await payload(without.userId))).data.step).toBe('face')
  const instead = (await without.call('POST', '/account/opening/method', { method: 'deposit' })).data
  expect([instead.step, instead.needed.idcard.at(-1)]).toEqual(['papers', 'photo'])
  await expect(requireReady(db, without.userId)).rejects.toMatchObject({ errorName: 'IDENTITY_STEP_MISSING' })
  // with a photo, the next step is the payment
  expect((await member.call('POST', '/account/opening/method', { method: 'deposit' })).data.step).toBe('payment')
})

test('the server tests again what is typed', async () => {
  const member = await aMember()
  await walked(member)
  const send = async (wish: object) => (await member.call('POST', '/account/create', { ...(await payload(member.userId)), ...wish })).code
  const young = anIdentityNumber('20081124')
  expect(await send(aHolderForm({ number: young }))).toBe(3655)
  const adult = anIdentityNumber('20081123')
  expect(await send({ ...aHolderForm({ number: adult }), postalCode: '51805' })).toBe(3657)
  expect(await send({ validUntil: '2026-11-22' })).toBe(3661)
  expect(await send({ number: anIdentityNumber().replace(/.$/, (sign) => (sign === '1' ? '2' : '1')) })).toBe(400)
  expect(await send({ birthDate: '1991-02-27' })).toBe(400)
  expect(await send({ lastName: '欧阳' })).toBe(400)
  expect(await send({ files: {} })).toBe(3659)
  const other = await aMember()
  expect(await send({ files: await pictures(other.userId) })).toBe(3663)
  expect(await send({ paper: 'passport', number: 'E12345678' })).toBe(3668)
  expect(await send(aHolderForm({ number: adult }))).toBe(200)
})

test('a sure reading counts as the paper says, an unsure one needs the person’s word', async () => {
  const member = await aMember()
  await walked(member)
  const holder = aHolderForm()
  const create = async (fields: FieldReading[], confirmed: string[] = [], wish = holder) =>
    member.call('POST', '/account/create', await payload(member.userId, wish, { fields, confirmed }))
  expect((await create([field('number', anIdentityNumber(), { sure: true, proof: 'checkDigit' })], ['number'])).code).toBe(2139)
  const named = await create([field('chineseName', '王小明', { sure: true })], ['chineseName'])
  expect([named.code, named.data]).toEqual([3656, { typed: '欧阳修文', paper: '王小明' }])
  const open = await create([field('address', '麻岭', { sure: false }), field('validUntil', '', { sure: false })])
  expect([open.code, open.data.fields]).toEqual([3658, ['address', 'validUntil']])
  expect((await create([field('address', '麻岭', { sure: false })], ['address'])).code).toBe(200)
})

test('a picture that was not read says nothing surely: each of its lines needs the person’s word', async () => {
  const member = await aMember()
  await walked(member)
  const files = {
    idFront: await aStoredPicture(app.deps, member.userId, { purpose: 'idFront', jpeg: PICTURE, size: SIZE }),
    idBack: await aStoredPicture(app.deps, member.userId, { purpose: 'idBack', jpeg: PICTURE, size: SIZE }),
  }
  const create = (confirmed: string[]) => member.call('POST', '/account/create', { ...aHolderForm(), files, confirmed })
  const lines = ['chineseName', 'number', 'birthDate', 'address', 'issuer', 'validUntil']
  const open = await create([])
  expect([open.code, open.data.fields.toSorted()]).toEqual([3658, lines.toSorted()])
  // the page shows them as fields to be typed and confirmed
  const { readings } = (await member.call('GET', '/account/opening')).data as { readings: { fields: FieldReading[] }[] }
  const shown = readings.flatMap(({ fields }) => fields).filter(({ sure, reason }) => !sure && reason === 'unread')
  expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(lines))
  expect((await create(lines)).code).toBe(200)
})

test('one identity is on one account: a second account is looked at by a person', async () => {
  const [first, second] = [await aMember(), await aMember()]
  const holder = aHolderForm()
  await walked(first)
  await walked(second)
  await first.call('POST', '/account/create', await payload(first.userId, holder))
  const late = (await second.call('POST', '/account/create', await payload(second.userId, holder))).data
  expect([late.status, late.reason]).toEqual(['review', 'second_account'])
  const racers = await Promise.all([aMember(), aMember(), aMember()])
  const shared = aHolderForm()
  for (const racer of racers) await walked(racer, 'deposit')
  const bodies = await Promise.all(racers.map(({ userId }) => withPhoto(userId, shared)))
  const ends = await Promise.all(racers.map(({ call }, at) => call('POST', '/account/create', bodies[at]!)))
  expect(ends.map(({ data }) => data.status).toSorted()).toEqual(['review', 'review', 'saved'])
  for (const [at, { userId }] of racers.entries())
    if (ends[at]!.data.status === 'review') await expect(requireReady(db, userId)).rejects.toMatchObject({ errorName: 'IDENTITY_IN_REVIEW' })
})

test('a holder on the list is looked at, by either order of the name', async () => {
  await transact(db, SYSTEM, (tx) => app.deps.settings.set(tx, sanctions, [{ name: 'Xiuwen OUYANG', birthDate: '1980-01-02' }, { name: '王小明' }]))
  for (const [holder, status] of [
    [aHolderForm({ number: anIdentityNumber('19800102') }), 'review'],
    [aHolderForm({ number: anIdentityNumber('19800103') }), 'saved'],
    [aHolderForm({ chineseName: '王小明', lastName: 'WANG', firstName: 'XIAOMING' }), 'review'],
  ] as const) {
    const member = await aMember()
    await walked(member)
    expect((await member.call('POST', '/account/create', await payload(member.userId, holder))).data.status).toBe(status)
  }
  await transact(db, SYSTEM, (tx) => app.deps.settings.set(tx, sanctions, []))
})

test('tries are limited to ten a day', async () => {
  const member = await aMember()
  await walked(member, 'deposit')
  for (let n = 0; n < 10; n++) {
    expect((await member.call('POST', '/account/create', await withPhoto(member.userId))).code).toBe(200)
    await member.call('POST', '/account/update')
  }
  const late = await member.call('POST', '/account/create', await withPhoto(member.userId))
  expect([late.code, late.data.retryAt]).toEqual([2408, '2026-11-24 12:00'])
  clock.advance(86_400_000)
  expect((await member.call('POST', '/account/create', await withPhoto(member.userId))).code).toBe(200)
})

test('a name is proposed in Latin letters', async () => {
  const member = await aMember()
  const said = async (chineseName: string) => (await member.call('POST', '/account/opening/pinyin', { chineseName })).data
  expect(await said('欧阳修文')).toEqual({ lastName: 'OUYANG', firstName: 'XIUWEN' })
  expect(await said('吕布')).toEqual({ lastName: 'LYU', firstName: 'BU' })
  expect(await said('单雄信')).toEqual({ lastName: 'SHAN', firstName: 'XIONGXIN' })
  expect(await said('仇英')).toEqual({ lastName: 'QIU', firstName: 'YING' })
})

let canary: { userId: string; number: string }
beforeAll(async () => {
  const { userId } = await aUser(app.deps)
  canary = { userId, number: (await aReadyHolder(app.deps, userId)).number }
})

test('a number is stored nowhere in plain, and closing an account deletes all of it', async () => {
  const { userId, number } = canary
  await pictures(userId)
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const dump = async () => {
    let all = ''
    for (const { name } of tables)
      all += JSON.stringify(
        await db.owner
          .query(`select * from "${name}"`)
          .then((rows) =>
            rows.map((row) =>
              Object.fromEntries(
                Object.entries(row).map(([key, value]) => [
                  key,
                  Buffer.isBuffer(value) ? value.toString('latin1') : typeof value === 'bigint' ? String(value) : value,
                ]),
              ),
            ),
          ),
      )
    return all
  }
  const before = await dump()
  for (const shape of [number, [...number].reverse().join(''), Buffer.from(number).toString('base64').slice(0, 22), Buffer.from(number).toString('hex')])
    expect(before).not.toContain(shape)
  const exported = await identity.personal!.exportOf!(app.deps, userId)
  expect(JSON.stringify(exported)).toContain(number)
  await transact(db, SYSTEM, async (tx) => {
    await tx.emit('user.deleted', { userId })
    await tx.audit('test', 'test')
  })
  await app.settle()
  expect(await readCardholder(app.deps, userId)).toBeUndefined()
  const [row] = await db.query('select sealed_key, sealed_person, sealed_draft from identity_people where user_id = $1', [userId])
  expect(row).toEqual({ sealedKey: null, sealedPerson: null, sealedDraft: null })
  expect(await db.query('select 1 from identity_numbers where user_id = $1', [userId])).toEqual([])
  expect(await db.query(`select 1 from identity_files where user_id = $1 and state <> 'gone'`, [userId])).toEqual([])
})
