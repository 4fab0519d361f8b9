import { bind } from '#platform/server/feature.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { paymentsContract } from '../contract.ts'
import { showIcon } from './icons.ts'
import { outsideRoutes } from './vendors/index.ts'
import { cancelOrder } from './verbs/cancel-order.ts'
import { channelList } from './verbs/channel-list.ts'
import { createOrder } from './verbs/create-order.ts'
import { exchangeRate } from './verbs/exchange-rate.ts'
import { maintain } from './verbs/maintain.ts'
import { orderRecords } from './verbs/order-records.ts'
import { payParam } from './verbs/pay-param.ts'
import { payStatus } from './verbs/pay-status.ts'
import { quote } from './verbs/quote.ts'
import { receiveNotice } from './verbs/receive-notice.ts'
import { rechargeFee } from './verbs/recharge-fee.ts'
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

export const paymentRawRoutes: readonly RawRoute[] = [
  { method: 'POST', path: '/notify/{channel}', role: 'api', handle: receiveNotice },
  { method: 'GET', path: '/pay/icons/{file}', role: 'api', handle: showIcon },
  ...outsideRoutes,
]
