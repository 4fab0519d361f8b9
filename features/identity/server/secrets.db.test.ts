import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { resealColumn, countOtherKeyUses } from '#platform/server/sealing/reseal.ts'
import { computeKeyId } from '#platform/server/sealing/seal.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aHolderForm, aStoredPicture, aReadyHolder } from './builders.ts'
import { readEvidence, readCardholder } from './door.ts'
import { identity } from './index.ts'
import { identitySealed } from './person.ts'

const db = await useTestDb()
const [K1, K2] = [randomBytes(32), randomBytes(32)]
const features = [account, identity, notices, risk]
const env = { IDENTITY_FOLDER: mkdtempSync(`${tmpdir()}/papers-`) }
const withKeys = (...secretKeys: [Buffer, ...Buffer[]]) => createTestApp({ features, db, env, overrides: { secretKey: secretKeys[0], secretKeys } })
const [before, between, after] = [withKeys(K1), withKeys(K2, K1), withKeys(K2)]

test('S5: the installation’s key changes: what a person’s key seals stays, also the pictures, and one identity stays one', async () => {
  const [first, second] = [await aUser(before.deps), await aUser(before.deps)]
  const holder = await aReadyHolder(before.deps, first.userId)
  const bytes = Buffer.from('bytes of a picture')
  const picture = await aStoredPicture(before.deps, first.userId, { purpose: 'evidence', jpeg: bytes, size: { width: 600, height: 400 } })
  await expect(readCardholder(after.deps, first.userId)).rejects.toThrow()
  expect((await readCardholder(between.deps, first.userId))?.lastName).toBe('OUYANG')
  // the number was stored under the old key, and is found beside the new one
  const call = between.callAs(second.token)
  await call('POST', '/account/opening/notice', { agreed: true })
  await call('POST', '/account/opening/taxpayer', { isTaxResidentUS: false, declared: true })
  await call('POST', '/account/opening/method', { method: 'deposit' })
  const files = Object.fromEntries(
    await Promise.all(
      (['idFront', 'idBack', 'photo'] as const).map(async (side) => [
        side,
        await aStoredPicture(between.deps, second.userId, { purpose: side, jpeg: bytes, size: { width: 600, height: 400 } }),
      ]),
    ),
  )
  const late = await call('POST', '/account/create', {
    ...aHolderForm({ number: holder.number }),
    files,
    confirmed: ['chineseName', 'number', 'birthDate', 'address', 'issuer', 'validUntil'],
  })
  expect(late.data).toMatchObject({ status: 'review', reason: 'second_account' })
  const renewed = await resealColumn(between.deps, identitySealed[0]!)
  expect([renewed.renewed, renewed.unread]).toEqual([1, []])
  expect((await readCardholder(after.deps, first.userId))?.lastName).toBe('OUYANG')
  expect(Buffer.from((await readEvidence(after.deps, first.userId, picture))!.body).equals(bytes)).toBe(true)
  // the number's hash still needs the old key, which operators can see
  const uses = await countOtherKeyUses(db, K2, features)
  expect(uses.filter(({ where }) => where !== 'risk marks')).toEqual([{ key: computeKeyId(K1).toString('hex'), where: 'identity numbers', rows: 1 }])
})

test('a picture of another, or of another purpose, is no evidence', async () => {
  const [one, other] = [await aUser(before.deps), await aUser(before.deps)]
  const size = { width: 600, height: 400 }
  const mine = await aStoredPicture(before.deps, one.userId, { purpose: 'evidence', jpeg: Buffer.from('x'), size })
  const paper = await aStoredPicture(before.deps, one.userId, { purpose: 'idFront', jpeg: Buffer.from('x'), size })
  expect(await readEvidence(before.deps, other.userId, mine)).toBeUndefined()
  expect(await readEvidence(before.deps, one.userId, paper)).toBeUndefined()
  expect((await readEvidence(before.deps, one.userId, mine))?.type).toBe('image/jpeg')
})
