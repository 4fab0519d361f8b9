import { expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { makeRowsDue } from '#platform/testing/db.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { createRechargingApp, PLAN_INPUT } from '../testing/recharging.ts'
import { autoOpen } from './settings.ts'
import { announceCharge } from './verbs/announce-charge.ts'
import { sendCharge } from './verbs/send-charge.ts'

const app = await createRechargingApp()
const { db, deps } = app

test('auto recharge starts once the channel’s page is signed: a balance below 5 buys 10, with news before and after', async () => {
  const userId = createId('user')
  expect(await app.view(userId)).toMatchObject({
    open: true,
    state: 'off',
    plan: { threshold: '5', amount: '10' },
    methods: [{ transactionType: 5 }, { transactionType: 1 }],
  })
  const { data } = await app.start(userId)
  await app.work()
  expect([(await app.view(userId)).state, await app.charges(userId)]).toEqual(['signing', []])
  await app.press(data.payUrl, 'agree')
  await app.deliver()
  expect(await app.view(userId)).toMatchObject({ state: 'active', method: { label: 'Visa ···· 4242' }, agreementNo: data.agreementNo })
  await app.work()
  await app.deliver()
  expect(await app.view(userId)).toMatchObject({
    charges: [{ state: 'paid', amount: '10', fee: '0.35', total: '10.35', payAmount: '73.73', payCurrency: 'CNY' }],
    used: { day: '10.35', month: '10.35', charges: 1 },
  })
  expect(await app.balance(userId)).toBe(parseUsd('10'))
  expect((await app.events(userId)).filter((event) => event !== 'order.created')).toEqual(['auto.started', 'auto.announced', 'order.paid'])
  await app.work()
  expect(await app.charges(userId)).toHaveLength(1)
})

test('each consent is stored word for word with its version, channel and limits, at the start and at each change', async () => {
  const { userId } = await app.signed()
  const consent = { agreed: true, consentVersion: (await app.view(userId)).consentVersion }
  const changed = await app.call(
    'POST',
    '/v1/pay/autoRecharge/change',
    { threshold: '8', amount: '20', dayMost: '50', monthMost: '300', ...consent },
    { token: userId },
  )
  expect(changed.data.plan).toEqual({ threshold: '8', amount: '20', dayMost: '50', monthMost: '300' })
  const rows = await db.query(
    'select version, lang, channel_type, threshold_nano, amount_nano, day_most_nano, month_most_nano from payments_auto_consents where user_id = $1 order by id',
    [userId],
  )
  expect(rows).toEqual([
    {
      version: consent.consentVersion,
      lang: 'zh',
      channelType: 25,
      thresholdNano: parseUsd('5'),
      amountNano: parseUsd('10'),
      dayMostNano: parseUsd('35'),
      monthMostNano: parseUsd('200'),
    },
    {
      version: consent.consentVersion,
      lang: 'zh',
      channelType: 25,
      thresholdNano: parseUsd('8'),
      amountNano: parseUsd('20'),
      dayMostNano: parseUsd('50'),
      monthMostNano: parseUsd('300'),
    },
  ])
  await expect(db.query(`update payments_auto_consents set version = 'x'`)).rejects.toThrow()
})

test('a start without consent, with other words or with amounts or ceilings out of bounds is refused and writes nothing', async () => {
  const userId = createId('user')
  const ask = (input: object) =>
    app.call('POST', '/v1/pay/autoRecharge/start', { ...PLAN_INPUT, agreed: true, consentVersion: '2026-11', ...input }, { token: userId })
  expect((await ask({ agreed: false })).code).toBe(400)
  expect((await ask({ consentVersion: '2020-01' })).code).toBe(3162)
  expect((await ask({ threshold: '0.5' })).code).toBe(3105)
  expect((await ask({ threshold: '101' })).code).toBe(3106)
  expect((await ask({ amount: '4.99' })).code).toBe(3105)
  expect((await ask({ amount: '201', dayMost: '400', monthMost: '400' })).code).toBe(3106)
  // The fee counts: 10.35 exceeds the ceiling of 10.34.
  expect((await ask({ dayMost: '10.34' })).code).toBe(3163)
  expect((await ask({ dayMost: '50', monthMost: '49' })).code).toBe(3163)
  expect((await ask({ channelType: 3 })).code).toBe(3107)
  await app.set(autoOpen, false)
  expect((await ask({})).code).toBe(3160)
  await app.set(autoOpen, true)
  expect(await db.query('select 1 from payments_agreements where user_id = $1', [userId])).toEqual([])
})

test('50 concurrent triggers make one charge, and repeated triggers never exceed the ceilings', async () => {
  const { userId } = await app.signed({ dayMost: '25', monthMost: '40' })
  const rounds: number[] = []
  for (let round = 0; round < 4; round++) {
    const made = await Promise.all(Array.from({ length: 50 }, () => announceCharge(deps, userId)))
    rounds.push(made.filter(Boolean).length)
    await app.hasten()
    // Eight workers send each charge concurrently; it must leave once.
    const due = await db.query<{ orderId: bigint }>(`select order_id from payments_auto_charges where user_id = $1 and state = 'announced'`, [userId])
    await Promise.all(due.flatMap(({ orderId }) => Array.from({ length: 8 }, () => sendCharge(deps, orderId))))
    const spendable = await app.balance(userId)
    if (spendable > 0n) await app.spend(userId, '10')
  }
  // 10.35 twice is 20.70; a third would pass 25.
  expect(rounds).toEqual([1, 1, 0, 0])
  expect(await app.taken(userId)).toHaveLength(2)
  expect((await app.events(userId)).filter((event) => event === 'auto.ceiling')).toHaveLength(1)
  const { pausedUntil, used } = await app.view(userId)
  expect([pausedUntil !== null, used.day]).toEqual([true, '20.7'])
  // The daily sum resets and the monthly sum does not: 40 less 20.70 leaves room for one more charge.
  await db.owner.query(`update payments_auto_sums set starts = starts - 1 where user_id = $1 and period = 'day'`, [userId])
  await app.rested(userId)
  await app.work()
  await app.spend(userId, '10')
  await app.rested(userId)
  expect(await announceCharge(deps, userId)).toBe(false)
  expect(await app.taken(userId)).toHaveLength(3)
})

test('the database itself refuses a second charge under way, and a sum above its ceiling', async () => {
  const { userId, agreementNo } = await app.signed()
  expect(await announceCharge(deps, userId)).toBe(true)
  const other = await app.idOf((await app.open({ userId, channelType: 25 })).orderNo)
  const insert = `insert into payments_auto_charges (order_id, user_id, agreement_no, charge_at, next_try_at, day, month)
    values ($1, $2, $3, now(), now(), current_date, current_date)`
  await expect(db.query(insert, [other, userId, agreementNo])).rejects.toThrow('payments_auto_charges_one')
  await expect(db.query('update payments_auto_sums set total_nano = most_nano + 1 where user_id = $1', [userId])).rejects.toThrow('payments_auto_sums_most')
  await expect(db.query('update payments_auto_sums set charges = most_charges + 1 where user_id = $1', [userId])).rejects.toThrow('payments_auto_sums_charges')
})

test('the number of charges a day is limited, refused ones included', async () => {
  const { userId } = await app.signed({ dayMost: '500', monthMost: '500' })
  for (let charge = 0; charge < 3; charge++) {
    expect(await announceCharge(deps, userId)).toBe(true)
    await app.hasten()
    await app.work()
    await app.spend(userId, '10')
    await app.rested(userId)
  }
  expect(await announceCharge(deps, userId)).toBe(false)
})

test.each([
  ['10.41', 'declined'],
  ['10.42', 'authentication'],
] as const)('%s: a charge refused as %s takes nothing and pauses; after three in a row it is off until its owner acts', async (amount, refusal) => {
  const { userId } = await app.signed({ amount })
  for (let tries = 1; tries <= 3; tries++) {
    await app.work()
    expect(await app.charges(userId)).toHaveLength(tries)
    expect((await app.charges(userId)).at(-1)).toMatchObject({ state: 'refused', refusal, orderState: 'cancelled' })
    await app.work()
    expect(await app.charges(userId)).toHaveLength(tries)
    if (tries < 3) expect(await app.view(userId)).toMatchObject({ state: 'active', pausedUntil: expect.any(String), used: { day: '0', charges: tries } })
    await app.rested(userId)
  }
  expect(await app.view(userId)).toMatchObject({ state: 'attention', attention: refusal, method: { label: 'Visa ···· 4242' } })
  expect((await app.events(userId)).filter((event) => event.startsWith('auto.'))).toEqual([
    'auto.started',
    ...['auto.announced', 'auto.refused', 'auto.announced', 'auto.refused', 'auto.announced', 'auto.off'],
  ])
  expect(await app.taken(userId)).toEqual([])
  await app.work()
  expect(await app.charges(userId)).toHaveLength(3)
  expect((await app.verb(userId, 'resume')).state).toBe('active')
})

test('10.43: an agreement that ends at the channel during its charge turns auto recharge off at once', async () => {
  const { userId } = await app.signed({ amount: '10.43' })
  await app.work()
  expect(await app.view(userId)).toMatchObject({ state: 'attention', attention: 'ended', charges: [{ state: 'refused', refusal: 'ended' }] })
  await app.deliver()
  expect((await app.view(userId)).attention).toBe('ended')
  expect((await app.call('POST', '/v1/pay/autoRecharge/resume', {}, { token: userId })).code).toBe(3161)
  expect(await db.query('select sealed, label is null as forgotten, ended_by from payments_agreements where user_id = $1', [userId])).toMatchObject([
    { sealed: null, endedBy: 'channel' },
  ])
})

test.each([
  ['10.44', 'before the channel had it: sent again under its own number'],
  ['10.45', 'after the channel had taken it: asked about, never sent again'],
] as const)('%s: a charge without a clear answer, %s; taken once, credited once', async (amount, _when) => {
  const { userId } = await app.signed({ amount })
  await app.work()
  expect(await app.charges(userId)).toMatchObject([{ state: 'charging', orderState: 'unknown' }])
  expect(await announceCharge(deps, userId)).toBe(false)
  for (let round = 0; round < 3; round++) {
    await app.hasten()
    await app.work()
  }
  await app.deliver()
  expect(await app.charges(userId)).toMatchObject([{ state: 'paid', orderState: 'fulfilled' }])
  expect(await app.taken(userId)).toHaveLength(1)
  expect(await app.balance(userId)).toBe(parseUsd(amount))
})

test('10.46: a charge that is paid later, by notice or by query, blocks other charges meanwhile', async () => {
  const { userId } = await app.signed({ amount: '10.46' })
  await app.work()
  expect(await app.charges(userId)).toMatchObject([{ state: 'charging', orderState: 'paying' }])
  await makeRowsDue(db.owner, 'payments_sandbox_trades', { column: 'pay_due_at' })
  await app.deliver()
  await app.deliver()
  expect(await app.charges(userId)).toMatchObject([{ state: 'paid', orderState: 'fulfilled' }])
})

test.each([
  ['10.12', 'late'],
  ['10.14', 'twice'],
  ['10.15', 'after one with a bad signature'],
] as const)('%s: a notice that comes %s changes nothing that was settled', async (amount, _how) => {
  const { userId } = await app.signed({ amount })
  await app.work()
  await app.deliver()
  await app.deliver()
  expect(await app.charges(userId)).toMatchObject([{ state: 'paid' }])
  expect(await app.balance(userId)).toBe(parseUsd(amount))
})

test('an unconfirmed charge lapses with its order, stays counted, and late money for it is credited', async () => {
  const { userId } = await app.signed({ amount: '10.46' })
  await app.work()
  const orderNo = (await app.charges(userId))[0]!.orderNo
  expect((await app.call('GET', '/v1/pay/orderDetail', { orderNo }, { token: userId })).data.order.source).toBe('auto')
  await db.owner.query(`update payments_orders set expires_at = now() - interval '1 second' where order_no = $1`, [orderNo])
  await app.hasten()
  await app.work()
  expect(await app.charges(userId)).toMatchObject([{ state: 'lapsed', orderState: 'expired' }])
  expect((await app.view(userId)).used).toMatchObject({ day: '10.83', charges: 1 })
  await db.owner.query(`update payments_sandbox_trades set pay_due_at = now() - interval '1 second' where trade_no like $1`, [`${orderNo}%`])
  await app.deliver()
  await app.deliver()
  expect(await app.charges(userId)).toMatchObject([{ state: 'paid', orderState: 'paid_late' }])
  expect(await app.balance(userId)).toBe(parseUsd('10.46'))
  expect((await app.view(userId)).used.day).toBe('10.83')
})

test('10.16: a payment of another amount waits in suspense, and nothing more is charged', async () => {
  const { userId } = await app.signed({ amount: '10.16' })
  await app.work()
  expect(await app.charges(userId)).toMatchObject([{ state: 'mismatch', orderState: 'integrity_failure' }])
  expect(await app.view(userId)).toMatchObject({ state: 'attention', attention: 'mismatch' })
})

test('the books agree after all of it', async () => {
  expect((await verifyLedger(db)).problems).toEqual([])
  const { theirs, ours } = await app.books()
  expect(ours).toEqual(theirs)
})
