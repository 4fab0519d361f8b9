import { transact } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { postTransaction, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import { refundOrder } from '../orders/repair-order.ts'
import { workRefunds } from '../reconciling/reconcile.ts'
import { MAGIC } from '../vendors/sandbox/magic-inputs.ts'
import { createPayingApp } from './paying.ts'

export const findMagicCents = (magic: string) => Object.entries(MAGIC).find(([, name]) => name === magic)![0]
export const readErrorName = (error: unknown) => (error as { errorName?: string }).errorName

/** A paying app with helpers for tests of refunds and disputes. */
export async function createRefundingApp() {
  const app = await createPayingApp()
  const { db, deps, call, dueNow, hurry, operator } = app
  return {
    ...app,
    work: async () => {
      await dueNow()
      await workRefunds(deps)
    },
    spend: (userId: string, amount: string) =>
      transact(db, operator, (tx) =>
        postTransaction(tx, {
          kind: 'test.spend',
          ref: crypto.randomUUID(),
          legs: [{ from: userAccount(userId), to: systemAccount('revenue'), amount: parseUsd(amount) }],
        }),
      ),
    refund: (orderNo: string, amount?: string) =>
      refundOrder(deps, operator, { orderNo, reason: 'test', ...(amount === undefined ? {} : { amount: parseUsd(amount) }) }),
    ask: (orderNo: string, token: string, more: object = {}) =>
      call('POST', '/pay/refund', { orderNo, ...more }, { token, idempotencyKey: crypto.randomUUID() }),
    dispute: async (orderNo: string) => {
      await hurry()
      await app.check(orderNo)
    },
    refunds: (orderNo: string) =>
      db.query<{ state: string; minor: bigint; amountNano: bigint }>(
        'select f.state, f.minor, f.amount_nano from payments_refunds f join payments_orders o on o.id = f.order_id where order_no = $1 order by f.id',
        [orderNo],
      ),
  }
}
