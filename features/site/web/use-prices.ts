import type { gatewayContract } from '#features/gateway/contract.ts'
import type { paymentsContract } from '#features/payments/contract.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { usePageData } from '#platform/web/page-data.tsx'
import type { siteContract } from '../contract.ts'

// The contracts depend on zod, a quarter of the landing page's size limit, so they are loaded when a call is made.
const loadApi = () => import('./public-api.ts').then((module) => module.sitePublicApi)
const loadPrices = (signal?: AbortSignal) => loadApi().then((calls) => calls.modelPrice({}, { signal }))
const loadSiteInfo = (signal?: AbortSignal) => loadApi().then((calls) => calls.siteInfo({}, { signal }))
const loadRate = (signal?: AbortSignal) => loadApi().then((calls) => calls.exchangeRate({}, { signal }))

/** Price list, the one that bills are calculated from. */
export const usePriceList = () => usePageData<ReplyOf<(typeof gatewayContract)['modelPrice']>>('/user/model_price', loadPrices)
/** Operators' settings for the public pages. */
export const useSiteInfo = () => usePageData<ReplyOf<(typeof siteContract)['siteInfo']>>('/common/site', loadSiteInfo)
/** Yuan per dollar, as an order created now would freeze it. */
export const useRate = () => usePageData<ReplyOf<(typeof paymentsContract)['exchangeRate']>>('/common/exchangeRate', loadRate)
