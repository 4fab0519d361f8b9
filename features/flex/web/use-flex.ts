import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useLang } from '#platform/web/i18n.ts'
import type { FlexUse } from '../contract.ts'
import { flexApi } from './flex-api.ts'

const PENDING_POLL_MS = 3_000
const WINDOW_MS = 30_000
const SEATS_MS = 60_000

export function useFlex(enabled: boolean) {
  const lang = useLang()
  return useQuery({
    queryKey: ['flex', 'use', lang],
    queryFn: ({ signal }) => flexApi.shareUseInfo({}, { signal }),
    enabled,
    refetchInterval: ({ state: { data } }) =>
      data?.rowList.some(({ isPending }) => isPending) ? PENDING_POLL_MS : data?.rowList.some(({ useStatus }) => useStatus === 1) ? WINDOW_MS : false,
  })
}

/** Refreshes records and balance when a subscription begins or ends by itself. */
export function useRefreshOnChange(uses: readonly FlexUse[] | undefined): void {
  const standing = uses?.map(({ taskId, useStatus, isPending }) => `${taskId} ${useStatus} ${isPending}`).join()
  const before = useRef(standing)
  useEffect(() => {
    if (before.current !== undefined && before.current !== standing) refreshFlex()
    before.current = standing
  }, [standing])
}

export function useFlexPrices(inviteCode: string) {
  const lang = useLang()
  return useQuery({
    queryKey: ['flex', 'prices', lang, inviteCode],
    queryFn: ({ signal }) => flexApi.getPrice({ inviteCode }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    // An open page also shows the number of seats left
    refetchInterval: SEATS_MS,
  })
}

export function useUsageWindows({ platformId, useStatus }: FlexUse) {
  return useQuery({
    queryKey: ['flex', 'windows', platformId],
    queryFn: ({ signal }) => flexApi.shareWindows({ platform: platformId }, { signal, alone: true }),
    enabled: useStatus === 1,
    refetchInterval: WINDOW_MS,
  })
}

export function useFlexRecords(pageNum: number, enabled: boolean) {
  const lang = useLang()
  return useQuery({
    queryKey: ['flex', 'records', lang, pageNum],
    queryFn: ({ signal }) => flexApi.flexRecords({ pageNum, pageSize: 10 }, { signal }),
    enabled,
    placeholderData: keepPreviousData,
  })
}

/** Refetches subscriptions and balance after an order, a payment or a set-up. */
export function refreshFlex(): void {
  void queryClient.invalidateQueries({ queryKey: ['flex'] })
  void queryClient.invalidateQueries({ queryKey: ['wallet'] })
}
