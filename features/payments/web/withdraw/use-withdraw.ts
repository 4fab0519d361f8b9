import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { withdrawContract } from '../../contract-withdraw.ts'
import { WITHDRAWAL_OVER } from '../../words-out.ts'
import type { WithdrawalState } from '../../words-out.ts'
import { withdrawApi } from '../pages-api.ts'

export const WITHDRAWALS = ['payments', 'withdrawals'] as const
export type WithdrawQuote = ReplyOf<(typeof withdrawContract)['withdrawQuote']>
const PAGE_SIZE = 20
const FIRST_MS = 3000
const OPEN_MS = 5000
const LAST_MS = 60_000

/** Withdrawable sum, and planned payout of an amount. Keeps the last response while the next one loads. */
export function useWithdrawQuote(enabled: boolean, amount: string | undefined) {
  return useQuery({
    queryKey: [...WITHDRAWALS, 'quote', amount ?? ''],
    queryFn: ({ signal }) => withdrawApi.withdrawQuote(amount === undefined ? {} : { amount }, { signal }),
    enabled,
    placeholderData: (before) => before,
    staleTime: 0,
    // No cache: a quote from a minute ago may no longer hold.
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.open ? OPEN_MS : false),
  })
}

export function useWithdrawals() {
  return useInfiniteQuery({
    queryKey: [...WITHDRAWALS, 'list'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => withdrawApi.withdrawalList({ pageSize: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** One withdrawal; refetched while it is in progress, at growing intervals. */
export function useWithdrawal(withdrawalNo: string) {
  return useQuery({
    queryKey: [...WITHDRAWALS, 'one', withdrawalNo],
    queryFn: ({ signal }) => withdrawApi.withdrawalDetail({ withdrawalNo }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => (data && isUnderWay(data.state) ? Math.min(LAST_MS, FIRST_MS * 1.25 ** dataUpdateCount) : false),
  })
}

/** Refreshes the displayed balance at each step of a withdrawal, because the money leaves some time after the request. */
export function useBalanceAfter(withdrawalNo: string) {
  const cache = useQueryClient()
  const { data } = useWithdrawal(withdrawalNo)
  const seen = data && `${data.state} ${data.parts?.map(({ state }) => state).join() ?? ''}`
  useEffect(() => {
    if (seen === undefined) return
    void cache.invalidateQueries({ queryKey: ['wallet'] })
    void cache.invalidateQueries({ queryKey: ['payments', 'records'] })
  }, [cache, seen])
}

export const isUnderWay = (state: WithdrawalState) => !WITHDRAWAL_OVER.includes(state)
