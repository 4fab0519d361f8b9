import type { Fault } from '../fault.ts'

const VERBS = 'features/payments/server/verbs'
const VENDORS = 'features/payments/server/vendors'

export const paymentsFaults: readonly Fault[] = [
  {
    id: 'notice-signed-for-tomorrow',
    feature: 'payments',
    file: `${VENDORS}/wechat-pay/envelope.ts`,
    find: 'Math.abs(now.getTime() / 1000 - Number(time)) > WINDOW_SECONDS',
    put: 'now.getTime() / 1000 - Number(time) > WINDOW_SECONDS',
    harm: 'a notice that was signed ahead of time is taken until then',
    tests: [`${VENDORS}/wechat-pay/channel.test.ts`],
  },
  {
    id: 'notice-for-another-seller',
    feature: 'payments',
    file: `${VENDORS}/alipay/notices.ts`,
    find: 'app_id !== account.appId || seller_id !== account.sellerId',
    put: 'app_id !== account.appId && seller_id !== account.sellerId',
    harm: 'what was paid to another seller of the same app counts as paid to us',
    tests: [`${VENDORS}/alipay/channel.test.ts`],
  },
  {
    id: 'parts-of-a-refund-round-alone',
    feature: 'payments',
    file: `${VERBS}/start-refund.ts`,
    find: 'minus(shareOf(paidMinor, plus(from.goneNano, part), whole), from.goneMinor)',
    put: 'shareOf(paidMinor, part, whole)',
    harm: 'refunds in parts give a payer some fen less than the whole',
    tests: [`${VERBS}/refunds.db.test.ts`],
  },
  {
    id: 'currency-of-a-payment-not-looked-at',
    feature: 'payments',
    file: `${VERBS}/settle-payment.ts`,
    find: 'paid.minor === order.pay_minor && paid.currency === order.currency',
    put: 'paid.minor === order.pay_minor',
    harm: '147 yen count as 147 yuan',
    tests: [`${VERBS}/receive-notice.db.test.ts`],
  },
  {
    id: 'order-not-locked',
    feature: 'payments',
    file: 'features/payments/server/data.ts',
    find: 'from payments_orders where id = $1 for update',
    put: 'from payments_orders where id = $1',
    harm: 'refunds of one order asked for at once: some fail in the database instead of being refused',
    tests: [`${VERBS}/refunds.db.test.ts`],
  },
  {
    id: 'refund-of-a-dead-process-never-sent',
    feature: 'payments',
    file: `${VERBS}/work-refund.ts`,
    find: "if (fact?.status === 'not_found' && refund.state !== 'succeeded') return",
    put: "if (fact?.status === 'not_found' && refund.state === 'unknown') return",
    harm: 'a process dies just before it calls the channel: the payer waits for ever',
    tests: ['e2e/crash/refund-points.test.ts'],
  },
  {
    id: 'refused-payout-keeps-the-money',
    feature: 'payments',
    file: 'features/payments/server/withdrawals/verbs/advance-withdrawals.ts',
    find: '      await back()\n      await tellByMail(deps, tx, moved,',
    put: '      await tellByMail(deps, tx, moved,',
    harm: 'a withdrawal that the bank refuses is gone from the balance',
    tests: ['features/payments/server/withdrawals/withdrawals.db.test.ts'],
  },
  {
    id: 'open-order-page-waits-for-a-reload',
    feature: 'payments',
    file: 'features/payments/web/orders/use-orders.ts',
    find: "'created', 'paying', 'unknown', 'paid',",
    put: "'unknown', 'paid',",
    harm: 'who paid on a phone looks at an order that stays unpaid, and pays again',
    tests: ['e2e/journeys/orders.test.ts'],
  },
]
