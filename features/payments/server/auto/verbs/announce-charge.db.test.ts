import { expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { aFundedUser, aHold } from '#features/wallet/server/builders.ts'
import { CONSENT_VERSION } from '../../../words-out.ts'
import { closedChannels, feePercents, maintenance, orderMinutes, rateSettings, rechargePause } from '../../settings.ts'
import { createRechargingApp } from '../../testing/recharging.ts'
import { autoLeadMinutes } from '../settings.ts'
import { announceCharge } from './announce-charge.ts'
import { watchBalances } from './watch-balances.ts'

const app = await createRechargingApp()
const { db, deps } = app
const announce = (userId: string) => announceCharge(deps, userId)
const sums = (userId: string) => db.query('select period, charges, total_nano from payments_auto_sums where user_id = $1 order by period, starts', [userId])
const selectEvents = async (userId: string, event: string) =>
  (await db.query<{ payload: object }>(`select payload from outbox where event = $2 and payload->>'userId' = $1 order by id`, [userId, event])).map(
    ({ payload }) => payload,
  )

test('a balance at the threshold triggers no charge, a cent below it does, and held money is not counted as spent', async () => {
  const { userId } = await app.signed()
  await aFundedUser(db, { userId, purchased: parseUsd('5') })
  await aHold(db, userId, { amount: parseUsd('3') })
  expect([await announce(userId), await sums(userId)]).toEqual([false, []])
  await app.spend(userId, '0.01')
  expect(await announce(userId)).toBe(true)
})

test('the order, its charge, both sums and the news say the same, and the order lives on after the charge', async () => {
  await app.set(autoLeadMinutes, 7)
  const { userId, agreementNo } = await app.signed()
  expect(await announce(userId)).toBe(true)
  await app.set(autoLeadMinutes, 0)
  const rows = await db.query(
    `select o.source, o.state, o.amount_nano, o.fee_nano, o.total_nano, o.pay_minor, o.currency, o.transaction_type, c.state as charge, c.agreement_no,
      round(extract(epoch from c.charge_at - c.created_at) / 60)::int as lead, round(extract(epoch from o.expires_at - c.charge_at) / 60)::int as rest
    from payments_orders o join payments_auto_charges c on c.order_id = o.id where o.user_id = $1`,
    [userId],
  )
  const figures = { amountNano: parseUsd('10'), feeNano: parseUsd('0.35'), totalNano: parseUsd('10.35'), payMinor: 7373n, currency: 'CNY' }
  const rest = await deps.settings.get(orderMinutes)
  expect(rows).toEqual([{ source: 'auto', state: 'created', ...figures, transactionType: 5, charge: 'announced', agreementNo, lead: 7, rest }])
  const counted = { charges: 1, totalNano: parseUsd('10.35') }
  expect(await sums(userId)).toEqual([
    { period: 'day', ...counted },
    { period: 'month', ...counted },
  ])
  expect(await selectEvents(userId, 'auto.announced')).toMatchObject([{ threshold: '5', amount: '10', total: '10.35', payAmount: '73.73' }])
})

test.each([
  ['20.7', 2],
  ['20.69', 1],
])('a ceiling of %s a day allows %s charges of 10.35, and is reported once', async (dayMost, most) => {
  const { userId } = await app.signed({ dayMost })
  for (let round = 0; round < 4; round++) {
    await app.work()
    if ((await app.balance(userId)) > 0n) await app.spend(userId, '10')
  }
  expect((await app.charges(userId)).map(({ state }) => state)).toEqual(Array.from({ length: most }, () => 'paid'))
  expect((await app.view(userId)).used.charges).toBe(most)
  expect(await selectEvents(userId, 'auto.ceiling')).toMatchObject([{ period: 'day', dayMost }])
})

test('a full month counts nothing on the day, and pauses charges until the next month of Shanghai', async () => {
  const { userId } = await app.signed({ dayMost: '20', monthMost: '20' })
  await app.work()
  await app.spend(userId, '10')
  await db.owner.query(`update payments_auto_sums set starts = starts - 1 where user_id = $1 and period = 'day'`, [userId])
  const before = await sums(userId)
  expect(await announce(userId)).toBe(false)
  expect(await sums(userId)).toEqual(before)
  const until = `(date_trunc('month', now() at time zone 'Asia/Shanghai') + interval '1 month') at time zone 'Asia/Shanghai'`
  expect(await db.query(`select cool_until = ${until} as rests from payments_auto_plans where user_id = $1`, [userId])).toEqual([{ rests: true }])
  expect(await selectEvents(userId, 'auto.ceiling')).toMatchObject([{ period: 'month', monthMost: '20' }])
})

test('a holiday, maintenance of recharging and a closed method plan and count nothing until they end', async () => {
  const { userId } = await app.signed()
  const [today, kept] = [toShanghaiDay(deps.clock.now()), await deps.settings.get(maintenance)]
  const tries = async () => {
    await watchBalances(deps)
    return [await announce(userId), await app.charges(userId), await sums(userId)]
  }
  await app.set(rechargePause, { from: today, to: '2099-12-31' })
  expect(await tries()).toEqual([false, [], []])
  await app.set(rechargePause, null)
  await app.set(maintenance, { ...kept, isMaintain: true, closed: ['recharge'] })
  expect(await tries()).toEqual([false, [], []])
  await app.set(maintenance, { ...kept, isMaintain: true, closed: ['withdraw'] })
  await app.set(closedChannels, ['25:5'])
  expect(await tries()).toEqual([false, [], []])
  await app.set(closedChannels, [])
  expect(await announce(userId)).toBe(true)
  await app.set(maintenance, kept)
})

test('a charge takes the figures that were announced; another rate, fee or amount applies to the next one', async () => {
  const { userId } = await app.signed()
  await announce(userId)
  await app.set(rateSettings.CNY, '8.0000')
  await app.set(feePercents, { default: '10' })
  const limits = { threshold: '5', amount: '20', dayMost: '50', monthMost: '200' }
  const changed = await app.call('POST', '/v1/pay/autoRecharge/change', { ...limits, agreed: true, consentVersion: CONSENT_VERSION }, { token: userId })
  expect(changed.code).toBe(200)
  await app.work()
  expect([await app.taken(userId), await app.balance(userId)]).toEqual([[{ minor: 7373n }], parseUsd('10')])
  await app.spend(userId, '10')
  await app.work()
  // 20 plus 10 %, at 8 yuan per dollar.
  expect([await app.taken(userId), await app.balance(userId)]).toEqual([[{ minor: 7373n }, { minor: 17_600n }], parseUsd('20')])
  await app.set(rateSettings.CNY, '7.1230')
  await app.set(feePercents, { default: '3.5' })
})
