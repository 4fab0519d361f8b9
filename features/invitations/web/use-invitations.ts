import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RewardRow } from '../contract-shapes.ts'
import type { RewardListFilter } from '../words.ts'
import { invitationsApi } from './invitations-api.ts'

const INVITATIONS = ['invitations'] as const
const PAGE_SIZE = 20
/** Polling interval: a reward appears within a minute of the payment. */
const REWARD_POLL_MS = 20_000

export function useInvitationInfo() {
  return useQuery({
    queryKey: [...INVITATIONS, 'info'],
    queryFn: ({ signal }) => invitationsApi.info({}, { signal }),
    refetchInterval: REWARD_POLL_MS,
  })
}

export function useRewards(filter: RewardListFilter) {
  return useInfiniteQuery({
    queryKey: [...INVITATIONS, 'list', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => invitationsApi.list({ filter, pageSize: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (before) => before,
    refetchInterval: REWARD_POLL_MS,
  })
}

/** Refetches the figures here and the balance in the bar, after money moved. */
export function useRefreshMoney(): () => void {
  const cache = useQueryClient()
  return () => {
    void cache.invalidateQueries({ queryKey: [...INVITATIONS] })
    void cache.invalidateQueries({ queryKey: ['wallet'] })
    void cache.invalidateQueries({ queryKey: ['payments', 'withdrawals'] })
  }
}

/** Loads all rows of a filter, for the export. */
export async function fetchAllRewards(filter: RewardListFilter): Promise<RewardRow[]> {
  const rows: RewardRow[] = []
  let cursor: string | null | undefined
  do {
    const page = await invitationsApi.list({ filter, pageSize: 100, ...(cursor ? { cursor } : {}) })
    rows.push(...page.rowList)
    cursor = page.nextCursor
  } while (cursor)
  return rows
}
