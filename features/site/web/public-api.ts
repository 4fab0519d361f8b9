import { gatewayContract } from '#features/gateway/contract.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { siteContract } from '../contract.ts'

/** The calls that public pages make themselves: what the server did not draw, and what is the reader's own. */
export const sitePublicApi = createApi({
  modelPrice: gatewayContract.modelPrice,
  ownPrices: gatewayContract.ownPrices,
  siteInfo: siteContract.siteInfo,
  siteFigures: siteContract.siteFigures,
  helpVote: siteContract.helpVote,
  exchangeRate: paymentsContract.exchangeRate,
})
