import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ReplyOf, SentOf } from '#platform/shared/contract.ts'
import type { billsContract } from '../../contract-bills.ts'
import type { CardRow } from '../../contract.ts'
import { billsApi } from '../cards-api.ts'

export type BillQuery = Omit<SentOf<typeof billsContract.transactionList>, 'pageNum' | 'pageSize'>
export type BillDetail = ReplyOf<typeof billsContract.transactionInfo>
export type BillTotals = ReplyOf<typeof billsContract.transactionTotal>

const PAGE_SIZE = 30
const MOVING_MS = 8_000

/** Bills, newest first, paginated; polled while a row is in progress. */
export function useBills(wish: BillQuery, pageSize = PAGE_SIZE) {
  return useInfiniteQuery({
    queryKey: ['cards', 'bills', pageSize, wish],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => billsApi.transactionList({ ...wish, pageNum: pageParam, pageSize }, { signal }),
    getNextPageParam: (page) => (page.pageNum < page.totalPage ? page.pageNum + 1 : undefined),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]?.rowList.some(({ status, kind }) => status === 'processing' && kind !== 'purchase') ? MOVING_MS : false,
  })
}

export function useBillTotals(wish: BillQuery) {
  return useQuery({ queryKey: ['cards', 'totals', wish], queryFn: ({ signal }) => billsApi.transactionTotal(wish, { signal }) })
}

export function useBill(id: string) {
  return useQuery({ queryKey: ['cards', 'bill', id], queryFn: ({ signal }) => billsApi.transactionInfo({ id }, { signal }), enabled: id !== '' })
}

export function useCardPapers(enabled: boolean) {
  return useQuery({ queryKey: ['cards', 'papers'], queryFn: ({ signal }) => billsApi.openAccountInvoice({}, { signal }), enabled })
}

/** Refetches the lists when the card's figures change: each change has a row in the bills, and both are visible at the same time. */
export function useBillRefresh({ id, balance, reserved, totalSpent, totalRecharged, refusals }: CardRow): void {
  const cache = useQueryClient()
  const figures = [id, balance, reserved, totalSpent, totalRecharged, refusals.inRow, refusals.rate].join(' ')
  const seen = useRef(figures)
  useEffect(() => {
    if (seen.current === figures) return
    seen.current = figures
    for (const list of ['bills', 'totals']) void cache.invalidateQueries({ queryKey: ['cards', list] })
  }, [cache, figures])
}
