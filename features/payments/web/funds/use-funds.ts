import { useInfiniteQuery } from '@tanstack/react-query'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { useLang } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { fundsContract } from '#features/wallet/contract-funds.ts'
import { FUNDS_CATEGORIES } from '#features/wallet/contract-movements.ts'
import type { FundsCategory } from '#features/wallet/contract-movements.ts'

export const fundsApi = createApi(fundsContract)

/** Maximum delay before a movement appears on the open page. */
const LIVE_MS = 5_000
const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/
const ALL = 'all'

/** Month, category and search from the URL; invalid values are ignored. */
export function useFundsFilter() {
  const current = toShanghaiDay(Date.now()).slice(0, 7)
  const [asked, setMonth] = useQueryParam<string>('month', current)
  const [kind, setKind] = useQueryParam<string>('kind', ALL)
  const [q, setQ] = useQueryParam<string>('q', '')
  const category = FUNDS_CATEGORIES.find((one) => one === kind)
  const month = MONTH.test(asked) && asked <= current ? asked : current
  return { current, month, setMonth, category, setCategory: (next: FundsCategory | typeof ALL) => setKind(next), q: q.slice(0, 60), setQ }
}
export type FundsFilter = ReturnType<typeof useFundsFilter>

export function useFunds({ month, category, q, current }: Pick<FundsFilter, 'month' | 'category' | 'q' | 'current'>) {
  const lang = useLang()
  return useInfiniteQuery({
    queryKey: ['wallet', 'funds', lang, month, category, q],
    enabled: useSignedIn(),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      fundsApi.funds({ month, ...(category ? { category } : {}), ...(q ? { q } : {}), ...(pageParam ? { after: pageParam } : {}) }, { signal }),
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: (before) => before,
    // A past month still changes while calls of its last hours end.
    refetchInterval: month === current ? LIVE_MS : LIVE_MS * 12,
  })
}

/** Returns the previous or next month, as 2026-11. */
export function shiftMonth(month: string, step: -1 | 1): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const index = year * 12 + number - 1 + step
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
}
