import { describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import type { Fault } from '#stand-ins/kit/server.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { makeRowsDue } from '#platform/testing/db.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { payments } from '../index.ts'
import { createRealChannels, realChannelSignIn } from '../testing/real-channels.ts'
import type { RealChannel } from '../testing/real-channels.ts'
import { reconcile } from '../reconciling/reconcile.ts'

const { db, clock, deps, call, url, fakes, nihaopay, wechat, stripe, roads, firsts, create, param, open, tradeOf, stateOf, balance, dueNow, send } =
  await createRealChannels()
const effects = async () =>
  (
    await db.query<{ n: bigint }>(
      'select (select count(*) from payments_notices) + (select count(*) from payments_receipts) + (select count(*) from payments_order_steps) as n',
    )
  )[0]!.n

test('every method of every channel is offered, with its own currency and rate', async () => {
  const token = createId('user')
  for (const device of ['QRCODE', 'H5'] as const) {
    const { data } = await call('GET', '/v1/pay/channelList', { device, orderType: 10 }, { token })
    const offered = (data as { channelType: number; transactionType: number; form: string; payCurrency: string; rate: string; img: string }[]).filter(
      (row) => row.channelType !== 25,
    )
    for (const [, road] of roads.filter(([, each]) => each.tradeFrom === device)) {
      const row = offered.find((each) => each.channelType === road.channelType && each.transactionType === road.transactionType)
      expect(row).toMatchObject({ form: road.form, payCurrency: road.currency, rate: road.currency === 'USD' ? '1.0' : '7.1230' })
      expect((await fetch(url + row!.img)).status).toBe(200)
    }
    // A phone cannot scan a code on its own screen.
    if (device === 'H5') expect(offered.some((row) => row.channelType === 2 && row.transactionType === 2)).toBe(false)
  }
  const { data: quote } = await call('GET', '/v1/pay/quote', { orderType: 10, amount: '20', channelType: 2 }, { token })
  expect(quote).toMatchObject({ payAmount: '21.00', payCurrency: 'USD', rate: '1.0', max: '400' })
})

describe.each(roads)('%s', (_, road) => {
  test('an order that is paid, reported by a signed notice and queried is credited once', async () => {
    const { userId, order, orderNo, tradeNo } = await open(road)
    expect(order).toMatchObject({ payAmount: road.pays, payCurrency: road.currency, total: road.channelType === 2 ? '21' : '20.7' })
    await road.fake.pay(tradeNo)
    expect(await road.fake.deliver()).toBeGreaterThan(0)
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
    // W1: the same notice repeatedly, and another one about the same payment.
    const again = road.fake.notice(tradeNo)
    const answers = await Promise.all([...Array.from({ length: 20 }, () => send(road.fake, again)), send(road.fake, road.fake.notice(tradeNo))])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await balance(userId)).toBe(parseUsd('20'))
  })

  test('W8: a payment without a notice is found by the page that polls and by the reconciler', async () => {
    const watched = await open(road)
    await road.fake.pay(watched.tradeNo, { silent: true })
    expect((await call('POST', '/api/go/v1/payStatus', { order_id: watched.orderNo }, { token: watched.userId })).data).toMatchObject({ payStatus: 1 })
    const alone = await open(road)
    await road.fake.pay(alone.tradeNo, { silent: true })
    await dueNow(alone.orderNo)
    await reconcile(deps)
    expect([await stateOf(alone.orderNo), await balance(alone.userId)]).toEqual(['fulfilled', parseUsd('20')])
  })

  test('W5: a payment of another amount or currency is never credited in full', async () => {
    for (const wrong of [{ minor: 1n }, { currency: 'HKD' }]) {
      // Alipay's answer has two currencies: ours, and that of a payer abroad.
      const { userId, orderNo, tradeNo } = await open(road)
      await road.fake.pay(tradeNo, wrong)
      await road.fake.deliver()
      expect([await stateOf(orderNo), await balance(userId)]).toEqual(['integrity_failure', 0n])
    }
  })
})

describe.each(firsts)('%s', (name, road) => {
  const { fake } = road
  test('W4, W11: forged notices are refused without effect, a good one gets exactly the words of the channel', async () => {
    const { userId, orderNo, tradeNo } = await open(road)
    const other = await open(road)
    await fake.pay(tradeNo, { silent: true })
    await fake.pay(other.tradeNo, { silent: true })
    const before = await effects()
    for (const [kind, sent] of Object.entries(fake.forgeries(tradeNo, other.tradeNo))) {
      const { status } = await send(fake, sent)
      expect([kind, status >= 400 && status < 500]).toEqual([kind, true])
    }
    expect([await effects(), await balance(userId)]).toEqual([before, 0n])
    const words: Record<string, string> = { 'alipay': 'success', 'wechat-pay': '', 'nihaopay': 'ok', 'stripe': 'ok' }
    expect(await send(fake, fake.notice(tradeNo))).toEqual({ status: 200, body: words[name] })
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
  })

  test('W7: a notice is put off while the channel cannot be asked, and its next try credits', async () => {
    const { userId, tradeNo } = await open(road)
    fake.http.misbehave('error-before', 1)
    await fake.pay(tradeNo)
    expect(await fake.deliver()).toBe(1)
    expect([await balance(userId), await fake.deliver()]).toEqual([0n, 0])
    fake.http.behave()
    clock.advance(240_000)
    expect(await fake.deliver()).toBe(1)
    expect([await balance(userId), await fake.deliver()]).toEqual([parseUsd('20'), 0])
    clock.advance(-240_000) // The database's clock did not move.
  })

  test('W3: a notice that comes before our rows is put off', async () => {
    const { tradeNo, userId } = await open(road)
    await fake.pay(tradeNo, { silent: true })
    await db.owner.query(`update payments_attempts set trade_no = trade_no || 'X' where trade_no = $1`, [tradeNo])
    expect((await send(fake, fake.notice(tradeNo))).status).toBe(503)
    await db.owner.query(`update payments_attempts set trade_no = $1 where trade_no = $1 || 'X'`, [tradeNo])
    expect((await send(fake, fake.notice(tradeNo))).status).toBe(200)
    expect(await balance(userId)).toBe(parseUsd('20'))
  })
})

const CALLED: readonly (readonly [string, RealChannel, readonly Fault[]])[] = firsts
  .filter(([name]) => name !== 'alipay')
  .map(([name, road]) => [name, road, ['reset-before', 'reset-after', 'reset-in-body', 'error-after', 'html', 'empty', 'error-code', 'bad-signature']])

describe.each(CALLED)('P4: %s does not say whether it opened the trade', (_, road, faults) => {
  test.each(faults)('%s: the order is processing, is paid though its page was never seen, and is credited once', async (fault) => {
    const { userId, orderNo } = await create(road)
    road.fake.http.misbehave(fault)
    expect((await param(road, orderNo, userId)).code).toBe(3110)
    road.fake.http.behave()
    expect(['paying', 'unknown']).toContain(await stateOf(orderNo))
    const lost = await tradeOf(orderNo)
    if (!(await road.fake.trades()).includes(lost)) {
      // The trade does not exist at the channel: opening again creates it, once.
      expect((await param(road, orderNo, userId)).code).toBe(200)
    }
    const trade = (await road.fake.trades()).filter((tradeNo) => tradeNo.startsWith(orderNo))
    expect(trade).toHaveLength(1)
    await road.fake.pay(trade[0]!, { silent: true })
    await dueNow(orderNo)
    await reconcile(deps)
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
  })
})

test('a channel whose page cannot be opened twice gets a new number for each opening, and each payment is credited', async () => {
  const road = roads.find(([, { fake }]) => fake === nihaopay)![1]
  const { userId, orderNo, tradeNo } = await open(road)
  await db.owner.query('update payments_attempts set expires_at = now() where trade_no = $1', [tradeNo])
  expect((await param(road, orderNo, userId)).code).toBe(200)
  const second = await tradeOf(orderNo)
  expect([second.startsWith(orderNo), second === tradeNo, (await nihaopay.trades()).includes(second)]).toEqual([true, false, true])
  await nihaopay.pay(tradeNo)
  await nihaopay.pay(second)
  await nihaopay.deliver()
  expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('40')])
})

test('an order of one currency is not opened at a channel of another', async () => {
  const [yuan, dollars] = [roads[2]![1], roads[6]![1]]
  const { userId, orderNo } = await create(yuan)
  expect((await param(dollars, orderNo, userId)).code).toBe(3109)
  expect((await param({ ...yuan, channelType: 11, transactionType: 1 }, orderNo, userId)).code).toBe(200)
})

test('a dispute that names only the payment finds its trade, once for each notice', async () => {
  const { tradeNo } = await open(roads[6]![1])
  await stripe.pay(tradeNo)
  await stripe.deliver()
  for (const status of ['needs_response', 'lost']) {
    stripe.dispute(tradeNo, status)
    await stripe.deliver()
  }
  const notices = await db.query<{ event: string }>('select event from payments_notices where trade_no = $1 order by received_at', [tradeNo])
  expect(notices.map(({ event }) => event)).toEqual(['paid', 'dispute', 'dispute'])
})

test('without credentials a channel is not offered, and its notice address is unknown', async () => {
  const bare = createTestApp({ features: [payments, realChannelSignIn], db, clock, env: wechat.env })
  const rows = (await bare.call('GET', '/v1/pay/channelList', { orderType: 10 }, { token: createId('user') })).data as { channelType: number }[]
  expect(new Set(rows.map(({ channelType }) => channelType))).toEqual(new Set([4, 25]))
  for (const name of ['alipay', 'stripe', 'nihaopay'])
    expect((await bare.inject({ method: 'POST', url: `/notify/${name}`, payload: 'x' })).statusCode).toBe(404)
  await bare.app.close()
})

test("afterwards every company's own book equals ours, and the ledger adds up", async () => {
  await makeRowsDue(db.owner, 'payments_orders', { column: 'next_check_at' })
  await reconcile(deps)
  const theirs = (await Promise.all(fakes.map((fake) => fake.payments()))).flatMap((all) =>
    all.map(({ txn, minor, currency }) => `${txn} ${minor} ${currency}`),
  )
  const ours = (await db.query<{ line: string }>(`select channel_txn || ' ' || paid_minor || ' ' || currency as line from payments_receipts`)).map(
    ({ line }) => line,
  )
  expect(ours.length).toBeGreaterThan(60)
  expect(ours.toSorted()).toEqual(theirs.toSorted())
  expect(await db.query('select r.ledger_ref from payments_receipts r left join wallet_transactions w on w.ref = r.ledger_ref where w.id is null')).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
})
