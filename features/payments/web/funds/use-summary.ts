import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Lang } from '#platform/shared/texts.ts'
import { useLang } from '#platform/web/i18n.ts'
import { fundsApi } from './use-funds.ts'

const REFRESH_MS = 30_000

/**
 * Sources of the balance over all time, and the latest movements; refetched every 30 s, on focus, and after each call that invalidates
 * `wallet`.
 */
export const fundsSummaryQuery = (lang: Lang) =>
  queryOptions({
    queryKey: ['wallet', 'summary', lang],
    queryFn: ({ signal }) => fundsApi.fundsSummary({}, { signal }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: 'always',
  })

export const useFundsSummary = () => useQuery(fundsSummaryQuery(useLang()))
