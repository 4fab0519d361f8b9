import { useQuery } from '@tanstack/react-query'
import { gatewayContract } from '#features/gateway/contract.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { createApi } from '#platform/web/api.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { useSignedIn } from '#platform/web/session.ts'

const api = createApi({ modelPrice: gatewayContract.modelPrice, orderRecords: paymentsContract.orderRecords })

/** Models of the price list and the newest orders. The palette works without them while they load or fail. */
export function useKnown() {
  const signedIn = useSignedIn()
  const models = useQuery({ queryKey: ['gateway', 'modelPrice'], queryFn: ({ signal }) => api.modelPrice({}, { signal }), staleTime: 300_000 })
  const orders = useQuery({
    queryKey: ['shell', 'orders'],
    queryFn: ({ signal }) => api.orderRecords({ pageNum: 1, pageSize: 20 }, { signal, alone: true }),
    staleTime: 30_000,
    enabled: signedIn,
  })
  return {
    signedIn,
    models: models.data?.rowList ?? [],
    orders: (orders.data?.rowList ?? []).map(({ orderNo, orderAmount }) => ({ orderNo, note: usdDisplay(orderAmount) })),
  }
}
