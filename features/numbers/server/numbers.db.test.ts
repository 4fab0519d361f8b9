import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anActiveCard } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { services } from '#features/services/server/index.ts'
import { sellService, workTask } from '#features/services/server/door.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import type { NumberRow } from '../contract.ts'
import { numbers } from './index.ts'
import { releaseUnmatchedNumbers } from './rent/unmatched-numbers.ts'

import { numbersSpec } from './spec.ts'
import { replaceNumberSuppliers } from './vendors/index.ts'
import type { InMemorySupplier } from './testing/in-memory-supplier.ts'
import { packsSpec } from './uses/packs.ts'
import { aFiveSimCompany, aHandlerApiCompany, aTwilioCompany } from './testing/number-companies.ts'
import { watchNumbers } from './watch/watch-numbers.ts'

const db = await useTestDb({ max: 30 })
const clock = createRunningClock()
const { app, call, deps, settle } = createTestApp({
  features: [numbers, services, cards, identity, payments, wallet, account, notices, risk, support],
  db,
  clock,
})
const handler = await aHandlerApiCompany({ now: () => clock.now() })
const five = await aFiveSimCompany({ now: () => clock.now() })
const twilio = await aTwilioCompany({ now: () => clock.now(), hook: 'http://localhost:3000/notify/number/twilio' })
const played: readonly InMemorySupplier[] = [handler, five, twilio]
const PIN = '271828'
const CODE = 'Your OpenAI code is: 739204'
let user: BuiltUser
afterAll(() => Promise.all([app.close(), ...played.map(({ company }) => company.close())]))

beforeAll(() => {
  sellService(deps, numbersSpec)
  sellService(deps, packsSpec)
})
beforeEach(async () => {
  replaceNumberSuppliers(deps, [handler.supplier, five.supplier])
  for (const one of played) {
    one.company.behave()
    Object.assign(one, { stock: 1000, funds: parseUsd('500'), locked: false })
  }
  handler.early = false
  await db.owner.query(`delete from numbers_tries`)
  await db.owner.query(`delete from settings where key like 'numbers.%'`)
  user = await aMember()
})

async function aMember(type: 'standard' | 'pro' = 'standard'): Promise<BuiltUser> {
  const one = await aUser(deps)
  await aPayPassword(deps, one.userId, PIN)
  await aFundedUser(db, { userId: one.userId, purchased: 10n * NANO_PER_USD })
  await anActiveCard(deps, { userId: one.userId, type })
  return one
}
const as = (who: BuiltUser) => ({ token: who.token, idempotencyKey: createId('key') })
const apply = async (who = user, input: object = { type: 1 }) => call('POST', '/v1/tool/reward/overseaMobile/apply', input, as(who))
const info = async (id: string, more: object = {}, who = user): Promise<NumberRow> =>
  (await call('GET', `/v1/tool/reward/overseaMobile/${id}`, more, { token: who.token })).data as NumberRow
const stat = async (who = user) => (await call('GET', '/v1/tool/reward/overseaMobileStat', {}, { token: who.token })).data
const cancel = (id: string, who = user) => call('POST', '/v1/tool/reward/overseaMobile/cancel', { id }, as(who))
/** Rents a number. */
async function rented(who = user, input?: object): Promise<NumberRow> {
  const { code, msg, data } = await apply(who, input)
  expect([code, msg]).toEqual([200, msg])
  await workTask(deps, data.id)
  return info(data.id, {}, who)
}
const pass = (id: string, what: 'deadline_at' | 'expires_at') =>
  db.owner.query(`update services_tasks set ${what} = clock_timestamp() - interval '1 second' where id = $1`, [id])
const due = () => db.owner.query(`update numbers_rentals set next_look_at = clock_timestamp() where state = 'open'`)
const watch = async () => {
  await due()
  await watchNumbers(deps)
}
const findSupplierOfNumber = (number: string): InMemorySupplier => played.find(({ book }) => book().open.includes(number))!
/** Our records of costs match the suppliers' books, and no supplier holds a number without an order. */
async function booksAgree(): Promise<void> {
  for (const one of played) {
    const { name } = one.supplier
    const [ours] = await db.query<{ kept: bigint }>(
      `select coalesce(sum(cost), 0)::bigint as kept from numbers_rentals where supplier = $1 and (state = 'kept' or received_at is not null)`,
      [name],
    )
    const open = await db.query<{ number: string }>(`select number from numbers_rentals where supplier = $1 and state = 'open' order by number`, [name])
    expect([name, ours!.kept, open.map(({ number }) => number)]).toEqual([name, one.book().spent, one.book().open.toSorted()])
  }
}

describe('a number', () => {
  test('is rented from the cheapest supplier, gets its code and takes one use; a second text is free', async () => {
    const row = await rented()
    expect(row).toMatchObject({ state: 'waiting', number: expect.stringMatching(/^\+1646/), service: 'openai', country: 'US', paidBy: 'card', code: '' })
    expect(await stat()).toMatchObject({ included: { allowed: 3, used: 1, left: 2 }, remaining: 2, minutes: 25 })
    five.deliver(row.number, CODE)
    await watch()
    expect(await info(row.id)).toMatchObject({ state: 'received', code: '739204', message: CODE, returned: false })
    five.deliver(row.number, CODE)
    await watch()
    await watch()
    expect((await info(row.id)).messages).toHaveLength(2)
    await pass(row.id, 'expires_at')
    await workTask(deps, row.id)
    await workTask(deps, row.id)
    expect(await info(row.id)).toMatchObject({ state: 'received', endedTime: expect.any(String) })
    expect((await stat()).remaining).toBe(2)
    await booksAgree()
  })

  test('without a text by the deadline is given back with its use; a text at the last moment counts', async () => {
    const row = await rented()
    await pass(row.id, 'deadline_at')
    await workTask(deps, row.id)
    await workTask(deps, row.id)
    expect(await info(row.id)).toMatchObject({ state: 'expired', cause: 'no_code', returned: true })
    expect((await stat()).remaining).toBe(3)
    const other = await rented()
    findSupplierOfNumber(other.number).deliver(other.number, CODE)
    await pass(other.id, 'deadline_at')
    await workTask(deps, other.id)
    expect(await info(other.id)).toMatchObject({ state: 'received', code: '739204' })
    await pass(other.id, 'expires_at')
    await workTask(deps, other.id)
    await workTask(deps, other.id)
    await booksAgree()
  })

  test('that its user gives back returns the use; a text that crosses it is neither charged nor shown', async () => {
    const row = await rented()
    const whom = findSupplierOfNumber(row.number)
    expect((await cancel(row.id)).data).toMatchObject({ state: 'cancelled', returned: true })
    whom.deliver(row.number, CODE)
    await workTask(deps, row.id)
    expect(await info(row.id)).toMatchObject({ state: 'cancelled', code: '', message: '', messages: [] })
    expect((await stat()).remaining).toBe(3)
    expect((await cancel(row.id)).code).toBe(3797)
    await booksAgree()
  })

  test('is hidden from other members, who cannot give it back', async () => {
    const row = await rented()
    const stranger = await aMember()
    expect((await call('GET', `/v1/tool/reward/overseaMobile/${row.id}`, {}, { token: stranger.token })).code).toBe(3796)
    expect((await cancel(row.id, stranger)).code).toBe(3796)
    expect((await call('GET', '/v1/tool/reward/overseaMobile/available', {}, { token: stranger.token })).data.current).toBeNull()
    expect((await call('GET', '/v1/tool/reward/overseaMobile/pageList', {}, { token: stranger.token })).data.totalRecord).toBe(0)
    await cancel(row.id)
    await workTask(deps, row.id)
  })

  test('needs a card, is one at a time, and is given back only so many times an hour', async () => {
    const poor = await aUser(deps)
    expect((await apply(poor)).code).toBe(3791)
    const row = await rented()
    expect(await apply()).toMatchObject({ code: 3793, data: { id: row.id } })
    await cancel(row.id)
    await workTask(deps, row.id)
    await db.owner.query(`insert into settings (key, value, updated_by) values ('numbers.cancels_an_hour', '1', 'test')`)
    expect((await apply()).code).toBe(3794)
    expect((await apply(user, { type: 1, country: 'DE' })).code).toBe(3795)
  })

  test('is rented once, for one use, by ten concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => apply()))
    const good = replies.filter(({ code }) => code === 200)
    expect([good.length, new Set(replies.filter(({ code }) => code !== 200).map(({ code }) => code))]).toEqual([1, new Set([3793])])
    const { id } = good[0]!.data
    await Promise.all([workTask(deps, id), workTask(deps, id), workTask(deps, id)])
    expect((await stat()).included.used).toBe(1)
    await cancel(id)
    for (let n = 0; n < 3; n++) await workTask(deps, id)
    await db.owner.query(`update numbers_strangers set seen_at = seen_at - interval '1 hour'`)
    await releaseUnmatchedNumbers(deps)
    await db.owner.query(`update numbers_strangers set seen_at = seen_at - interval '1 hour'`)
    await releaseUnmatchedNumbers(deps)
    await booksAgree()
  })
})

describe('uses', () => {
  test('three come with a card, six with Pro; then a pack for 1.47, charged once it is there, its rest paid back to the cent', async () => {
    expect(await stat(await aMember('pro'))).toMatchObject({ included: { allowed: 6, left: 6 } })
    await db.owner.query(`insert into settings (key, value, updated_by) values ('numbers.included', '{"standard":0,"pro":0}', 'test')`)
    expect(await apply()).toMatchObject({ code: 3792, data: { price: '1.47', count: 3 } })
    const { data: pay } = await call('POST', '/v1/tool/reward/overseaMobile/pack', {}, as(user))
    expect(pay).toMatchObject({ orderType: 4, amount: '1.47' })
    expect((await call('POST', '/v1/pay/balancePay', { orderType: 4, service: pay.service, payPassword: PIN }, as(user))).code).toBe(200)
    await workTask(deps, pay.service)
    expect(formatUsd((await readBalance(db, user.userId)).posted)).toBe('8.53')
    expect(await stat()).toMatchObject({ remaining: 3, packs: [{ total: 3, left: 3, worth: '1.47' }] })
    const row = await rented()
    expect(row).toMatchObject({ paidBy: 'pack' })
    const give = () => call('POST', '/v1/tool/reward/overseaMobile/returnPack', { id: pay.service }, as(user))
    // A pack is not refunded while a number may still give its use back
    expect((await give()).code).toBe(3797)
    findSupplierOfNumber(row.number).deliver(row.number, CODE)
    await watch()
    const [one, two] = await Promise.all([give(), give()])
    expect([one.code, two.code].toSorted()).toEqual([200, 3797])
    expect((one.code === 200 ? one : two).data).toEqual({ returned: '0.98' })
    expect(formatUsd((await readBalance(db, user.userId)).posted)).toBe('9.51')
    expect((await stat()).remaining).toBe(0)
    expect((await verifyLedger(db)).problems).toEqual([])
  })
})

test('a second card adds no free uses, and accounts without a card get none', async () => {
  await db.owner.query(`insert into settings (key, value, updated_by) values ('numbers.included', '{"standard":1,"pro":1}', 'test')`)
  const row = await rented()
  findSupplierOfNumber(row.number).deliver(row.number, CODE)
  await watch()
  await anActiveCard(deps, { userId: user.userId, type: 'standard' })
  expect((await apply()).code).toBe(3792)
  const others = await Promise.all(Array.from({ length: 5 }, () => aUser(deps)))
  expect(new Set(await Promise.all(others.map(async (one) => (await apply(one)).code)))).toEqual(new Set([3791]))
  await pass(row.id, 'expires_at')
  await workTask(deps, row.id)
  await workTask(deps, row.id)
  await booksAgree()
})

describe('suppliers', () => {
  test('a supplier without numbers or balance is skipped for the next; without any number the use is returned', async () => {
    five.stock = 0
    expect((await rented()).number).toMatch(/^\+1213/)
    const other = await aMember()
    five.stock = 1000
    five.funds = 0n
    expect((await rented(other)).number).toMatch(/^\+1213/)
    five.funds = parseUsd('500')
    for (const one of [handler, five]) one.stock = 0
    const third = await aMember()
    expect(await rented(third)).toMatchObject({ state: 'failed', cause: 'no_numbers', returned: true })
    expect((await stat(third)).remaining).toBe(3)
  })

  test('after a lost response another supplier serves, and the number that the first rented is found and given back', async () => {
    five.company.misbehave('reset-after', 1, /buy/)
    const row = await rented()
    expect(row).toMatchObject({ state: 'waiting', number: expect.stringMatching(/^\+1213/) })
    const before = five.book().open.length
    await releaseUnmatchedNumbers(deps)
    // It may belong to an order still in progress
    expect(five.book().open).toHaveLength(before)
    await db.owner.query(`update numbers_strangers set seen_at = seen_at - interval '1 hour'`)
    await releaseUnmatchedNumbers(deps)
    expect(five.book().open).toHaveLength(before - 1)
    expect(handler.book().open).toContain(row.number)
    await booksAgree()
  })

  test('a number that is refused an early return is given back later', async () => {
    replaceNumberSuppliers(deps, [handler.supplier])
    handler.early = true
    const row = await rented()
    await cancel(row.id)
    await workTask(deps, row.id)
    expect(handler.book().open).toContain(row.number)
    handler.early = false
    await workTask(deps, row.id)
    expect(handler.book().open).not.toContain(row.number)
  })

  test('a number that the supplier does not take back yet gives its member no free code', async () => {
    replaceNumberSuppliers(deps, [handler.supplier])
    handler.early = true
    const row = await rented()
    await cancel(row.id)
    await workTask(deps, row.id)
    handler.deliver(row.number, CODE)
    await watch()
    expect(await info(row.id)).toMatchObject({ state: 'cancelled', returned: true, code: '', messages: [] })
    handler.early = false
    await workTask(deps, row.id)
    await booksAgree()
  })

  test('a number that its supplier ends early returns the use at once', async () => {
    const row = await rented()
    findSupplierOfNumber(row.number).timeOut(row.number)
    await watch()
    expect(await info(row.id)).toMatchObject({ state: 'expired', cause: 'supplier_ended', returned: true })
    await booksAgree()
  })

  test('a supplier that is slow or down delays no other supplier’s codes, and loses none', async () => {
    const here = await rented()
    const other = await aMember()
    five.stock = 0
    const there = await rented(other)
    five.company.misbehave('hang-before', 1, /check/)
    findSupplierOfNumber(there.number).deliver(there.number, CODE)
    await watch()
    expect(await info(there.id, {}, other)).toMatchObject({ code: '739204' })
    five.company.behave()
    five.deliver(here.number, 'code 111222')
    await db.owner.query(`update numbers_rentals set next_look_at = clock_timestamp() where state = 'open'`)
    await expect
      .poll(
        async () => {
          await watchNumbers(deps)
          return (await info(here.id)).code
        },
        { timeout: 60_000, interval: 100 },
      )
      .toBe('111222')
  })

  test('a text that a supplier pushes arrives at once, and once however often it is sent; a forged one is refused', async () => {
    replaceNumberSuppliers(deps, [twilio.supplier])
    await db.owner.query(`insert into settings (key, value, updated_by) values ('numbers.most_cost', '"2"', 'test')`)
    const row = await rented()
    expect(row.number).toMatch(/^\+1415/)
    twilio.deliver(row.number, CODE)
    const notice = twilio.notices().at(-1)!
    const post = (headers: object) =>
      app.inject({
        method: 'POST',
        url: '/notify/number/twilio',
        payload: notice.body,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      })
    expect((await post({ 'x-twilio-signature': 'forged' })).statusCode).toBe(403)
    expect((await info(row.id)).state).toBe('waiting')
    for (let times = 0; times < 3; times++) expect((await post(notice.headers as object)).statusCode).toBe(200)
    await watch()
    expect(await info(row.id)).toMatchObject({ state: 'received', code: '739204', messages: [{ late: false }] })
    await pass(row.id, 'expires_at')
    await workTask(deps, row.id)
    await workTask(deps, row.id)
    await booksAgree()
    // The number is no longer ours: acknowledge the notice, store nothing
    expect((await post(notice.headers as object)).statusCode).toBe(200)
  })
})

test('a request that waits is answered the moment the code comes', async () => {
  const row = await rented()
  const answer = info(row.id, { version: row.version, waitSeconds: 25 })
  // No further poll: the notification wakes the waiting request
  findSupplierOfNumber(row.number).deliver(row.number, CODE)
  await watch()
  expect((await answer).code).toBe('739204')
  await settle()
})

test('every code of many concurrent numbers reaches its own member', async () => {
  const count = Number(process.env['NUMBERS'] ?? 12)
  const all = await Promise.all(Array.from({ length: count }, aMember.bind(undefined, 'standard')))
  // Started one after another, waiting concurrently
  const rows: NumberRow[] = []
  for (let at = 0; at < count; at += 10) rows.push(...(await Promise.all(all.slice(at, at + 10).map((one) => rented(one)))))
  // Long polls of members' pages stay open meanwhile
  const delays: number[] = []
  let delivered = 0
  const waiting = rows.map(async (row, at) => {
    if (at % 3 === 2) return
    await info(row.id, { version: row.version, waitSeconds: 25 }, all[at])
    delays.push(performance.now() - delivered)
  })
  delivered = performance.now()
  for (const [at, row] of rows.entries()) if (at % 3 !== 2) findSupplierOfNumber(row.number).deliver(row.number, `code ${100_000 + at}`)
  await watch()
  await Promise.all(waiting)
  if (process.env['NUMBERS']) console.info(JSON.stringify({ numbers: count, codes: delays.length, ...figuresOf(delays) }))
  const seen = await Promise.all(rows.map((row, at) => info(row.id, {}, all[at])))
  expect(seen.map(({ code }) => code)).toEqual(rows.map((_, at) => (at % 3 === 2 ? '' : String(100_000 + at))))
  for (const [at, row] of rows.entries()) {
    await pass(row.id, at % 3 === 2 ? 'deadline_at' : 'expires_at')
    await workTask(deps, row.id)
    await workTask(deps, row.id)
  }
})

/** Delays from the supplier's text to the page, with one poll of the watcher in between (it polls every second). */
function figuresOf(delays: readonly number[]) {
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
  return { halfMs: at(0.5), p99Ms: at(0.99), lastMs: at(1), rssMb: Math.round(process.memoryUsage().rss / 1e6) }
}
