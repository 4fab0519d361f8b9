import { beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import type { Fault } from '#stand-ins/kit/server.ts'
import { transact } from '#platform/server/database/transact.ts'
import { makeRowsDue } from '#platform/testing/db.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { createRealChannels } from '../testing/real-channels.ts'
import { PLAN_INPUT } from '../testing/recharging.ts'
import { autoLeadMinutes } from './settings.ts'
import { sendCharges } from './verbs/send-charge.ts'
import { watchBalances } from './verbs/watch-balances.ts'
import { workAgreements } from './verbs/work-agreements.ts'

// Auto recharge against the fakes of Stripe and Alipay, each with its own book and signed notices.
const { db, call, deps, alipay, stripe, balance, send } = await createRealChannels()
await transact(db, { kind: 'system', id: 'test' }, (tx) => deps.settings.set(tx, autoLeadMinutes, 0))

const channels = [
  { name: 'Stripe', fake: stripe, channelType: 2, transactionType: 5, minor: 1065n, label: 'Visa ···· 4242' },
  { name: 'Alipay', fake: alipay, channelType: 11, transactionType: 1, minor: 7373n, label: 'min***@example.com' },
] as const

const view = async (userId: string) => (await call('GET', '/v1/pay/autoRecharge', {}, { token: userId })).data
const charges = (userId: string) =>
  db.query<{ state: string; refusal: string | null; orderNo: string; orderState: string }>(
    `select c.state, c.refusal, o.order_no, o.state as order_state from payments_auto_charges c join payments_orders o on o.id = c.order_id where c.user_id = $1 order by 1, 3`,
    [userId],
  )
const work = async () => {
  await watchBalances(deps)
  await sendCharges(deps)
  await workAgreements(deps)
}
const makeDueNow = async () => {
  await makeRowsDue(db.owner, 'payments_auto_charges', { column: 'next_try_at' })
  await makeRowsDue(db.owner, 'payments_agreements', { column: 'next_check_at' })
}

describe.each(channels)('$name', ({ name, fake, channelType, transactionType, minor, label }) => {
  const mine = async (userId: string) => {
    const orders = (await charges(userId)).map(({ orderNo }) => orderNo)
    return (await fake.payments()).filter(({ tradeNo }) => orders.some((orderNo) => tradeNo.startsWith(orderNo)))
  }
  const start = async (userId: string) => {
    const { data, code, msg } = await call(
      'POST',
      '/v1/pay/autoRecharge/start',
      { ...PLAN_INPUT, channelType, transactionType, agreed: true, consentVersion: '2026-11' },
      { token: userId },
    )
    expect([code, msg]).toEqual([200, msg])
    // The payer's browser opens that page; our server reaches only Alipay's gateway.
    if (data.payUrl.startsWith(fake.http.url)) expect(await (await fetch(data.payUrl)).text()).toContain('cashier')
    return data.agreementNo as string
  }
  const signed = async () => {
    const userId = createId('user')
    const agreementNo = await start(userId)
    fake.agreed.agree(agreementNo)
    await fake.deliver()
    expect((await view(userId)).state).toBe('active')
    return { userId, agreementNo }
  }
  const stop = (userId: string) => call('POST', '/v1/pay/autoRecharge/stop', {}, { token: userId })
  beforeEach(() => {
    fake.agreed.charges('paid')
    fake.http.behave()
  })

  test('an agreement signed on its page and reported by a signed notice is charged once without the payer, and ends there when stopped', async () => {
    const userId = createId('user')
    const agreementNo = await start(userId)
    await work()
    expect([(await view(userId)).state, await charges(userId)]).toEqual(['signing', []])
    fake.agreed.agree(agreementNo)
    const notice = fake.agreed.notice(agreementNo)
    expect((await send(fake, notice)).status).toBe(200)
    expect((await send(fake, notice)).status).toBe(200)
    await fake.deliver()
    expect(await view(userId)).toMatchObject({ state: 'active', method: { label } })
    await work()
    await fake.deliver()
    expect(await charges(userId)).toMatchObject([{ state: 'paid', orderState: 'fulfilled' }])
    expect(await mine(userId)).toMatchObject([{ minor }])
    expect(await balance(userId)).toBe(parseUsd('10'))
    await stop(userId)
    await db.owner.query('update payments_auto_plans set undo_until = now() where user_id = $1', [userId])
    await work()
    await work()
    await fake.deliver()
    expect(fake.agreed.all().find((each) => each.agreementNo === agreementNo)?.state).toBe('ended')
    expect(await view(userId)).toMatchObject({ state: 'off' })
  })

  test('the channel’s name of the method is sealed, and in no log, audit or news', async () => {
    const { userId, agreementNo } = await signed()
    const rows = await db.query<{ text: string }>(
      `select a::text as text from audit_rows a union all select o::text from outbox o union all select p::text from payments_agreements p where agreement_no = $1`,
      [agreementNo],
    )
    const secret = name === 'Stripe' ? /\b(cus|pm|cs_test|seti)_\w{8,}/ : /2026\d{12,}/
    expect(
      rows.filter(({ text }) => text.includes(agreementNo) || text.includes(userId)).filter(({ text }) => secret.test(text.replaceAll(agreementNo, ''))),
    ).toEqual([])
    await stop(userId)
  })

  test.each(['declined', 'authentication'] as const)('%s: a refused charge takes nothing and keeps its reason', async (outcome) => {
    const { userId } = await signed()
    fake.agreed.charges(outcome)
    await work()
    await fake.deliver()
    expect(await charges(userId)).toMatchObject([{ state: 'refused', refusal: outcome, orderState: 'cancelled' }])
    expect(await mine(userId)).toEqual([])
    expect((await view(userId)).used.day).toBe('0')
    await stop(userId)
  })

  test('a charge that is paid later settles by its notice, which comes twice', async () => {
    const { userId } = await signed()
    fake.agreed.charges('slow')
    await work()
    const { orderNo, ...charge } = (await charges(userId))[0]!
    expect(charge).toMatchObject({ state: 'charging' })
    const tradeNo = (await fake.trades()).find((each) => each.startsWith(orderNo))!
    await fake.pay(tradeNo)
    await fake.pay(tradeNo)
    await fake.deliver()
    expect(await charges(userId)).toMatchObject([{ state: 'paid', orderState: 'fulfilled' }])
    expect(await balance(userId)).toBe(parseUsd('10'))
    await stop(userId)
  })

  test.each(['reset-before', 'error-before', 'reset-after', 'error-after', 'html', 'empty', 'error-code'] as const satisfies readonly Fault[])(
    '%s: a charge without a clear answer is taken once and credited once',
    async (fault) => {
      const { userId } = await signed()
      await watchBalances(deps)
      // Alipay's SDK resends a request if a socket breaks.
      fake.http.misbehave(fault, fault.startsWith('reset') && name === 'Alipay' ? 2 : 1)
      await sendCharges(deps)
      fake.http.behave()
      for (let round = 0; round < 3; round++) {
        await makeDueNow()
        await sendCharges(deps)
      }
      await fake.deliver()
      expect(await charges(userId)).toMatchObject([{ state: 'paid', orderState: 'fulfilled' }])
      expect(await mine(userId)).toHaveLength(1)
      expect(await balance(userId)).toBe(parseUsd('10'))
      await stop(userId)
    },
  )

  test.each([false, true])('an agreement that ends at the channel, silently: %s, is charged no more', async (silent) => {
    const { userId, agreementNo } = await signed()
    fake.agreed.end(agreementNo, { silent })
    await fake.deliver()
    await work()
    expect(await view(userId)).toMatchObject({ state: 'attention', attention: 'ended' })
    expect((await charges(userId)).filter(({ state }) => state !== 'refused')).toEqual([])
    expect(await mine(userId)).toEqual([])
  })

  test('a forged notice about an agreement changes nothing', async () => {
    const userId = createId('user')
    const agreementNo = await start(userId)
    fake.agreed.agree(agreementNo, { silent: true })
    const { headers, body } = fake.agreed.notice(agreementNo)
    const changed = Buffer.from(body.toString().replace(name === 'Stripe' ? 'succeeded' : 'NORMAL', 'anything'))
    expect((await send(fake, { headers, body: changed })).status).toBe(400)
    expect((await view(userId)).state).toBe('signing')
    await stop(userId)
  })

  // Signing makes no request to Alipay: the payer's browser carries the signed request.
  test.runIf(name === 'Stripe')('nothing is kept of a page whose answer was lost', async () => {
    const userId = createId('user')
    fake.http.misbehave('error-after', 1)
    const { code } = await call(
      'POST',
      '/v1/pay/autoRecharge/start',
      { ...PLAN_INPUT, channelType, transactionType, agreed: true, consentVersion: '2026-11' },
      { token: userId },
    )
    expect([code, (await view(userId)).state]).toEqual([3110, 'off'])
  })
})

test('a periodic contract of Alipay is charged at most once in its days, and not above its single amount', async () => {
  const userId = createId('user')
  const ask = (amount: string) =>
    call(
      'POST',
      '/v1/pay/autoRecharge/start',
      { ...PLAN_INPUT, amount, dayMost: '300', monthMost: '300', channelType: 11, transactionType: 1, agreed: true, consentVersion: '2026-11' },
      { token: userId },
    )
  expect((await ask('100')).code).toBe(3106)
  const { data } = await ask('10')
  await fetch(data.payUrl)
  alipay.agreed.agree(data.agreementNo)
  await alipay.deliver()
  await work()
  const { pausedUntil } = await view(userId)
  expect(Math.round((Date.parse(pausedUntil) - Date.now()) / 86_400_000)).toBe(7)
})

test('the books agree with the payments of the channels', async () => {
  expect((await verifyLedger(db)).problems).toEqual([])
  const theirs = (await Promise.all([stripe.payments(), alipay.payments()])).flat().map(({ txn, minor }) => ({ txn, minor }))
  const ours = await db.query('select channel_txn as txn, paid_minor as minor from payments_receipts')
  const sorted = (rows: readonly object[]) =>
    rows.map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? value.toString() : value))).toSorted()
  expect(sorted(ours)).toEqual(sorted(theirs))
})
