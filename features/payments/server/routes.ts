import { bind } from '#platform/server/feature.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { ordersContract } from '../contract-orders.ts'
import { paymentsContract } from '../contract.ts'
import { serveIcon } from './icons.ts'
import { channelSandboxRoutes } from './vendors/index.ts'
import { balancePay } from './orders/balance-pay.ts'
import { cancelOrder } from './orders/cancel-order.ts'
import { channelList } from './offer/channel-list.ts'
import { createOrder } from './orders/create-order.ts'
import { exchangeRate } from './offer/exchange-rate.ts'
import { maintain } from './offer/maintain.ts'
import { noticeRead } from './paying/notice-read.ts'
import { orderDetail } from './orders/order-detail.ts'
import { orderList } from './orders/order-list.ts'
import { orderRecords } from './orders/order-records.ts'
import { extraPayParam, payParam } from './paying/pay-param.ts'
import { payStatus } from './paying/pay-status.ts'
import { quote } from './offer/quote.ts'
import { receiveChannelNotice } from './reconciling/receive-notice.ts'
import { rechargeFee } from './offer/recharge-fee.ts'
import { requestRefund } from './orders/request-refund.ts'
import { tradeStatus } from './orders/trade/trade-status.ts'
import { unAuthTradeStatus } from './orders/trade/un-auth-trade-status.ts'

export const paymentRoutes = bind(paymentsContract, {
  createOrder,
  payParam,
  extraPayParam,
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

export const orderRoutes = bind(ordersContract, { orderList, orderDetail, noticeRead, balancePay, refund: requestRefund })

export const paymentRawRoutes: readonly RawRoute[] = [
  { method: 'POST', path: '/notify/{channel}', role: 'api', handle: receiveChannelNotice },
  { method: 'GET', path: '/pay/icons/{file}', role: 'api', handle: serveIcon },
  ...channelSandboxRoutes,
]
