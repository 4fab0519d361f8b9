import { useQuery } from '@tanstack/react-query'
import { gatewayContract } from '#features/gateway/contract.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { loadHelpTitles } from '#features/site/web/index.tsx'
import { createApi } from '#platform/web/calls/api.ts'
import { useLang } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { useSignedIn } from '#platform/web/state/session.ts'

const api = createApi({ modelPrice: gatewayContract.modelPrice, orderRecords: paymentsContract.orderRecords })

/** Models of the price list, the newest orders and the help articles. The palette works without them while they load or fail. */
export function usePaletteData() {
  const signedIn = useSignedIn()
  const models = useQuery({ queryKey: ['gateway', 'modelPrice'], queryFn: ({ signal }) => api.modelPrice({}, { signal }), staleTime: 300_000 })
  const orders = useQuery({
    queryKey: ['shell', 'orders'],
    queryFn: ({ signal }) => api.orderRecords({ pageNum: 1, pageSize: 20 }, { signal, alone: true }),
    staleTime: 30_000,
    enabled: signedIn,
  })
  const lang = useLang()
  const articles = useQuery({ queryKey: ['site', 'helpTitles'], queryFn: loadHelpTitles, staleTime: Infinity })
  return {
    signedIn,
    articles: (articles.data ?? []).map(({ slug, title }) => ({ slug, title: title[lang], other: title[lang === 'zh' ? 'en' : 'zh'] })),
    models: models.data?.rowList ?? [],
    orders: (orders.data?.rowList ?? [])
      .filter(({ orderType }) => orderType !== 2)
      .map(({ orderNo, orderAmount }) => ({ orderNo, note: displayUsd(orderAmount) })),
  }
}
