import type { gatewayContract } from '#features/gateway/contract.ts'
import type { paymentsContract } from '#features/payments/contract.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { usePageData } from '#platform/web/page-data.tsx'
import type { siteContract } from '../contract.ts'

// The contracts stand on zod, a quarter of what the landing page may weigh: they are loaded when a call is made.
const api = () => import('./public-api.ts').then((module) => module.publicApi)
const prices = (signal?: AbortSignal) => api().then((calls) => calls.modelPrice({}, { signal }))
const info = (signal?: AbortSignal) => api().then((calls) => calls.siteInfo({}, { signal }))
const rate = (signal?: AbortSignal) => api().then((calls) => calls.exchangeRate({}, { signal }))

/** Price list, the one that bills are calculated from. */
export const usePrices = () => usePageData<ReplyOf<(typeof gatewayContract)['modelPrice']>>('/user/model_price', prices)
/** Operators' settings for the public pages. */
export const useSiteInfo = () => usePageData<ReplyOf<(typeof siteContract)['siteInfo']>>('/common/site', info)
/** Yuan per dollar, as an order created now would freeze it. */
export const useRate = () => usePageData<ReplyOf<(typeof paymentsContract)['exchangeRate']>>('/common/exchangeRate', rate)
