import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { SentOf } from '#platform/shared/contract.ts'
import type { requestsContract } from '../../contract-requests.ts'
import { requestsApi, usageApi } from '../gateway-api.ts'

type Wish = Omit<SentOf<(typeof requestsContract)['requests']>, 'after'>
const PAGE = 30
const WATCH_MS = 5_000
const LIST = ['gateway', 'requests'] as const

export const useRequests = (wish: Wish, enabled: boolean) =>
  useInfiniteQuery({
    queryKey: [...LIST, 'list', wish],
    enabled,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => requestsApi.requests({ ...wish, after: pageParam || undefined, pageSize: PAGE }, { signal }),
    getNextPageParam: (last) => last.next ?? undefined,
  })

export const useRequestCounts = (wish: SentOf<(typeof requestsContract)['requestCounts']>) =>
  useQuery({ queryKey: [...LIST, 'counts', wish], queryFn: ({ signal }) => requestsApi.requestCounts(wish, { signal }) })

/** Counts calls since the list was loaded. They are shown on demand, so that rows do not move while the user reads. */
export function useNews(wish: Wish, known: readonly string[] | undefined) {
  const client = useQueryClient()
  const watch = useQuery({
    queryKey: [...LIST, 'news', wish],
    queryFn: ({ signal }) => requestsApi.requests({ ...wish, pageSize: PAGE }, { signal, alone: true }),
    enabled: known !== undefined && wish.find === undefined,
    refetchInterval: WATCH_MS,
    staleTime: WATCH_MS,
    retry: false,
  })
  const listed = new Set(known)
  const count = known === undefined ? 0 : (watch.data?.rowList ?? []).filter((row) => !listed.has(row.id)).length
  const look = useCallback(() => void client.invalidateQueries({ queryKey: [...LIST, 'news'] }), [client])
  return { count, isMany: count >= PAGE, isLive: !watch.isError, look, show: () => void client.resetQueries({ queryKey: LIST }) }
}

export const useCall = (callId: string) =>
  useQuery({ queryKey: ['gateway', 'call', callId], queryFn: ({ signal }) => usageApi.call({ callId }, { signal }), staleTime: Infinity })
export const useRefused = (id: string) =>
  useQuery({ queryKey: ['gateway', 'refused', id], queryFn: ({ signal }) => requestsApi.refusedCall({ id }, { signal }), staleTime: Infinity })
