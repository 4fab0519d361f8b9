import { bind } from '#platform/server/feature.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { ordersContract } from '../contract-orders.ts'
import { paymentsContract } from '../contract.ts'
import { showIcon } from './icons.ts'
import { outsideRoutes } from './vendors/index.ts'
import { balancePay } from './verbs/balance-pay.ts'
import { cancelOrder } from './verbs/cancel-order.ts'
import { channelList } from './verbs/channel-list.ts'
import { createOrder } from './verbs/create-order.ts'
import { exchangeRate } from './verbs/exchange-rate.ts'
import { maintain } from './verbs/maintain.ts'
import { noticeRead } from './verbs/notice-read.ts'
import { orderDetail } from './verbs/order-detail.ts'
import { orderList } from './verbs/order-list.ts'
import { orderRecords } from './verbs/order-records.ts'
import { payParam } from './verbs/pay-param.ts'
import { payStatus } from './verbs/pay-status.ts'
import { quote } from './verbs/quote.ts'
import { receiveNotice } from './verbs/receive-notice.ts'
import { rechargeFee } from './verbs/recharge-fee.ts'
import { refund } from './verbs/request-refund.ts'
import { tradeStatus } from './verbs/trade-status.ts'
import { unAuthTradeStatus } from './verbs/un-auth-trade-status.ts'

export const paymentRoutes = bind(paymentsContract, {
  createOrder,
  payParam,
  payStatus,
  tradeStatus,
  unAuthTradeStatus,
  cancelOrder,
  orderRecords,
  quote,
  channelList,
  rechargeFee,
  exchangeRate,
  maintain,
})

export const orderRoutes = bind(ordersContract, { orderList, orderDetail, noticeRead, balancePay, refund })

export const paymentRawRoutes: readonly RawRoute[] = [
  { method: 'POST', path: '/notify/{channel}', role: 'api', handle: receiveNotice },
  { method: 'GET', path: '/pay/icons/{file}', role: 'api', handle: showIcon },
  ...outsideRoutes,
]
