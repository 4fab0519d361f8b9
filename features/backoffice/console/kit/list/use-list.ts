import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAddress } from '../address.ts'
import type { Params } from '../address.ts'
import { whileAttended } from '../use-me.ts'
import type { ListOf } from './types.ts'

const PAGE = 50

/** What the list is asked for: the address, without what is the page's own. */
export function askedFor({ open: _open, ...params }: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== ''))
}

/** A list's rows for what stands in the address, page by page as the server keys them. */
export function useList<R>({ name, load, rowKey, pollMs }: Pick<ListOf<R>, 'name' | 'load' | 'rowKey' | 'pollMs'>) {
  const [params, set] = useAddress()
  const asked = askedFor(params)
  const query = useInfiniteQuery({
    queryKey: ['list', name, asked],
    queryFn: ({ pageParam, signal }) => load({ ...asked, limit: PAGE, ...(pageParam ? { after: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (old) => old,
    ...(pollMs ? { refetchInterval: whileAttended(pollMs) } : {}),
  })
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data])
  const open = params['open']
  const at = open === undefined ? -1 : rows.findIndex((row) => rowKey(row) === open)
  return { params, asked, set, query, rows, open, at }
}
