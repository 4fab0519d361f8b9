import { useQuery } from '@tanstack/react-query'
import { useIsMobile } from '#platform/web/device.ts'
import { useLang } from '#platform/web/i18n.ts'
import type { PaymentOrder } from '../../contract-shapes.ts'
import { ORDER_TYPE } from '../../words.ts'
import { paymentsApi } from '../payments-api.ts'

/** Bounds, presets and rate; the page computes the lines with the server's function. */
export function useQuote(enabled: boolean) {
  return useQuery({
    queryKey: ['payments', 'quote'],
    queryFn: ({ signal }) => paymentsApi.quote({ orderType: ORDER_TYPE.OPENAI_API }, { signal }),
    enabled,
    staleTime: 60_000,
  })
}

/** Payment methods for this device: for a top-up, or for an order with its kind and amount. */
export function useChannels(enabled: boolean, order?: Pick<PaymentOrder, 'orderType' | 'amount'>) {
  const device = useIsMobile() ? 'H5' : 'QRCODE'
  const orderType = order?.orderType ?? ORDER_TYPE.OPENAI_API
  const orderAmount = order?.amount
  const lang = useLang()
  return useQuery({
    queryKey: ['payments', 'channels', device, lang, orderType, orderAmount ?? ''],
    queryFn: ({ signal }) => paymentsApi.channelList({ orderType, device, ...(orderAmount === undefined ? {} : { orderAmount }) }, { signal }),
    enabled,
    staleTime: 60_000,
  })
}

/** Cached for a minute (product.md 2.9). */
export function usePaymentMaintenance(enabled: boolean) {
  const lang = useLang()
  return useQuery({ queryKey: ['payments', 'maintain', lang], queryFn: ({ signal }) => paymentsApi.maintain({}, { signal }), enabled, staleTime: 60_000 })
}
