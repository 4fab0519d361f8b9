import { gatewayContract } from '#features/gateway/contract.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { siteContract } from '../contract.ts'

/** Calls of public pages from the browser: data that the server did not prerender, and the reader's own data. */
export const sitePublicApi = createApi({
  modelPrice: gatewayContract.modelPrice,
  ownPrices: gatewayContract.ownPrices,
  siteInfo: siteContract.siteInfo,
  siteFigures: siteContract.siteFigures,
  helpVote: siteContract.helpVote,
  exchangeRate: paymentsContract.exchangeRate,
})
