import { createHmac } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser, type BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { invitations } from '#features/invitations/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { storeMarks, hashMark } from '#features/risk/server/door.ts'
import { risk } from '#features/risk/server/index.ts'
import { moveTask, selectTask, workTask } from '#features/services/server/door.ts'
import { makeTrialEligible } from '#features/services/server/builders.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { flex } from './index.ts'
import { upsertAccount, updateAccountState } from './seats/data.ts'
import { syncAccounts } from './seats/sync-accounts.ts'
import { sandboxFault, trialsPerDay } from './settings.ts'
import type { SeatSupplierFault } from './vendors/port.ts'
import { createAccessToken } from './voice/token.ts'

const db = await useTestDb({ max: 30 })
const features = [flex, services, payments, invitations, wallet, account, notices, risk, support]
const env = { LIVEKIT_URL: 'wss://voice.example.com', LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 's'.repeat(32) }
const { app, call, deps } = createTestApp({ features, db, clock: createRunningClock(), env })
const PIN = '271828'
const featureFlags = support.settings!.find(({ key }) => key === 'support.features')!
let user: BuiltUser

beforeAll(async () => {
  await flex.start?.(deps, new Set())
  await syncAccounts(deps)
})
const set = (fault: SeatSupplierFault) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, sandboxFault, fault))
const aBuyer = async (dollars = 100n) => {
  const made = await aUser(deps)
  const { userId } = made
  await Promise.all([aPayPassword(deps, userId, PIN), aFundedUser(db, { userId, purchased: dollars * NANO_PER_USD }), makeTrialEligible(db, userId)])
  return made
}
beforeEach(async () => {
  await set('none')
  user = await aBuyer()
})

const apply = (packageId: number, who: Pick<BuiltUser, 'token'> = user, inviteCode = '') =>
  call('POST', '/v1/tool/openaiPlus/applySharePlus', { packageId, inviteCode }, { token: who.token, idempotencyKey: createId('key') })
const pay = (wanted: object, who = user) =>
  call('POST', '/v1/pay/balancePay', { ...wanted, amount: undefined, payPassword: PIN }, { token: who.token, idempotencyKey: createId('key') })
const get = (path: string, query: object = {}, who = user) => call('GET', `/v1/tool/openaiPlus/${path}`, query, { token: who.token })
const bought = async (packageId: number, who = user): Promise<string> => {
  const { data } = await apply(packageId, who)
  expect((await pay(data.pay, who)).code).toBe(200)
  await workTask(deps, data.taskId)
  return data.taskId
}
const task = async (id: string) => (await selectTask(db, id))!
const has = async () => formatUsd((await readBalance(db, user.userId)).available)
const useOf = async (platform: number) => (await get('shareUseInfo')).data.rowList.find((row: { platformId: number }) => row.platformId === platform)
const over = async (id: string) => {
  await db.owner.query(`update services_tasks set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [id])
  await workTask(deps, id)
}
const FREE = 'select count(*)::int as n from flex_seats s join flex_accounts a on a.id = s.account_id where a.ref = $1 and task_id is null'
const free = async (ref: string) => (await db.query<{ n: number }>(FREE, [ref]))[0]!.n
/** The sandbox's active members match our taken seats. */
const booksAgree = async () => {
  const [row] = await db.query<{ theirs: bigint; ours: bigint }>(
    `select (select count(*) from flex_sandbox_members where state <> 'removed') as theirs,
      (select count(*) from flex_seats s join flex_accounts a on a.id = s.account_id where task_id is not null and a.supplier = 'sandbox') as ours`,
  )
  expect(row!.theirs).toBe(row!.ours)
  expect((await verifyLedger(db)).problems).toEqual([])
}

describe('a subscription', () => {
  test('is paid, set up, entered, counted in windows, and over; its seat is free again', async () => {
    const before = await free('shared-1-plus')
    expect(await useOf(1)).toMatchObject({ useStatus: 0, isPlatformNewUser: true, expireDate: '-' })
    const id = await bought(2)
    expect(await task(id)).toMatchObject({ state: 'in_use', money: 'charged', supplier: 'sandbox' })
    expect(await has()).toBe('90.1')
    expect(await free('shared-1-plus')).toBe(before - 1)
    expect(await useOf(1)).toMatchObject({ useStatus: 1, remainDay: 30, shareType: 2, cnName: 'ChatGPT Plus 月卡', tabKey: 'chatgpt' })
    const { shareUrl } = (await get('shareUrl', { platform: 1 })).data
    const path = new URL(shareUrl).pathname
    expect((await app.inject({ url: path })).body).toContain('ChatGPT')
    await app.inject({ method: 'POST', url: path })
    const [window] = (await get('windows', { platform: 1 })).data.rowList
    expect(window).toMatchObject({ service: 'chatgpt', used: 1, allowed: 30 })
    expect(Date.parse(window.resetTime)).toBeGreaterThan(Date.now() + 2.9 * 3_600_000)
    // Each entry gets a new address
    await get('shareUrl', { platform: 1 })
    expect((await app.inject({ url: path })).statusCode).toBe(404)
    const other = await aUser(deps)
    expect((await get('shareUrl', { platform: 1 }, other)).code).toBe(3724)
    expect((await get('shareUrl', { platform: 2 })).code).toBe(3724)
    await over(id)
    expect(await task(id)).toMatchObject({ state: 'expired', atSupplier: false })
    expect(await free('shared-1-plus')).toBe(before)
    expect(await useOf(1)).toMatchObject({ useStatus: 2, isExpired: true, isPlatformNewUser: false })
    expect((await get('pageList')).data.rowList).toMatchObject([{ packageId: 2, state: 'expired', charged: '9.9' }])
    await booksAgree()
  })

  test('of both platforms takes a seat on each; a second kind is refused while it lasts', async () => {
    const id = await bought(7)
    expect(Object.keys((await task(id)).facts['members'] as object)).toEqual(['1', '2'])
    expect(await useOf(3)).toMatchObject({ useStatus: 1, shareType: 7 })
    expect((await get('shareUrl', { platform: 3, service: 'claude' })).data.service).toBe('claude')
    expect((await apply(5)).code).toBe(3722)
    await over(id)
    await booksAgree()
  })

  test('is renewed by its own kind and by its extension, each adding its days once', async () => {
    const id = await bought(30)
    const end = (await task(id)).expiresAt!.getTime()
    const more = (await call('POST', '/v1/tool/openaiPlus/applyExtension', { platform: 1 }, { token: user.token, idempotencyKey: createId('key') })).data
    expect(more.pay.amount).toBe('4.9')
    expect((await pay(more.pay)).code).toBe(200)
    await Promise.all([workTask(deps, more.taskId), workTask(deps, more.taskId)])
    expect((await task(id)).expiresAt!.getTime()).toBe(end + 10 * 86_400_000)
    await bought(30)
    expect((await task(id)).expiresAt!.getTime()).toBe(end + 40 * 86_400_000)
    expect(await has()).toBe('69.3')
    expect((await apply(24)).code).toBe(3724)
    await over(id)
  })

  test('that ended before its extension came costs nothing more', async () => {
    const id = await bought(30)
    const { data } = await apply(34)
    await pay(data.pay)
    await over(id)
    await workTask(deps, data.taskId)
    expect(await task(data.taskId)).toMatchObject({ state: 'failed', cause: 'not_in_use', money: 'released' })
    expect(await has()).toBe('87.1')
    await booksAgree()
  })
})

describe('the supplier', () => {
  test.each([
    ['refused', 'failed', 'released'],
    ['lost', 'in_use', 'charged'],
    ['double', 'in_use', 'charged'],
    ['slow', 'in_use', 'charged'],
  ] as const)('%s: %s, money %s, one member at most', async (fault, state, money) => {
    await set(fault)
    const { data } = await apply(5)
    await pay(data.pay)
    await workTask(deps, data.taskId)
    if (fault === 'slow') await db.owner.query(`update flex_sandbox_members set created_at = now() - interval '1 minute'`)
    await workTask(deps, data.taskId)
    expect(await task(data.taskId)).toMatchObject({ state, money })
    await set('none')
    // A user whose trial failed may try again
    if (state === 'failed') expect(await useOf(2)).toMatchObject({ useStatus: 0, isPlatformNewUser: true })
    else await over(data.taskId)
    await booksAgree()
  })

  test.each(['down', 'text', 'late'] as const)('%s until the deadline: the money is released, and no member stays at the supplier', async (fault) => {
    await set(fault)
    const { data } = await apply(5)
    await pay(data.pay)
    await workTask(deps, data.taskId)
    expect((await task(data.taskId)).state).toBe('ordered')
    await db.owner.query(`update services_tasks set deadline_at = now() - interval '1 second' where id = $1`, [data.taskId])
    await workTask(deps, data.taskId)
    expect(await task(data.taskId)).toMatchObject({ state: 'failed', cause: 'too_late', money: 'released' })
    await set('none')
    await workTask(deps, data.taskId)
    expect(await has()).toBe('100')
    await booksAgree()
  })

  test('takes an account back: the days left are given back, and its seats are sold no more', async () => {
    const id = await bought(41)
    await db.owner.query(
      `update services_tasks set delivered_at = clock_timestamp() - interval '15 days', expires_at = clock_timestamp() + interval '15 days' where id = $1`,
      [id],
    )
    const [lost] = await db.query<{ id: bigint }>(`select id from flex_accounts where ref = 'shared-6-plus'`)
    const state = (to: 'lost' | 'open') => transact(db, SYSTEM, (tx) => updateAccountState(tx, lost!.id, to))
    await state('lost')
    await workTask(deps, id)
    expect(await task(id)).toMatchObject({ state: 'ended', cause: 'account_lost' })
    expect(['92.54', '92.55']).toContain(await has())
    expect((await apply(41)).code).toBe(3721)
    await state('open')
  })

  test('takes an account back: the days of a renewal are given back as well', async () => {
    const id = await bought(41)
    const more = await bought(41)
    expect(await task(more)).toMatchObject({ state: 'extended', charged: parseUsd('14.9') })
    const before = parseUsd(await has())
    const [lost] = await db.query<{ id: bigint }>(`select id from flex_accounts where ref = 'shared-6-plus'`)
    const state = (to: 'lost' | 'open') => transact(db, SYSTEM, (tx) => updateAccountState(tx, lost!.id, to))
    await state('lost')
    await workTask(deps, id)
    expect(await task(id)).toMatchObject({ state: 'ended', cause: 'account_lost' })
    // Almost all of the sixty days remain
    expect(parseUsd(await has()) - before).toBeGreaterThan(parseUsd('29.7'))
    expect(parseUsd(await has()) - before).toBeLessThanOrEqual(parseUsd('29.8'))
    expect((await task(more)).state).toBe('extended')
    await state('open')
    await booksAgree()
  })
})

describe('trials, codes, switches', () => {
  test('a trial is free, once per person and platform, within a daily limit', async () => {
    const { data } = await apply(1)
    expect(data.pay).toBeNull()
    await workTask(deps, data.taskId)
    expect((await get('shareTrialUrl', { platform: 1 })).code).toBe(200)
    expect((await get('shareUrl', { platform: 1 })).code).toBe(3724)
    await over(data.taskId)
    expect((await apply(1)).code).toBe(3723)
    const limit = (most: number) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, trialsPerDay, most))
    await limit(1)
    expect((await apply(1, await aBuyer())).code).toBe(3730)
    await limit(200)
  })

  test('a deleted account that returns with the same e-mail gets no second trial', async () => {
    const { email, password, token } = await aBuyer(0n)
    const { data } = await apply(1, { token })
    await workTask(deps, data.taskId)
    await over(data.taskId)
    expect((await call('POST', '/v1/user/deleteAccount', { password }, { token })).code).toBe(200)
    user = await aUser(deps, { email })
    expect([await useOf(1), (await apply(1)).code]).toMatchObject([{ isPlatformNewUser: false }, 3723])
  })

  test('a trial that the supplier refuses is not used up', async () => {
    await set('refused')
    const { data } = await apply(1)
    await workTask(deps, data.taskId)
    expect(await task(data.taskId)).toMatchObject({ state: 'failed', cause: 'refused' })
    await set('none')
    expect(await useOf(1)).toMatchObject({ useStatus: 0, isPlatformNewUser: true })
    const again = (await apply(1)).data
    await workTask(deps, again.taskId)
    expect(await task(again.taskId)).toMatchObject({ state: 'in_use' })
    await over(again.taskId)
    expect((await apply(1)).code).toBe(3723)
  })

  test('a friend’s code takes two dollars off a first month only, and a member’s own code is refused', async () => {
    const friend = await aUser(deps)
    const code = 'FRIEND9'
    expect((await call('POST', '/invitation/code', { code }, { token: friend.token })).code).toBe(200)
    const prices = (await get('getPrice', { inviteCode: code })).data
    expect(prices.code).toBe('taken')
    expect(prices.rowList.find(({ id }: { id: number }) => id === 5)).toMatchObject({ price: '9.9', discount: '2', total: '7.9' })
    expect(prices.rowList.find(({ id }: { id: number }) => id === 10)).toMatchObject({ discount: '0' })
    expect((await apply(5, friend, code)).code).toBe(3725)
    const { data } = await apply(5, user, code)
    expect(data.pay.amount).toBe('7.9')
    await pay(data.pay)
    await workTask(deps, data.taskId)
    expect((await get('getPrice', { inviteCode: code })).data.code).toBe('used')
    expect((await apply(5, user, code)).code).toBe(3726)
    // No discount on a second account that was paid with the same card either
    const second = await aBuyer()
    expect((await get('getPrice', { inviteCode: code }, second)).data.code).toBe('taken')
    for (const { userId } of [user, second]) await storeMarks(db, userId, { marks: [hashMark(deps, 'payer', code)], now: new Date() })
    expect((await get('getPrice', { inviteCode: code }, second)).data.code).toBe('used')
    expect((await apply(5, second, code)).code).toBe(3726)
    await over(data.taskId)
  })

  test('concurrent orders get the code’s discount once, and one seat per platform', async () => {
    const friend = await aUser(deps)
    const code = 'FRIEND8'
    expect((await call('POST', '/invitation/code', { code }, { token: friend.token })).code).toBe(200)
    const claude = (await apply(5, user, code)).data
    const sora = (await apply(41, user, code)).data
    const again = (await apply(5)).data
    expect([claude.pay.amount, sora.pay.amount, again.pay.amount]).toEqual(['7.9', '12.9', '9.9'])
    const paid = await Promise.all([pay(claude.pay), pay(sora.pay)])
    expect(paid.map((each) => each.code).sort()).toEqual([200, 3726])
    const winner = paid[0]!.code === 200 ? claude : sora
    await workTask(deps, winner.taskId)
    if (winner === sora) expect((await pay((await apply(5)).data.pay)).code).toBe(200)
    const before = await has()
    expect((await pay(again.pay)).code).toBe(3706)
    expect(await has()).toBe(before)
    for (const row of await db.query<{ id: string }>(`select id from services_tasks where user_id = $1 and phase in ('waiting', 'using')`, [user.userId])) {
      await workTask(deps, row.id)
      await over(row.id)
    }
    await booksAgree()
  })

  test('a switched-off platform sells nothing and admits no member', async () => {
    const id = await bought(2)
    const flags = (value: Record<string, boolean>) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, featureFlags, value))
    await flags({ enableChatGPT: false })
    expect((await get('shareUrl', { platform: 1 })).code).toBe(3703)
    expect((await apply(11, await aBuyer())).code).toBe(3703)
    expect((await apply(5, await aBuyer())).code).toBe(200)
    await flags({})
    await over(id)
  })
})

describe('seats', () => {
  const BUYERS = Number(process.env['BUYERS'] ?? (process.env['MONEY_TESTS'] === 'full' ? 200 : 24))
  const SEATS = Math.max(1, Math.round(BUYERS / 4))

  test(`${BUYERS} buyers at once on the last ${SEATS}: each is taken once, given back and sold again`, async () => {
    await db.owner.query(`update flex_accounts set state = 'closed' where platform = 1 and tier = 'o1'`)
    await transact(db, SYSTEM, (tx) => upsertAccount(tx, { supplier: 'sandbox', ref: 'last-ones', platform: 1, tier: 'o1', seats: SEATS, lost: false }))
    const buyers = await Promise.all(Array.from({ length: BUYERS }, () => aBuyer(20n)))
    const wanted = await Promise.all(buyers.map((who) => apply(11, who)))
    expect(new Set(wanted.map(({ code, msg }) => `${code} ${msg}`.slice(0, 60))).size, wanted.find(({ code }) => code !== 200)?.msg).toBe(1)
    const begun = performance.now()
    const took: number[] = []
    const paid = await Promise.all(
      wanted.map(async ({ data }, at) => {
        const reply = await pay(data.pay, buyers[at])
        took.push(performance.now() - begun)
        return reply
      }),
    )
    if (process.env['BUYERS']) console.info(JSON.stringify({ buyers: BUYERS, seats: SEATS, ...figuresOf(took) }))
    expect(paid.filter(({ code }) => code === 200)).toHaveLength(SEATS)
    expect(paid.filter(({ code }) => code === 3721)).toHaveLength(BUYERS - SEATS)
    expect(await free('last-ones')).toBe(0)
    const winners = wanted.filter((_, at) => paid[at]!.code === 200).map(({ data }) => data.taskId as string)
    const rows = await db.query<{ id: string }>(`select task_id as id from flex_seats s join flex_accounts a on a.id = s.account_id where a.ref = 'last-ones'`)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(winners.toSorted())
    const loser = paid.findIndex(({ code }) => code !== 200)
    expect(formatUsd((await readBalance(db, buyers[loser]!.userId)).available)).toBe('20')
    // All subscriptions expire, and as many buyers without a seat each buy a freed seat
    for (const id of winners) await workTask(deps, id)
    await booksAgree()
    await db.owner.query(`update services_tasks set expires_at = clock_timestamp() - interval '1 second' where id = any($1)`, [winners])
    for (const id of winners) await workTask(deps, id)
    expect(await free('last-ones')).toBe(SEATS)
    const others = wanted.flatMap(({ data }, at) => (paid[at]!.code === 200 ? [] : [{ pay: data.pay as object, who: buyers[at]! }]))
    const again = await Promise.all(others.map(({ pay: ask, who }) => pay(ask, who)))
    expect(again.filter(({ code }) => code === 200)).toHaveLength(SEATS)
    expect(await free('last-ones')).toBe(0)
    const uses = await db.query<{ n: number }>(
      `select count(*)::int as n from flex_seat_uses u join flex_accounts a on a.id = u.account_id where a.ref = 'last-ones' group by account_id, no`,
    )
    expect(uses.map(({ n }) => n)).toEqual(Array.from({ length: SEATS }, () => 1))
    expect((await verifyLedger(db)).problems).toEqual([])
  })
})

test('a supplier without an API is served by the desk: its link is entered, and the seat stays taken until the removal', async () => {
  await db.owner.query(`update flex_accounts set state = 'closed' where platform = 2 and tier = 'max'`)
  await transact(db, SYSTEM, (tx) => upsertAccount(tx, { supplier: 'desk', ref: 'team-1', platform: 2, tier: 'max', seats: 1, lost: false }))
  const id = await bought(6)
  expect(await task(id)).toMatchObject({ state: 'by_hand', waitsForPerson: true, money: 'held' })
  const finish = (from: string, to: object) => transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: [from], to: { to: '', ...to, supplier: 'desk' } }))
  await finish('by_hand', { to: 'in_use', facts: { shareUrl: 'https://claude.example.com/j/1' } })
  expect((await get('shareUrl', { platform: 2 })).data.shareUrl).toBe('https://claude.example.com/j/1')
  expect((await useOf(2)).remainDay).toBe(30)
  await over(id)
  expect([await free('team-1'), await task(id)]).toMatchObject([0, { state: 'leaving', waitsForPerson: true }])
  expect((await get('shareUrl', { platform: 2 })).code).toBe(3724)
  await finish('leaving', { to: 'removed' })
  await workTask(deps, id)
  expect([await free('team-1'), await task(id)]).toMatchObject([1, { state: 'removed', waitsForPerson: false, atSupplier: false }])
})

function figuresOf(took: readonly number[]) {
  const at = (share: number) => Math.round(took.toSorted((a, b) => a - b)[Math.min(took.length - 1, Math.floor(took.length * share))]!)
  return { halfMs: at(0.5), p99Ms: at(0.99), lastMs: at(1) }
}

test('a voice token opens the member’s own room at the LiveKit server and is signed with its secret', async () => {
  const id = await bought(2)
  const { data } = await get('livekitToken')
  const [head, body, signature] = (data.token as string).split('.') as [string, string, string]
  expect(createHmac('sha256', env.LIVEKIT_API_SECRET).update(`${head}.${body}`).digest('base64url')).toBe(signature)
  expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({
    iss: 'key',
    sub: user.userId,
    video: { roomJoin: true, room: `voice-${id}`, canPublish: true, canSubscribe: true },
  })
  expect(createAccessToken({ key: 'key', secret: 'x'.repeat(32) }, { identity: 'a', room: 'b', now: new Date(0), expires: new Date(1) })).not.toContain('=')
  await over(id)
  expect((await get('livekitToken')).code).toBe(3724)
})
