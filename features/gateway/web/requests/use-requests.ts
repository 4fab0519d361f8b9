import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { SentOf } from '#platform/shared/contract.ts'
import type { requestsContract } from '../../contract-requests.ts'
import { requestsApi, usageApi } from '../gateway-api.ts'

type RequestsQuery = Omit<SentOf<(typeof requestsContract)['requests']>, 'after'>
const PAGE = 30
const WATCH_MS = 5_000
const QUERY_KEY = ['gateway', 'requests'] as const

export const useRequests = (wish: RequestsQuery, enabled: boolean) =>
  useInfiniteQuery({
    queryKey: [...QUERY_KEY, 'list', wish],
    enabled,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => requestsApi.requests({ ...wish, after: pageParam || undefined, pageSize: PAGE }, { signal }),
    getNextPageParam: (last) => last.next ?? undefined,
  })

export const useRequestCounts = (wish: SentOf<(typeof requestsContract)['requestCounts']>) =>
  useQuery({ queryKey: [...QUERY_KEY, 'counts', wish], queryFn: ({ signal }) => requestsApi.requestCounts(wish, { signal }) })

/** Counts calls since the list was loaded. They are shown on demand, so that rows do not move while the user reads. */
export function useNewRequests(wish: RequestsQuery, known: readonly string[] | undefined) {
  const client = useQueryClient()
  const watch = useQuery({
    queryKey: [...QUERY_KEY, 'news', wish],
    queryFn: ({ signal }) => requestsApi.requests({ ...wish, pageSize: PAGE }, { signal, alone: true }),
    enabled: known !== undefined && wish.find === undefined,
    refetchInterval: WATCH_MS,
    staleTime: WATCH_MS,
    retry: false,
  })
  const listed = new Set(known)
  const count = known === undefined ? 0 : (watch.data?.rowList ?? []).filter((row) => !listed.has(row.id)).length
  const look = useCallback(() => void client.invalidateQueries({ queryKey: [...QUERY_KEY, 'news'] }), [client])
  return { count, isMany: count >= PAGE, isLive: !watch.isError, look, show: () => void client.resetQueries({ queryKey: QUERY_KEY }) }
}

export const useCallDetail = (callId: string) =>
  useQuery({ queryKey: ['gateway', 'call', callId], queryFn: ({ signal }) => usageApi.call({ callId }, { signal }), staleTime: Infinity })
export const useRefusedCall = (id: string) =>
  useQuery({ queryKey: ['gateway', 'refused', id], queryFn: ({ signal }) => requestsApi.refusedCall({ id }, { signal }), staleTime: Infinity })
