import { describe, expect, test } from 'vitest'
import { transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { addNano } from '#platform/shared/money.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { pressCashier } from '../builders.ts'
import { selectOrderByNo } from '../data.ts'
import { registerOrderKind } from '../kinds/index.ts'
import { findLatestRefund } from '../refunds/money-back.ts'
import { applyRefundFact } from '../reconciling/work-refund.ts'
import { workRefunds } from '../reconciling/reconcile.ts'
import { createPayingApp } from '../testing/paying.ts'
import { abandonOrder } from './deliver-order.ts'

const { db, deps, call, check, dueNow, stateOf, balance, operator } = await createPayingApp()
registerOrderKind({ orderType: 9, earns: 'service', amounts: 'own', price: async () => '7.50', fulfil: async () => 'later', undo: async () => {} })
const work = async () => {
  await dueNow()
  await workRefunds(deps)
}

describe('an order abandoned after a payment over a channel', () => {
  const PAY = { channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }
  /** Creates an order paid over the sandbox channel that waits for its service. */
  async function aWaiting(): Promise<{ token: string; orderNo: string }> {
    const token = createId('user')
    const { orderNo } = (await call('POST', '/api/go/v1/payOrder', { orderType: 9, service: 'later', ...PAY }, { token, idempotencyKey: createId('k') })).data
    await pressCashier((await call('POST', '/api/go/v1/payParam', { order_id: orderNo, ...PAY }, { token })).data, 'silent')
    await check(orderNo)
    expect([await stateOf(orderNo), await balance(token)]).toEqual(['paid', 0n])
    return { token, orderNo }
  }
  const abandon = (orderNo: string) => transact(db, operator, (tx) => abandonOrder(deps, tx, { orderNo, reason: 'the supplier has none' }))
  const refunds = (orderNo: string) =>
    db.query(
      'select goes_to, f.state, f.fee_nano = o.fee_nano as with_fee from payments_refunds f join payments_orders o on o.id = f.order_id where order_no = $1 order by f.id',
      [orderNo],
    )

  test('the money goes back over the channel, with its fee', async () => {
    const { token, orderNo } = await aWaiting()
    await abandon(orderNo)
    expect(await findLatestRefund(db, orderNo)).toMatchObject({ goesTo: 'channel', isDone: false })
    await work()
    expect([await stateOf(orderNo), await balance(token), await refunds(orderNo)]).toEqual([
      'refunded',
      0n,
      [{ goesTo: 'channel', state: 'succeeded', withFee: true }],
    ])
    expect(await findLatestRefund(db, orderNo)).toMatchObject({ goesTo: 'channel', isDone: true })
  })

  test('the money becomes balance at once, with its fee, where the channel’s days are over', async () => {
    const { token, orderNo } = await aWaiting()
    // A channel that is no longer connected cannot refund.
    const without = { ...deps, config: { ...deps.config, STAGE: 'production', ALLOW_SANDBOX: [] } } as typeof deps
    await transact(db, operator, (tx) => abandonOrder(without, tx, { orderNo, reason: 'the supplier has none' }))
    const { amountNano: amount, feeNano: fee } = (await selectOrderByNo(db, orderNo))!
    expect([await stateOf(orderNo), await balance(token), await refunds(orderNo)]).toEqual([
      'refunded',
      addNano(amount, fee),
      [{ goesTo: 'balance', state: 'succeeded', withFee: true }],
    ])
  })

  test('the money becomes balance, with its fee, where the channel refuses the refund', async () => {
    const { token, orderNo } = await aWaiting()
    await abandon(orderNo)
    await transact(db, operator, async (tx) => {
      const [row] = await tx.query<{ id: bigint }>('select f.id from payments_refunds f join payments_orders o on o.id = f.order_id where order_no = $1', [
        orderNo,
      ])
      await tx.query(`update payments_refunds set state = 'dispatched' where id = $1`, [row!.id])
      await applyRefundFact(tx, row!.id, { status: 'refused', reason: 'account closed' })
    })
    const { amountNano: amount, feeNano: fee } = (await selectOrderByNo(db, orderNo))!
    expect([await stateOf(orderNo), await balance(token), (await refunds(orderNo)).map(({ goesTo, state }) => [goesTo, state])]).toEqual([
      'refunded',
      addNano(amount, fee),
      [
        ['channel', 'failed'],
        ['balance', 'succeeded'],
      ],
    ])
    expect((await verifyLedger(db)).problems).toEqual([])
  })
})
