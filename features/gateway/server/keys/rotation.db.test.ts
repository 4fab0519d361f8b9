import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { systemClock } from '#platform/server/clock.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createSettings } from '#platform/server/settings.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aSignedInUser } from '#features/account/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { gatewayContract } from '../../contract.ts'
import { MAX_TESTS_PER_HOUR } from '../../contract-keys.ts'
import { aKey, aReservedCall, aSettledCall } from '../builders.ts'
import { selectKeysByHash, recordKeyUses, pauseKey, resumeKey } from './data.ts'
import { findAccessRefusal } from '../hot/admission/limits.ts'
import { writeFlush } from '../journal/writing/data-flush.ts'
import { createKeyCache } from './cache/key-cache.ts'
import { loadLiveKeys } from './listener.ts'
import { hashKeySecret } from './secret.ts'
import { deleteKey, endOldSecret, rotateKey, switchKey } from './change-key.ts'
import { listKeys, keySpend } from './list-keys.ts'
import { deleteEndedSecrets, recordOldSecretUses } from './data-secrets.ts'
import { testKey } from './test-key.ts'

const secretKey = randomBytes(32)
let db: Db & { url: string; owner: Db }
beforeAll(async () => {
  db = await useTestDb()
})

async function aBuyer(): Promise<string> {
  const userId = await aFundedUser(db, { purchased: parseUsd('100') })
  await aSignedInUser(db, userId)
  return userId
}
const ctxOf = (userId: string, config: object = {}): Ctx =>
  ({
    db,
    secretKey,
    secretKeys: [secretKey],
    settings: createSettings(db, 0),
    clock: systemClock,
    userId,
    actor: { kind: 'user', id: userId },
    tx: undefined,
    lang: 'zh',
    ip: '203.0.113.7',
    sessionId: `ses_${userId}`,
    publicUrl: () => 'http://127.0.0.1:1',
    config,
  }) as unknown as Ctx
const rowOf = async (userId: string) => (await listKeys(ctxOf(userId), gatewayContract.listKeys.input.parse({ includeDeleted: 'true' }))).rowList[0]!
const request = { headers: {}, socket: { remoteAddress: '127.0.0.1', destroy: () => {} } } as unknown as Parameters<typeof findAccessRefusal>[0]
const deps = { brand: { header: 'x', consoleUrl: () => 'https://mingxi.example/api', support: 'support@mingxi.example' } } as unknown as Parameters<
  typeof findAccessRefusal
>[1]
/** Reason why a call with this secret is refused now; undefined if it is admitted, false if the secret is unknown. */
async function findRefusalCause(secret: string) {
  const key = (await selectKeysByHash(db, [hashKeySecret(secret)])).get(hashKeySecret(secret))
  if (!key) return false
  return key.limits && findAccessRefusal(request, deps, key.keyId, key.limits)?.cause
}

test('a rotated key answers to both secrets under one identity, then to the new one alone', async () => {
  const userId = await aBuyer()
  const { secret: old, key } = await aKey(db, userId, { name: '生产环境', limits: { dayBudget: parseUsd('10') } })
  const made = await rotateKey(ctxOf(userId), { keyId: key.keyId, requestKey: 'first-press-000000' })
  expect(await rotateKey(ctxOf(userId), { keyId: key.keyId, requestKey: 'first-press-000000' })).toEqual(made)
  const found = await selectKeysByHash(db, [hashKeySecret(old), hashKeySecret(made.apiToken)])
  expect([...found.values()].map((one) => one.keyId)).toEqual([key.keyId, key.keyId])
  expect([...found.values()].every((one) => one.limits?.budget)).toBe(true)
  expect([await findRefusalCause(old), await findRefusalCause(made.apiToken)]).toEqual([undefined, undefined])
  await expect(rotateKey(ctxOf(userId), { keyId: key.keyId, requestKey: 'another-press-0000' })).rejects.toMatchObject({ errorName: 'KEY_ROTATING' })

  await recordOldSecretUses(db, new Map([[hashKeySecret(old), 14]]))
  expect(await rowOf(userId)).toMatchObject({ apiToken: made.masked, rotation: { calls: 14, apiToken: `sk·······${old.slice(-4)}` } })
  expect(Date.parse(made.oldEndsAt) - Date.now()).toBeGreaterThan(23 * 3_600_000)

  await endOldSecret(ctxOf(userId), { keyId: key.keyId })
  expect([await findRefusalCause(old), await findRefusalCause(made.apiToken)]).toEqual(['key_expired', undefined])
  expect((await rowOf(userId)).rotation).toBeNull()
  await rotateKey(ctxOf(userId), { keyId: key.keyId, requestKey: 'another-press-0000' })
  await deleteKey(ctxOf(userId), { keyId: key.keyId })
  expect([await findRefusalCause(old), await findRefusalCause(made.apiToken)]).toEqual([false, false])
})

test('rotating and enabling require a fresh sign-in; no user can rotate or switch another’s key', async () => {
  const [userId, stranger] = [await aBuyer(), await aBuyer()]
  const { key } = await aKey(db, userId)
  const bare = { ...ctxOf(userId), sessionId: 'ses_none' }
  await expect(rotateKey(bare, { keyId: key.keyId, requestKey: 'press-0000000000000' })).rejects.toMatchObject({ errorName: 'STEP_UP_REQUIRED' })
  await switchKey(bare, { keyId: key.keyId, on: false })
  await expect(switchKey(bare, { keyId: key.keyId, on: true })).rejects.toMatchObject({ errorName: 'STEP_UP_REQUIRED' })
  for (const act of [
    () => rotateKey(ctxOf(stranger), { keyId: key.keyId, requestKey: 'press-0000000000000' }),
    () => switchKey(ctxOf(stranger), { keyId: key.keyId, on: true }),
    () => endOldSecret(ctxOf(stranger), { keyId: key.keyId }),
    () => testKey(ctxOf(stranger), { keyId: key.keyId, model: 'gpt-6-luna', text: 'hi' }),
  ])
    await expect(act()).rejects.toMatchObject({ errorName: 'KEY_NOT_FOUND' })
})

test('a disabled key is refused by name, both its secrets; enabled, it works again', async () => {
  const userId = await aBuyer()
  const { secret, key } = await aKey(db, userId)
  const made = await rotateKey(ctxOf(userId), { keyId: key.keyId, requestKey: 'press-0000000000000' })
  await switchKey(ctxOf(userId), { keyId: key.keyId, on: false })
  expect([await findRefusalCause(secret), await findRefusalCause(made.apiToken), (await rowOf(userId)).status]).toEqual([
    'key_disabled',
    'key_disabled',
    'disabled',
  ])
  await switchKey(ctxOf(userId), { keyId: key.keyId, on: true })
  expect([await findRefusalCause(secret), await findRefusalCause(made.apiToken), (await rowOf(userId)).status]).toEqual([undefined, undefined, 'active'])
})

test('a key that operators paused is refused by name, both its secrets; its owner may switch it off and not on', async () => {
  const userId = await aBuyer()
  const { secret, key } = await aKey(db, userId)
  const made = await rotateKey(ctxOf(userId), { keyId: key.keyId, requestKey: 'press-0000000000000' })
  const paused = { at: new Date(), reason: 'a leaked key', by: 'operator:op-1' }
  expect([await pauseKey(db, key.keyId, paused), await pauseKey(db, key.keyId, paused)]).toEqual([true, false])
  expect([await findRefusalCause(secret), await findRefusalCause(made.apiToken), (await rowOf(userId)).status]).toEqual(['key_paused', 'key_paused', 'paused'])
  const row = JSON.stringify(await rowOf(userId))
  for (const hidden of ['a leaked key', 'op-1']) expect(row).not.toContain(hidden)
  await switchKey(ctxOf(userId), { keyId: key.keyId, on: false })
  await expect(switchKey(ctxOf(userId), { keyId: key.keyId, on: true })).rejects.toMatchObject({ errorName: 'KEY_PAUSED' })
  expect([await resumeKey(db, key.keyId), await resumeKey(db, key.keyId), await findRefusalCause(secret)]).toEqual([true, false, 'key_disabled'])
  await switchKey(ctxOf(userId), { keyId: key.keyId, on: true })
  expect(await findRefusalCause(secret)).toBeUndefined()
})

test('the use of an old secret is counted in memory, and the place of a call is kept without its host', async () => {
  const userId = await aBuyer()
  const { secret, key } = await aKey(db, userId)
  await rotateKey(ctxOf(userId), { keyId: key.keyId, requestKey: 'press-0000000000000' })
  const cache = createKeyCache({ load: (hashes) => loadLiveKeys(db, hashes), pushed: () => true, capacity: 100 })
  for (let i = 0; i < 3; i++) {
    const found = (await cache.find(secret))!
    found.seen!.from ||= '116.24.8.9'
    found.seen!.model = 'gpt-6-luna'
  }
  expect(cache.takeOldUses()).toEqual(new Map([[hashKeySecret(secret), 3]]))
  await recordKeyUses(db, cache.takeUsed())
  expect(await rowOf(userId)).toMatchObject({ lastFrom: '116.24.*.*', lastModel: 'gpt-6-luna' })
  expect(cache.takeUsed().size + cache.takeOldUses().size).toBe(0)
})

test('thirty days by key: days without use are there, sums are exact', async () => {
  const userId = await aBuyer()
  const { key } = await aKey(db, userId)
  await aKey(db, userId, { name: 'unused' })
  const day = 86_400_000
  const calls = [0, 0, 3, 29, 31].map((ago, i) =>
    aSettledCall(aReservedCall(key, { leaseId: 1n }, { held: 5n, more: { startedAt: Date.now() - ago * day } }), BigInt(i) * 111n + 1n),
  )
  await writeFlush(db, 'n', { opened: [], settled: calls, closed: [] })
  const { keys } = await keySpend(ctxOf(userId))
  expect(keys).toHaveLength(1)
  expect(keys[0]).toMatchObject({ keyId: key.keyId, callNum: 4, consumeAmount: '0.00000067' })
  expect(keys[0]!.days).toHaveLength(30)
  expect(keys[0]!.days.at(-1)).toBe('0.000000113')
})

test('a test call has a secret for itself that ends with it, and there are so many an hour', async () => {
  const userId = await aBuyer()
  const { key } = await aKey(db, userId)
  const press = () => testKey(ctxOf(userId), { keyId: key.keyId, model: 'gpt-6-luna', text: 'hi' })
  const { body } = await press()
  const live = () => db.query(`select 1 from gateway_key_secrets where key_id = $1 and ends_at > now()`, [key.keyId])
  expect(await live()).toHaveLength(1)
  // no gateway runs in this test: the call fails, and the secret still ends
  const read = async () => {
    for await (const piece of body as AsyncIterable<string>) expect(piece).toBe('')
  }
  await expect(read()).rejects.toThrow()
  expect(await live()).toEqual([])
  for (let i = 1; i < MAX_TESTS_PER_HOUR; i++) await press()
  await expect(press()).rejects.toMatchObject({ errorName: 'TEST_TOO_MANY' })
  await db.owner.query(`update gateway_key_secrets set ends_at = now() - interval '31 days' where key_id = $1`, [key.keyId])
  await deleteEndedSecrets(db)
  expect(await db.query('select 1 from gateway_key_secrets where key_id = $1', [key.keyId])).toEqual([])
})
