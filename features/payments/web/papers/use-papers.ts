import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createApi } from '#platform/web/calls/api.ts'
import { profileContract } from '#features/account/contract-profile.ts'
import type { PaperKind } from '../../words-out.ts'
import { paperApi } from '../pages-api.ts'

export const PAYMENT_PAPERS = ['payments', 'papers'] as const
const PAGE_SIZE = 20
const accountApi = createApi({ preferences: profileContract.preferences })

export function usePaymentPapers(kind: PaperKind | undefined) {
  return useInfiniteQuery({
    queryKey: [...PAYMENT_PAPERS, kind ?? 'all'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      paperApi.paperList({ pageSize: PAGE_SIZE, ...(kind ? { kind } : {}), ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (before) => before,
  })
}

/** Invoice details stored in the account; null if there are none. Shares its cache with the account page. */
export function useInvoiceDetails() {
  return useQuery({ queryKey: ['account', 'preferences'], queryFn: ({ signal }) => accountApi.preferences({}, { signal }), staleTime: 60_000 })
}
