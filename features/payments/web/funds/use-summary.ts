import { useQuery } from '@tanstack/react-query'
import { useLang } from '#platform/web/i18n.ts'
import { fundsApi } from './use-funds.ts'

const REFRESH_MS = 30_000

/** Where the balance comes from, of all time, and the latest movements; every 30 s, on focus, and after each call that invalidates `wallet`. */
export function useFundsSummary() {
  const lang = useLang()
  return useQuery({
    queryKey: ['wallet', 'summary', lang],
    queryFn: ({ signal }) => fundsApi.fundsSummary({}, { signal }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: 'always',
  })
}
