import { bind } from '#platform/server/feature.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { ordersContract } from '../contract-orders.ts'
import { paymentsContract } from '../contract.ts'
import { channelSandboxRoutes, findChannelByName } from './vendors/index.ts'
import { balancePay } from './orders/balance-pay.ts'
import { cancelOrder, requestRefund } from './orders/cancel-order.ts'
import { channelList } from './offer/channel-list.ts'
import { createOrder } from './orders/create-order.ts'
import { exchangeRate } from './offer/rate-now.ts'
import { maintain } from './offer/maintain.ts'
import { noticeRead } from './paying/notice-read.ts'
import { orderDetail, orderList, orderRecords } from './orders/view-orders.ts'
import { extraPayParam, payParam } from './paying/pay-param.ts'
import { payStatus } from './paying/pay-status.ts'
import { quote, rechargeFee } from './offer/quote.ts'
import { receiveChannelNotice } from './reconciling/receive-notice.ts'
import { tradeStatus } from './orders/trade/trade-status.ts'
import { unAuthTradeStatus } from './orders/trade/un-auth-trade-status.ts'

/** The balance has no channel and therefore no manifest. */
const BALANCE_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#8a5a12"/><path d="M10 14h18a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H12a3 3 0 0 1-3-3V13a2 2 0 0 1 2-2h15M25 22h.01" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>'

/** A method's picture, from its channel's manifest: `/pay/icons/sandbox-1.svg`. */
const serveIcon: RawRoute['handle'] = async (deps, request) => {
  const [, name, type] = /^([a-z0-9-]+)-(\d)\.svg$/.exec(request.params['file'] ?? '') ?? []
  const method = findChannelByName(deps, name ?? '')?.manifest.methods.find((each) => each.transactionType === Number(type))
  const body = name === 'balance' && type === '0' ? BALANCE_ICON : method?.icon
  if (!body) return { status: 404, type: 'text/plain', body: 'no such icon' }
  return {
    status: 200,
    type: 'image/svg+xml',
    body,
    headers: { 'cache-control': 'public, max-age=86400', 'content-security-policy': `default-src 'none'`, 'x-content-type-options': 'nosniff' },
  }
}

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
