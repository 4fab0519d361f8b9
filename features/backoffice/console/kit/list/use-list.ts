import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAddress } from '../address.ts'
import type { Params } from '../address.ts'
import { whileAttended } from '../use-me.ts'
import type { ListInput, ListOf } from './types.ts'

const PAGE = 50

/** The list's filters: the URL parameters without `open` and without empty values. */
export function askedFor({ open: _open, ...params }: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== ''))
}

/** Loads a list's rows for the filters in the URL, page by page with the server's cursor. The server validates the URL's text as `I`. */
export function useList<R, I extends object = ListInput>({ name, load, rowKey, pollMs }: Pick<ListOf<R, I>, 'name' | 'load' | 'rowKey' | 'pollMs'>) {
  const [params, set] = useAddress()
  const asked = askedFor(params)
  const query = useInfiniteQuery({
    queryKey: ['list', name, asked],
    queryFn: ({ pageParam, signal }) => load({ ...asked, limit: PAGE, ...(pageParam ? { after: pageParam } : {}) } as I, signal),
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
