import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Failure } from '#platform/shared/errors.ts'
import { systemClock } from '#platform/server/clock.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { createLog } from '#platform/server/log.ts'
import { createSettings } from '#platform/server/settings.ts'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aSignedInUser, freezeAccount, thawAccount } from '#features/account/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey } from '../builders.ts'
import { createKeyCache } from './cache/key-cache.ts'
import { pauseKey, resumeKey } from './data.ts'
import { loadLiveKeys, startListener } from './listener.ts'
import { isSecretWellFormed, generateKeySecret, hashKeySecret } from './secret.ts'
import { deleteKey, updateKey } from './change-key.ts'
import { generateKey } from './generate-key.ts'
import { listKeys } from './list-keys.ts'
import { createKeyFlag } from '../settings.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { PATIENCE_MS, scaleTimeout } from '#platform/testing/patience.ts'

const log = createLog('silent')
const secretKey = randomBytes(32)
let db: Db & { url: string; owner: Db }
const stops: Array<() => Promise<void>> = []
beforeAll(async () => {
  db = await useTestDb()
})
afterAll(async () => {
  for (const stop of stops) await stop()
})

/** Creates a user with money and a fresh sign-in, which creating a key requires. */
async function aBuyer(wish?: { purchased: bigint }): Promise<string> {
  const userId = await aFundedUser(db, wish)
  await aSignedInUser(db, userId)
  return userId
}
const ctxOf = (userId: string): Ctx => ({
  db,
  log,
  secretKey,
  secretKeys: [secretKey],
  settings: createSettings(db, 0),
  clock: systemClock,
  userId,
  actor: { kind: 'user', id: userId },
  tx: undefined,
  lang: 'zh',
  clientType: 1,
  requestId: 'req_test',
  ip: '127.0.0.1',
  userAgent: '',
  sessionId: `ses_${userId}`,
  publicUrl: () => '',
  siteUrl: () => '',
  jobs: { send: async () => {} },
  config: {} as Ctx['config'],
})
const refusal = async (work: Promise<unknown>) => {
  try {
    await work
  } catch (error) {
    return error instanceof Failure ? error.errorName : error
  }
  return 'accepted'
}
const page = { pageNum: 1, pageSize: 20, includeDeleted: 'false' } as const

function aCache(now?: () => number) {
  let loads = 0
  let sure = () => false
  const cache = createKeyCache({
    load: (hashes) => {
      loads++
      return loadLiveKeys(db, hashes)
    },
    pushed: () => sure(),
    capacity: 1000,
    ...(now && { now }),
  })
  const listener = startListener(db, { gateway_keys: cache.forget, account_status: cache.forgetUser }, { onGap: cache.forgetAll, log })
  sure = listener.sure
  stops.push(listener.stop)
  return { cache, listener, loads: () => loads }
}

describe('keys', () => {
  test('made with a balance, kept as a hash, masked in lists', async () => {
    const userId = await aBuyer()
    const made = await generateKey(ctxOf(userId), { keyName: '生产环境' })
    expect(made.apiToken).toMatch(/^sk-[0-9A-Za-z]{48}$/)
    const { rowList, totalRecord } = await listKeys(ctxOf(userId), page)
    expect(totalRecord).toBe(1)
    expect(rowList[0]).toMatchObject({
      keyId: made.keyId,
      keyName: '生产环境',
      apiToken: `sk·······${made.apiToken.slice(-4)}`,
      lastUseAt: null,
      status: 'active',
    })
    const dump = JSON.stringify(
      await db.query(
        `select k::text as a, (select string_agg(t::text, '') from audit_rows t) as b, (select string_agg(t::text, '') from idempotency_keys t) as c, (select string_agg(t::text, '') from outbox t) as d from gateway_keys k`,
      ),
    )
    expect(dump).not.toContain(made.apiToken.slice(3, 40))
    expect(dump).toContain(hashKeySecret(made.apiToken))
  })

  test('needs a balance above 0, and the switch', async () => {
    const poor = await aBuyer({ purchased: 0n })
    expect(await refusal(generateKey(ctxOf(poor), { keyName: 'x' }))).toBe('KEY_NEEDS_BALANCE')
    const rich = await aBuyer()
    await transact(db, SYSTEM, async (tx) => {
      await ctxOf(rich).settings.set(tx, createKeyFlag, false)
    })
    expect(await refusal(generateKey(ctxOf(rich), { keyName: 'x' }))).toBe('KEY_CREATE_OFF')
    await transact(db, SYSTEM, async (tx) => {
      await ctxOf(rich).settings.set(tx, createKeyFlag, true)
    })
  })

  test('the same request 50 times in parallel: one key, one secret; another name or user: not that key', async () => {
    const [userId, other] = [await aBuyer(), await aBuyer()]
    const requestKey = randomBytes(16).toString('hex')
    const made = await Promise.all(Array.from({ length: 50 }, () => generateKey(ctxOf(userId), { keyName: 'a', requestKey })))
    expect(new Set(made.map((key) => key.apiToken)).size).toBe(1)
    expect((await listKeys(ctxOf(userId), page)).totalRecord).toBe(1)
    expect(await refusal(generateKey(ctxOf(userId), { keyName: 'b', requestKey }))).toBe('KEY_REQUEST_USED')
    const others = await generateKey(ctxOf(other), { keyName: 'a', requestKey })
    expect(others.apiToken).not.toBe(made[0]!.apiToken)
    await deleteKey(ctxOf(userId), { keyId: made[0]!.keyId })
    expect(await refusal(generateKey(ctxOf(userId), { keyName: 'a', requestKey }))).toBe('KEY_REQUEST_USED')
  })

  test("renamed and deleted by id or by secret, never another user's", async () => {
    const [userId, stranger] = [await aBuyer(), await aBuyer()]
    const made = await generateKey(ctxOf(userId), { keyName: 'a' })
    await updateKey(ctxOf(userId), { apiToken: made.apiToken, keyName: 'b' })
    await updateKey(ctxOf(userId), { apiToken: made.keyId, keyName: 'c' })
    for (const ref of [{ keyId: made.keyId }, { apiToken: made.apiToken }, { keyId: 'key_none' }]) {
      expect(await refusal(updateKey(ctxOf(stranger), { ...ref, keyName: 'mine' }))).toBe('KEY_NOT_FOUND')
      expect(await refusal(deleteKey(ctxOf(stranger), ref))).toBe('KEY_NOT_FOUND')
    }
    await deleteKey(ctxOf(userId), { apiToken: made.apiToken })
    expect(await refusal(deleteKey(ctxOf(userId), { keyId: made.keyId }))).toBe('KEY_NOT_FOUND')
    expect((await listKeys(ctxOf(userId), page)).rowList).toEqual([])
    expect((await listKeys(ctxOf(userId), { ...page, includeDeleted: 'true' })).rowList).toMatchObject([{ keyName: 'c', status: 'deleted' }])
  })
})

describe('memory', () => {
  test('M8: a deleted key is refused within a second in every process, also without notifications', async () => {
    const userId = await aBuyer()
    const made = await generateKey(ctxOf(userId), { keyName: 'a' })
    const [one, two, deaf] = [aCache(), aCache(), aCache()]
    await deaf.listener.stop()
    await expect.poll(() => one.listener.sure() && two.listener.sure()).toBe(true)
    for (const { cache } of [one, two, deaf]) {
      expect(await cache.find(made.apiToken)).toMatchObject({ keyId: made.keyId, userId })
      expect(cache.find(made.apiToken)).not.toBeInstanceOf(Promise)
    }
    await new Promise((done) => {
      setTimeout(done, 1200)
    })
    expect(one.cache.find(made.apiToken)).not.toBeInstanceOf(Promise)
    await deleteKey(ctxOf(userId), { keyId: made.keyId })
    const deletedAt = Date.now()
    for (const { cache } of [one, two, deaf]) {
      await expect.poll(() => cache.find(made.apiToken), { interval: 10 }).toBeUndefined()
      expect(Date.now() - deletedAt).toBeLessThan(scaleTimeout(1_000))
    }
  })

  test('with the LISTEN connection cut, keys still work and revocation still takes less than a second', async () => {
    const userId = await aBuyer()
    const [kept, gone] = [await generateKey(ctxOf(userId), { keyName: 'a' }), await generateKey(ctxOf(userId), { keyName: 'b' })]
    const one = aCache()
    await expect.poll(() => one.listener.sure()).toBe(true)
    await one.cache.find(kept.apiToken)
    await one.cache.find(gone.apiToken)
    await db.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mingxi-gateway-news' and datname = current_database()`,
    )
    await deleteKey(ctxOf(userId), { keyId: gone.keyId })
    const deletedAt = Date.now()
    await expect.poll(() => one.cache.find(gone.apiToken), { interval: 10 }).toBeUndefined()
    expect(Date.now() - deletedAt).toBeLessThan(scaleTimeout(1_000))
    expect(await one.cache.find(kept.apiToken)).toBeDefined()
    await expect.poll(() => one.listener.sure()).toBe(true)
  })

  test('a new key works at once, though it was looked up before it existed', async () => {
    const userId = await aBuyer()
    const { cache, listener } = aCache()
    await expect.poll(() => listener.sure()).toBe(true)
    const requestKey = randomBytes(16).toString('hex')
    const { deriveKeySecret } = await import('./secret.ts')
    const secret = deriveKeySecret(secretKey, userId, requestKey)
    expect(await cache.find(secret)).toBeUndefined()
    await generateKey(ctxOf(userId), { keyName: 'a', requestKey })
    await expect.poll(() => cache.find(secret), { interval: 5 }).toMatchObject({ userId })
  })

  test('a flood of made-up keys asks the database next to nothing, and memory stays bounded', async () => {
    let now = Date.now()
    const { cache, loads, listener } = aCache(() => now)
    // The first notification clears the cache, so wait for it.
    await expect.poll(() => listener.sure()).toBe(true)
    expect(isSecretWellFormed(generateKeySecret())).toBe(true)
    for (let i = 0; i < 5000; i++) expect(cache.find(`sk-${randomBytes(24).toString('hex')}`)).toBeUndefined()
    expect(cache.find('')).toBeUndefined()
    expect(cache.find('x'.repeat(10_000))).toBeUndefined()
    expect(loads()).toBe(0)
    // with a valid checksum: a thousand per statement, two statements at a time
    const made = Array.from({ length: 20_000 }, generateKeySecret)
    expect(await Promise.all(made.map((secret) => cache.find(secret)))).toEqual(made.map(() => undefined))
    expect(loads()).toBeLessThanOrEqual(40)
    const before = loads()
    for (const secret of made.slice(-1000)) expect(cache.find(secret)).toBeUndefined()
    expect(loads()).toBe(before)
    now += 2000
    expect(await cache.find(made.at(-1)!)).toBeUndefined()
    expect(loads()).toBe(before + 1)
  })

  test('the cache holds no more keys than its capacity; keys in use stay', async () => {
    const cache = createKeyCache({
      load: async (hashes) => new Map(hashes.map((hash) => [hash, { keyId: hash, userId: 'u', accountId: 1n, onDisconnect: 'abort' as const }])),
      pushed: () => true,
      capacity: 100,
    })
    const hot = generateKeySecret()
    await cache.find(hot)
    for (let i = 0; i < 500; i++) {
      await cache.find(generateKeySecret())
      cache.find(hot)
    }
    expect(cache.size()).toBeLessThanOrEqual(100)
    expect(cache.find(hot)).not.toBeInstanceOf(Promise)
  })
})

test('pausing a key and resuming it reaches every process', async () => {
  const userId = await aBuyer()
  const { secret, key } = await aKey(db, userId, { name: 'x' })
  const { cache, listener } = aCache()
  await vi.waitFor(() => expect(listener.sure()).toBe(true), { timeout: PATIENCE_MS })
  const paused = async () => (await cache.find(secret))?.limits?.paused
  expect(await paused()).toBeUndefined()
  await pauseKey(db, key.keyId, { at: new Date(), reason: 'test', by: 'operator:op-1' })
  await vi.waitFor(async () => expect(await paused()).toBe(true), { timeout: PATIENCE_MS })
  await resumeKey(db, key.keyId)
  await vi.waitFor(async () => expect(await paused()).toBeUndefined(), { timeout: PATIENCE_MS })
})

describe('a frozen user', () => {
  test('has no living key, made before, after or meanwhile; thawed, each works again', async () => {
    const userId = await aBuyer()
    const before = (await aKey(db, userId, { name: 'before' })).secret
    const { cache, listener } = aCache()
    await vi.waitFor(() => expect(listener.sure()).toBe(true), { timeout: PATIENCE_MS })
    expect((await cache.find(before))?.userId).toBe(userId)
    await freezeAccount(ctxOf(userId), SYSTEM, { userId, reason: 'test' })
    await vi.waitFor(async () => expect(await cache.find(before)).toBeUndefined(), { timeout: PATIENCE_MS })
    const meanwhile = (await aKey(db, userId, { name: 'meanwhile' })).secret
    expect(await cache.find(meanwhile)).toBeUndefined()
    await thawAccount(ctxOf(userId), SYSTEM, { userId, reason: 'test' })
    for (const secret of [before, meanwhile]) await vi.waitFor(async () => expect((await cache.find(secret))?.userId).toBe(userId), { timeout: PATIENCE_MS })
  })

  test('whose calls alone are frozen has keys that say so, until they are thawed', async () => {
    const userId = await aBuyer()
    const { secret } = await aKey(db, userId, { name: 'x' })
    const { cache, listener } = aCache()
    await vi.waitFor(() => expect(listener.sure()).toBe(true), { timeout: PATIENCE_MS })
    const frozen = async () => (await cache.find(secret))?.limits?.callsFrozen
    expect(await frozen()).toBeUndefined()
    await freezeAccount(ctxOf(userId), SYSTEM, { userId, reason: 'test', scopes: ['money_out'] })
    expect(await frozen()).toBeUndefined()
    await freezeAccount(ctxOf(userId), SYSTEM, { userId, reason: 'test', scopes: ['calls'] })
    await vi.waitFor(async () => expect(await frozen()).toBe(true), { timeout: PATIENCE_MS })
    await thawAccount(ctxOf(userId), SYSTEM, { userId, reason: 'test', scopes: ['calls'] })
    await vi.waitFor(async () => expect(await frozen()).toBeUndefined(), { timeout: PATIENCE_MS })
  })

  test('is refused without a notification too, once the entry is old', async () => {
    const userId = await aBuyer()
    const secret = (await aKey(db, userId, { name: 'x' })).secret
    let now = 1_000_000
    const cache = createKeyCache({ load: (hashes) => loadLiveKeys(db, hashes), pushed: () => false, capacity: 100, now: () => now })
    expect(await cache.find(secret)).toBeDefined()
    await freezeAccount(ctxOf(userId), SYSTEM, { userId, reason: 'test' })
    now += 701
    expect(await cache.find(secret)).toBeUndefined()
  })
})
