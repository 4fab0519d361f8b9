import { gatewayContract } from '#features/gateway/contract.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { siteContract } from '../contract.ts'

/** The public calls that pages make which were not drawn by the server. */
export const publicApi = createApi({
  modelPrice: gatewayContract.modelPrice,
  siteInfo: siteContract.siteInfo,
  exchangeRate: paymentsContract.exchangeRate,
})
