import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { onPaid } from '#platform/web/state/paid.ts'
import { remoteApi, remoteServicesApi } from './remote-api.ts'

const REMOTE = ['remote'] as const
const PAGE_SIZE = 20
/** Poll interval; the page states it, too. */
const LIVE_MS = 2_000
const COUNT_MS = 15_000

export const useRemoteCount = () =>
  useQuery({ queryKey: [...REMOTE, 'count'], queryFn: ({ signal }) => remoteApi.kasmCount({}, { signal }), refetchInterval: COUNT_MS })

export const useRemoteSession = () =>
  useQuery({ queryKey: [...REMOTE, 'session'], queryFn: ({ signal }) => remoteApi.getKasm({}, { signal }), refetchInterval: LIVE_MS })

export const useRemoteRecords = () =>
  useInfiniteQuery({
    queryKey: [...REMOTE, 'records'],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => remoteServicesApi.serviceTasks({ service: 'remote', pageNum: pageParam, pageSize: PAGE_SIZE }, { signal }),
    getNextPageParam: (page) => (page.pageNum < page.totalPage ? page.pageNum + 1 : undefined),
  })

/** Refreshes the data, or the named parts, after an action here and after every payment. */
export function useRemoteRefresh(): (what?: readonly ('session' | 'count' | 'records')[]) => void {
  const cache = useQueryClient()
  useEffect(() => onPaid(() => void cache.invalidateQueries({ queryKey: [...REMOTE] })), [cache])
  return useCallback(
    (what) => {
      if (!what) return void cache.invalidateQueries({ queryKey: [...REMOTE] })
      for (const part of what) void cache.invalidateQueries({ queryKey: [...REMOTE, part] })
    },
    [cache],
  )
}
