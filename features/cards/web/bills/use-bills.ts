import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReplyOf, SentOf } from '#platform/shared/contract.ts'
import type { billsContract } from '../../contract-bills.ts'
import { billsApi } from '../cards-api.ts'

export type BillWish = Omit<SentOf<typeof billsContract.transactionList>, 'pageNum' | 'pageSize'>
export type BillDetail = ReplyOf<typeof billsContract.transactionInfo>
export type BillTotals = ReplyOf<typeof billsContract.transactionTotal>

const PAGE_SIZE = 30
const MOVING_MS = 8_000

/** Newest first, a page at a time; while something is on its way it is asked about again. */
export function useBills(wish: BillWish, pageSize = PAGE_SIZE) {
  return useInfiniteQuery({
    queryKey: ['cards', 'bills', pageSize, wish],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => billsApi.transactionList({ ...wish, pageNum: pageParam, pageSize }, { signal }),
    getNextPageParam: (page) => (page.pageNum < page.totalPage ? page.pageNum + 1 : undefined),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]?.rowList.some(({ status, kind }) => status === 'processing' && kind !== 'purchase') ? MOVING_MS : false,
  })
}

export function useBillTotals(wish: BillWish) {
  return useQuery({ queryKey: ['cards', 'totals', wish], queryFn: ({ signal }) => billsApi.transactionTotal(wish, { signal }) })
}

export function useBill(id: string) {
  return useQuery({ queryKey: ['cards', 'bill', id], queryFn: ({ signal }) => billsApi.transactionInfo({ id }, { signal }), enabled: id !== '' })
}

export function usePapers(enabled: boolean) {
  return useQuery({ queryKey: ['cards', 'papers'], queryFn: ({ signal }) => billsApi.openAccountInvoice({}, { signal }), enabled })
}
