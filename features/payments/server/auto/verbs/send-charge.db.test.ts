import { expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { createRechargingApp } from '../../testing/recharging.ts'
import { autoLeadMinutes, autoOpen } from '../settings.ts'
import { announceCharge } from './announce-charge.ts'
import { sendCharge, sendCharges } from './send-charge.ts'
import { workAgreements } from './work-agreements.ts'

// Charges that must not be sent, must not be sent twice, or are paid after they were cancelled.
const app = await createRechargingApp()
const { db, deps } = app
const announced = async (amount = '10', leadMinutes = 0) => {
  const signed = await app.signed({ amount })
  await app.set(autoLeadMinutes, leadMinutes)
  expect(await announceCharge(deps, signed.userId)).toBe(true)
  await app.set(autoLeadMinutes, 0)
  const { orderNo } = (await app.charges(signed.userId))[0]!
  return { ...signed, orderNo, id: await app.idOf(orderNo) }
}
const attempts = async (id: bigint) => (await db.query('select trade_no from payments_attempts where order_id = $1', [id])).length
const expireNow = (id: bigint) => db.owner.query(`update payments_orders set expires_at = now() - interval '1 second' where id = $1`, [id])
const used = async (userId: string) => {
  const { day, charges } = (await app.view(userId)).used
  return [day, charges]
}
const resend = async () => {
  await app.hasten()
  await sendCharges(deps)
}

test('a charge that is not sent before its order ends never leaves, counts nothing and makes room for the next', async () => {
  const { userId, id, orderNo } = await announced()
  await expireNow(id)
  await resend()
  expect([await attempts(id), await app.taken(userId)]).toEqual([0, []])
  await app.check(orderNo)
  expect(await app.charges(userId)).toMatchObject([{ state: 'skipped', orderState: 'expired' }])
  expect(await used(userId)).toEqual(['0', 0])
  expect(await announceCharge(deps, userId)).toBe(true)
})

test('a charge whose agreement ended at the channel after the mail is dropped, which is no refusal', async () => {
  const { userId, id, payUrl } = await announced('10', 5)
  await app.press(payUrl, 'endSilently')
  await app.hasten()
  await workAgreements(deps)
  await sendCharges(deps)
  expect([await app.charges(userId), await attempts(id), await used(userId)]).toMatchObject([[{ state: 'skipped', refusal: null }], 0, ['0', 0]])
  expect(await app.view(userId)).toMatchObject({ state: 'attention', attention: 'ended' })
  expect(await app.taken(userId)).toEqual([])
})

test('a charge in doubt is neither resent nor given up while the switch is closed, then taken once under its number', async () => {
  const { userId, id } = await announced('10.44')
  await sendCharge(deps, id)
  await app.set(autoOpen, false)
  for (let round = 0; round < 3; round++) await resend()
  expect([await app.charges(userId), await attempts(id), await app.taken(userId)]).toMatchObject([[{ state: 'charging', orderState: 'unknown' }], 1, []])
  await app.set(autoOpen, true)
  for (let round = 0; round < 2; round++) await resend()
  expect([await app.charges(userId), await app.balance(userId)]).toMatchObject([[{ state: 'paid' }], parseUsd('10.44')])
  expect(await app.taken(userId)).toHaveLength(1)
})

test('a charge in doubt when its owner stops is not resent, and stays counted until its order is over', async () => {
  const { userId, id, orderNo } = await announced('10.44')
  await sendCharge(deps, id)
  await app.verb(userId, 'stop')
  for (let round = 0; round < 3; round++) await resend()
  expect([await app.charges(userId), await used(userId)]).toMatchObject([[{ state: 'charging' }], ['10.81', 1]])
  await expireNow(id)
  await app.check(orderNo)
  expect([await app.charges(userId), await used(userId)]).toMatchObject([[{ state: 'lapsed', orderState: 'expired' }], ['10.81', 1]])
  expect([await app.taken(userId), await app.balance(userId)]).toEqual([[], 0n])
})

test('a refused charge that is paid after all is credited once as late, counts against the ceilings again and clears the refusals', async () => {
  const { userId, orderNo, id } = await announced('10.46')
  await sendCharge(deps, id)
  await db.query(`update payments_sandbox_trades set state = 'declined', refusal = 'declined', pay_due_at = null where trade_no like $1`, [`${orderNo}%`])
  await app.check(orderNo)
  expect([await app.charges(userId), await used(userId)]).toMatchObject([[{ state: 'refused', orderState: 'cancelled' }], ['0', 1]])
  await db.query(
    `with paid as (update payments_sandbox_trades set state = 'paid' where trade_no like $1 returning token, minor, currency)
    insert into payments_sandbox_payments (txn, token, minor, currency, paid_at) select gen_random_uuid()::text, token, minor, currency, now() from paid`,
    [`${orderNo}%`],
  )
  for (let look = 0; look < 3; look++) await app.check(orderNo)
  expect(await app.charges(userId)).toMatchObject([{ state: 'paid', orderState: 'paid_late' }])
  expect([await app.balance(userId), await used(userId)]).toEqual([parseUsd('10.46'), ['10.83', 1]])
  expect(await db.query('select refusals, state from payments_auto_plans where user_id = $1', [userId])).toEqual([{ refusals: 0, state: 'active' }])
})

test('auto recharge pauses for two hours after the first refusal, for twelve after the second', async () => {
  const { userId, id } = await announced('10.42')
  const rests = async () =>
    (await db.query(`select round(extract(epoch from cool_until - now()) / 3600)::int as hours from payments_auto_plans where user_id = $1`, [userId]))[0]
  await sendCharge(deps, id)
  expect([await rests(), await announceCharge(deps, userId)]).toEqual([{ hours: 2 }, false])
  await app.rested(userId)
  await app.work()
  expect([await rests(), await announceCharge(deps, userId)]).toEqual([{ hours: 12 }, false])
})

test('a charge stopped as it is sent is both taken and credited, or neither', async () => {
  for (let round = 0; round < chooseRounds(6, 100); round++) {
    const { userId, id } = await announced()
    await Promise.all([sendCharge(deps, id), app.verb(userId, 'stop'), sendCharge(deps, id)])
    await resend()
    const [{ state } = { state: '' }] = await app.charges(userId)
    const isPaid = state === 'paid'
    expect(['paid', 'skipped']).toContain(state)
    expect([(await app.taken(userId)).length, await app.balance(userId), await used(userId)]).toEqual(
      isPaid ? [1, parseUsd('10'), ['10.35', 1]] : [0, 0n, ['0', 0]],
    )
    expect((await app.view(userId)).state).toBe('stopped')
  }
})

test('the books agree after all of it', async () => {
  const { theirs, ours } = await app.books()
  expect(ours).toEqual(theirs)
  expect((await verifyLedger(db)).problems).toEqual([])
})
