import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { accountApi, gatewayApi, walletApi } from './gateway-api.ts'

/** The selector of the billing page needs all keys at once (specification 2, section 9). */
const ALL = 999
const PAGE = 20

export const useBalance = () => useQuery({ queryKey: ['wallet', 'balance'], queryFn: ({ signal }) => walletApi.balanceInfo({}, { signal }) })
export const useAccount = () => useQuery({ queryKey: ['account', 'info'], queryFn: ({ signal }) => accountApi.info({}, { signal }), staleTime: 60_000 })
export const useSummary = (eager = false) =>
  useQuery({
    queryKey: ['gateway', 'summary'],
    queryFn: ({ signal }) => gatewayApi.usageSummary({}, { signal }),
    refetchInterval: eager ? 4000 : false,
  })
export const useKeys = (includeDeleted: boolean) =>
  useQuery({
    queryKey: ['gateway', 'keys', includeDeleted],
    queryFn: ({ signal }) => gatewayApi.listKeys({ pageNum: 1, pageSize: ALL, includeDeleted: includeDeleted ? 'true' : 'false' }, { signal }),
  })
export const usePrices = () =>
  useQuery({ queryKey: ['gateway', 'modelPrice'], queryFn: ({ signal }) => gatewayApi.modelPrice({}, { signal }), staleTime: 300_000 })

export type Period = 'current' | 'history'

export const useUsage = (mode: Period, keyId: string) =>
  useInfiniteQuery({
    queryKey: ['gateway', 'usage', mode, keyId],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => gatewayApi.usage({ mode, keyId: keyId || undefined, pageNum: pageParam, pageSize: PAGE }, { signal }),
    getNextPageParam: (last) => (last.pageNum < last.totalPage ? last.pageNum + 1 : undefined),
  })
export const useCalls = (day: string, model: string, keyId: string) =>
  useInfiniteQuery({
    queryKey: ['gateway', 'calls', day, model, keyId],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => gatewayApi.calls({ day, model, keyId: keyId || undefined, after: pageParam || undefined, pageSize: PAGE }, { signal }),
    getNextPageParam: (last) => last.next ?? undefined,
  })
export const useCall = (callId: string) =>
  useQuery({
    queryKey: ['gateway', 'call', callId],
    queryFn: ({ signal }) => gatewayApi.call({ callId }, { signal }),
    enabled: callId !== '',
    staleTime: Infinity,
  })

/** After a key changed. */
export function useKeysChanged(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([client.invalidateQueries({ queryKey: ['gateway', 'keys'] }), client.invalidateQueries({ queryKey: ['gateway', 'summary'] })])
  }
}
