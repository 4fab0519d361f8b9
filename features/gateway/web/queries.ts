import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SentOf } from '#platform/shared/contract.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import type { usageContract } from '../contract-usage.ts'
import { accountInfoApi, gatewayApi, keysApi, usageApi, walletApi } from './gateway-api.ts'
import type { ShanghaiDayRange } from './use-range.ts'

/** The selector of the billing page needs all keys at once (product.md 2.9). */
const ALL = 999
const PAGE = 20
/** Polling interval while a person waits for the first use of a new key, or the last use of one being replaced. */
const WAITING_MS = 5_000
const QUIET_MS = 30_000

/** Figures of the overview. All of them change with calls, so each is refetched separately. */
const balanceQuery = queryOptions({
  queryKey: ['wallet', 'balance'],
  queryFn: ({ signal }) => walletApi.balanceInfo({}, { signal }),
  refetchInterval: QUIET_MS,
})
const summaryQuery = (eager: boolean) =>
  queryOptions({
    queryKey: ['gateway', 'summary'],
    queryFn: ({ signal }) => usageApi.usageSummary({}, { signal }),
    refetchInterval: eager ? 4000 : QUIET_MS,
  })
const keysQuery = (includeDeleted: boolean) =>
  queryOptions({
    queryKey: ['gateway', 'keys', includeDeleted],
    queryFn: ({ signal }) => gatewayApi.listKeys({ pageNum: 1, pageSize: ALL, includeDeleted: includeDeleted ? 'true' : 'false' }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.rowList.some((row) => (row.status === 'active' && row.lastUseAt === null) || row.rotation !== null) ? WAITING_MS : QUIET_MS,
  })
const keySpendQuery = queryOptions({
  queryKey: ['gateway', 'keys', 'spend'],
  queryFn: ({ signal }) => keysApi.keySpend({}, { signal }),
  refetchInterval: QUIET_MS,
})
export const overviewQueries = { balance: balanceQuery, summary: summaryQuery(false), keys: keysQuery(false), keySpend: keySpendQuery }

export const useGatewayBalance = () => useQuery(balanceQuery)
export const useAccount = () => useQuery({ queryKey: ['account', 'info'], queryFn: ({ signal }) => accountInfoApi.info({}, { signal }), staleTime: 60_000 })
export const useSummary = (eager = false) => useQuery(summaryQuery(eager))
export const useApiKeys = (includeDeleted: boolean) => useQuery(keysQuery(includeDeleted))
export const useKeySpend = () => useQuery(keySpendQuery)
export const useModelPrices = () =>
  useQuery({ queryKey: ['gateway', 'modelPrice'], queryFn: ({ signal }) => gatewayApi.modelPrice({}, { signal }), staleTime: 300_000 })
/** The caller's negotiated prices; empty for visitors. */
export function useOwnPrices() {
  const signedIn = useSignedIn()
  return useQuery({ queryKey: ['gateway', 'ownPrices'], queryFn: ({ signal }) => gatewayApi.ownPrices({}, { signal }), enabled: signedIn, staleTime: 60_000 })
}

export interface UsageQuery extends ShanghaiDayRange {
  readonly keyId?: string | undefined
  readonly group: 'model' | 'key'
}
/** Filters for the calls of a range; empty ones are omitted. */
export interface CallQuery extends ShanghaiDayRange {
  readonly keyId?: string | undefined
  readonly model?: string | undefined
  readonly outcome?: SentOf<(typeof usageContract)['calls']>['outcome']
  readonly minAmount?: string | undefined
}

export const useUsage = (wish: UsageQuery) =>
  useInfiniteQuery({
    queryKey: ['gateway', 'usage', wish],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => usageApi.usage({ ...wish, after: pageParam || undefined, pageSize: PAGE }, { signal }),
    getNextPageParam: (last) => last.next ?? undefined,
  })
export const useUsageSeries = (wish: SentOf<(typeof usageContract)['usageSeries']>) =>
  useQuery({ queryKey: ['gateway', 'usage', 'series', wish], queryFn: ({ signal }) => usageApi.usageSeries(wish, { signal }) })
export const useCalls = (wish: CallQuery) =>
  useInfiniteQuery({
    queryKey: ['gateway', 'calls', wish],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => usageApi.calls({ ...wish, after: pageParam || undefined, pageSize: PAGE }, { signal }),
    getNextPageParam: (last) => last.next ?? undefined,
  })
/** Refreshes the queries that depend on keys after a key changed. */
export function useKeysChanged(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([client.invalidateQueries({ queryKey: ['gateway', 'keys'] }), client.invalidateQueries({ queryKey: ['gateway', 'summary'] })])
  }
}
