import type { Blocker, Deps, PersonalData } from '#platform/server/feature.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { paymentTexts } from '../texts.ts'
import type { OrderState } from '../words.ts'
import { exportAutoRecharge, selectChargingOrder } from './auto/personal.ts'
import { selectUserInvoiceRequests } from './paper/asked/data-asked.ts'
import { searchOrders } from './orders/data-orders.ts'

/** States with money in transit, to or from the order, or with an unknown outcome. */
const UNFINISHED: readonly OrderState[] = ['unknown', 'paid', 'paid_late', 'integrity_failure', 'refunding', 'disputed']
const MAX_ORDERS = 10_000

/** Orders with unsettled money block closing the account. */
async function blockersOf({ db }: Deps, userId: string, lang: Lang): Promise<readonly Blocker[]> {
  const orders = await searchOrders(db, { userId, states: UNFINISHED, limit: 5 })
  const charging = await selectChargingOrder(db, userId)
  return [...orders, ...(charging && !orders.some(({ orderNo }) => orderNo === charging.orderNo) ? [charging] : [])].map((order) => ({
    code: 'order',
    text: fill(paymentTexts[lang].close_order, { orderNo: order.orderNo }),
    path: `/orders/${order.orderNo}`,
  }))
}

async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const orders = await searchOrders(db, { userId, limit: MAX_ORDERS })
  return {
    autoRecharge: await exportAutoRecharge(db, userId),
    invoiceRequests: (await selectUserInvoiceRequests(db, userId, MAX_ORDERS)).map(({ requestNo, month, details, note, state, askedAt, paperNo, answer }) => ({
      ...{ requestNo, month, details, note, state, askedAt, paperNo, answer },
    })),
    orders: orders.map((order) => ({
      orderNo: order.orderNo,
      orderType: order.orderType,
      state: order.state,
      amount: formatUsd(order.amountNano),
      fee: formatUsd(order.feeNano),
      total: formatUsd(order.totalNano),
      refunded: formatUsd(order.refunded),
      rate: order.rate,
      currency: order.currency,
      payMinor: order.payMinor.toString(),
      createdAt: order.createdAt,
      paidAt: order.paidAt,
    })),
  }
}

export const paymentsPersonal: PersonalData = { blockersOf, exportOf }
