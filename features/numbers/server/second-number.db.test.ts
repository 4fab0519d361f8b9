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
import { numbersSpec } from './spec.ts'
import { replaceNumberSuppliers } from './vendors/index.ts'
import { packsSpec } from './uses/packs.ts'
import { aHandlerApiCompany, aTwilioCompany } from './testing/number-companies.ts'
import { watchNumbers } from './watch/watch-numbers.ts'

// A member gives a number back and rents another one: two orders, and for a while two numbers at the supplier.
const db = await useTestDb({ max: 12 })
const clock = createRunningClock()
const { app, call, deps } = createTestApp({ features: [numbers, services, cards, identity, payments, wallet, account, notices, risk, support], db, clock })
const handler = await aHandlerApiCompany({ now: () => clock.now() })
const twilio = await aTwilioCompany({ now: () => clock.now(), hook: 'http://localhost:3000/notify/number/twilio' })
const PIN = '271828'
const CODE = 'Your OpenAI code is: 739204'
const [NO_USES, ONE_AT_A_TIME, TOO_MANY_CANCELLED, ENDED] = [3792, 3793, 3794, 3797]
let user: BuiltUser
/** The supplier's balance and open numbers before the test. */
let funds: bigint
let others: readonly string[]
afterAll(() => Promise.all([app.close(), handler.company.close(), twilio.company.close()]))
beforeAll(() => {
  sellService(deps, numbersSpec)
  sellService(deps, packsSpec)
})
beforeEach(async () => {
  replaceNumberSuppliers(deps, [handler.supplier])
  handler.company.behave()
  Object.assign(handler, { early: false, price: parseUsd('0.2') })
  funds = handler.funds
  others = handler.book().open
  await db.owner.query(`delete from settings where key like 'numbers.%'`)
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 10n * NANO_PER_USD })
  await anActiveCard(deps, { userId: user.userId, type: 'standard' })
})

const setting = (key: string, value: unknown) =>
  db.owner.query(`insert into settings (key, value, updated_by) values ($1, $2, 'test')`, [key, JSON.stringify(value)])
const post = (path: string, input: object) => call('POST', path, input, { token: user.token, idempotencyKey: createId('key') })
const apply = () => post('/v1/tool/reward/overseaMobile/apply', { type: 1 })
const cancel = (id: string) => post('/v1/tool/reward/overseaMobile/cancel', { id })
const get = async (path: string) => (await call('GET', `/v1/tool/reward/${path}`, {}, { token: user.token })).data
const info = async (id: string): Promise<NumberRow> => get(`overseaMobile/${id}`)
const uses = async (): Promise<number> => (await get('overseaMobileStat')).remaining
async function rented(): Promise<NumberRow> {
  const { code, msg, data } = await apply()
  expect([code, msg]).toEqual([200, msg])
  await workTask(deps, data.id)
  return info(data.id)
}
const watch = async () => {
  await db.owner.query(`update numbers_rentals set next_look_at = clock_timestamp() where state = 'open'`)
  await watchNumbers(deps)
}
/** Numbers of this test that the supplier holds. */
const held = () => handler.book().open.filter((number) => !others.includes(number))
/** Ends the time of a number that has its text. */
async function finish({ id }: NumberRow): Promise<void> {
  await db.owner.query(`update services_tasks set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [id])
  await workTask(deps, id)
}
const rentals = async ({ id }: NumberRow) =>
  (await db.query<{ state: string }>('select state from numbers_rentals where task_id = $1', [id])).map(({ state }) => state)
/** Requests to give a number back (8) or to keep it (6) at the supplier. */
const requestsOf = async ({ id }: NumberRow, status: 6 | 8) => {
  const [row] = await db.query<{ ref: string }>('select ref from numbers_rentals where task_id = $1', [id])
  return handler.company.seen.filter(({ query }) => query.get('id') === row!.ref && query.get('status') === String(status)).length
}

describe('a second number after one was given back', () => {
  test('begins while the supplier still holds the first, which is released and whose use is returned once', async () => {
    handler.early = true
    const first = await rented()
    expect((await apply()).code).toBe(ONE_AT_A_TIME)
    const replies = await Promise.all([cancel(first.id), cancel(first.id), cancel(first.id)])
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, ENDED, ENDED])
    await workTask(deps, first.id)
    expect([await uses(), await rentals(first)]).toEqual([3, ['open']])
    // The member waits for no supplier: one order waits at a time, whatever is still held there
    const second = await rented()
    expect(second.number).not.toBe(first.number)
    expect(held()).toEqual([first.number, second.number])
    expect((await cancel(first.id)).code).toBe(ENDED)
    expect(await uses()).toBe(2)
    handler.early = false
    const denied = await requestsOf(first, 8)
    for (let n = 0; n < 3; n++) await workTask(deps, first.id)
    expect([await requestsOf(first, 8), await requestsOf(second, 8)]).toEqual([denied + 1, 0])
    expect([held(), handler.funds, await rentals(first)]).toEqual([[second.number], funds - handler.price, ['given_back']])
    handler.deliver(second.number, CODE)
    await watch()
    expect(await info(second.id)).toMatchObject({ state: 'received', code: '739204' })
    expect(await info(first.id)).toMatchObject({ state: 'cancelled', returned: true, code: '' })
    await finish(second)
    expect([await uses(), held(), handler.funds]).toEqual([2, [], funds - handler.price])
  })

  test('shows no late text of the first; the first is kept and paid once, and its use stays returned', async () => {
    handler.early = true
    const first = await rented()
    await cancel(first.id)
    await workTask(deps, first.id)
    const second = await rented()
    handler.deliver(first.number, CODE)
    await watch()
    expect(await info(second.id)).toMatchObject({ state: 'waiting', code: '', message: '', messages: [], receiveTime: null })
    expect(await info(first.id)).toMatchObject({ state: 'cancelled', code: '', message: '', messages: [] })
    expect((await get('overseaMobile/available')).current).toMatchObject({ id: second.id, code: '' })
    for (let n = 0; n < 3; n++) await workTask(deps, first.id)
    expect([await requestsOf(first, 6), await rentals(first), await rentals(second)]).toEqual([1, ['kept'], ['open']])
    expect(await uses()).toBe(2)
    await cancel(second.id)
    handler.early = false
    await workTask(deps, second.id)
    expect([await uses(), held(), handler.funds]).toEqual([3, [], funds - handler.price])
  })

  test('from one pack takes the use that came back, and the rest of the pack is refunded exactly', async () => {
    await setting('numbers.included', { standard: 0, pro: 0 })
    await setting('numbers.pack_count', 2)
    const { data: pay } = await post('/v1/tool/reward/overseaMobile/pack', {})
    expect((await post('/v1/pay/balancePay', { orderType: 4, service: pay.service, payPassword: PIN })).code).toBe(200)
    await workTask(deps, pay.service)
    const first = await rented()
    await cancel(first.id)
    const second = await rented()
    expect([first.paidBy, second.paidBy, await uses()]).toEqual(['pack', 'pack', 1])
    handler.deliver(second.number, CODE)
    await watch()
    await workTask(deps, first.id)
    const third = await rented()
    expect((await apply()).code).toBe(ONE_AT_A_TIME)
    await cancel(third.id)
    await workTask(deps, third.id)
    expect((await post('/v1/tool/reward/overseaMobile/returnPack', { id: pay.service })).data).toEqual({ returned: '0.735' })
    expect(formatUsd((await readBalance(db, user.userId)).posted)).toBe('9.265')
    expect([await uses(), (await apply()).code]).toEqual([0, NO_USES])
    expect((await verifyLedger(db)).problems).toEqual([])
    await finish(second)
    expect([held(), handler.funds]).toEqual([[], funds - handler.price])
  })

  test('that the supplier hands out again begins only once the release of the first is recorded', async () => {
    const first = await rented()
    await cancel(first.id)
    // Released at the supplier, but its response is lost: our record of the first is still open
    handler.company.misbehave('reset-after', 1, /status=8/)
    await workTask(deps, first.id)
    expect([held(), await rentals(first)]).toEqual([[], ['open']])
    const { supplier } = handler
    replaceNumberSuppliers(deps, [{ ...supplier, rent: async (wanted) => ({ ...(await supplier.rent(wanted)), number: first.number }) }])
    const { data } = await apply()
    await workTask(deps, data.id)
    expect(await info(data.id)).toMatchObject({ state: 'wanted', number: '' })
    await workTask(deps, first.id)
    expect(await rentals(first)).toEqual(['given_back'])
    await workTask(deps, data.id)
    expect(await info(data.id)).toMatchObject({ state: 'waiting', number: first.number, messages: [] })
    expect([held().length, handler.funds]).toEqual([1, funds - handler.price])
    await cancel(data.id)
    await workTask(deps, data.id)
    expect([held(), handler.funds]).toEqual([[], funds])
  })
})

describe('a number that Twilio sells us again', () => {
  /** A number that got a text, was given back and released, and the next rental, which has the same number. */
  async function rentedTwice() {
    replaceNumberSuppliers(deps, [twilio.supplier])
    twilio.resells = true
    await setting('numbers.most_cost', '2')
    const first = await rented()
    twilio.deliver(first.number, CODE)
    await cancel(first.id)
    await workTask(deps, first.id)
    expect(await rentals(first)).toEqual(['kept'])
    const second = await rented()
    expect(second).toMatchObject({ state: 'waiting', number: first.number })
    return { first, second, retry: buildNoticePost() }
  }
  /** Posts the last notice, as often as it is called. */
  function buildNoticePost() {
    const { headers, body } = twilio.notices().at(-1)!
    const typed = { 'content-type': 'application/x-www-form-urlencoded', ...(headers as object) }
    return () => app.inject({ method: 'POST', url: '/notify/number/twilio', payload: body, headers: typed })
  }
  const untouched = { state: 'waiting', code: '', message: '', messages: [], receiveTime: null }
  async function end({ id }: NumberRow): Promise<void> {
    await cancel(id)
    await workTask(deps, id)
  }

  test('shows the text of an earlier rental in no later one, neither from a retried notice nor from a poll', async () => {
    const { second, retry } = await rentedTwice()
    expect((await retry()).statusCode).toBe(200)
    await watch()
    expect(await info(second.id)).toMatchObject(untouched)
    await end(second)
  })

  test('takes no text older than its rental, even one stored before messages were identified across rentals', async () => {
    const { first, second, retry } = await rentedTwice()
    await db.owner.query('update numbers_messages set origin = null where task_id = $1', [first.id])
    await db.owner.query(`update numbers_rentals set since = clock_timestamp() + interval '1 minute' where task_id = $1`, [second.id])
    expect((await retry()).statusCode).toBe(200)
    expect(await info(second.id)).toMatchObject(untouched)
    twilio.company.misbehave('error-before', 1, /Messages/)
    // The age cannot be checked: Twilio has to retry
    expect((await retry()).statusCode).toBe(503)
    expect(await info(second.id)).toMatchObject(untouched)
    await end(second)
  })

  test('takes a new text once, from the notice and from the poll', async () => {
    const { second } = await rentedTwice()
    twilio.deliver(second.number, 'Your OpenAI code is: 112233')
    const post = buildNoticePost()
    for (let times = 0; times < 2; times++) expect((await post()).statusCode).toBe(200)
    await watch()
    expect(await info(second.id)).toMatchObject({ state: 'received', code: '112233', messages: [{ late: false }] })
    await finish(second)
  })
})

describe('limits', () => {
  test('as many numbers as the setting says are given back within an hour; one more is refused until an hour has passed', async () => {
    await setting('numbers.cancels_an_hour', 2)
    for (let n = 0; n < 2; n++) {
      const { id } = await rented()
      expect((await cancel(id)).code).toBe(200)
      await workTask(deps, id)
    }
    expect((await apply()).code).toBe(TOO_MANY_CANCELLED)
    await db.owner.query(`update services_tasks set finished_at = finished_at - interval '1 hour' where user_id = $1`, [user.userId])
    const { id } = await rented()
    await cancel(id)
    await workTask(deps, id)
  })

  test('a number at the maximum cost is rented, and one a tenth of a cent above it is not', async () => {
    await setting('numbers.most_cost', '0.45')
    handler.price = parseUsd('0.45')
    const row = await rented()
    expect(row.state).toBe('waiting')
    await cancel(row.id)
    await workTask(deps, row.id)
    handler.price = parseUsd('0.451')
    expect(await rented()).toMatchObject({ state: 'failed', cause: 'no_numbers', returned: true })
    expect([await uses(), handler.funds]).toEqual([3, funds])
  })
})
