import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAddress } from '../address.ts'
import type { AddressParams } from '../address.ts'
import { pollWhileAttended } from '../use-me.ts'
import type { ListInput, ListDefinition } from './types.ts'

const PAGE = 50

/** The list's filters: the URL parameters without `open` and without empty values. */
export function listFilters({ open: _open, ...params }: AddressParams): AddressParams {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== ''))
}

/** Loads a list's rows for the filters in the URL, page by page with the server's cursor. The server validates the URL's text as `I`. */
export function useList<R, I extends object = ListInput>({ name, load, rowKey, pollMs }: Pick<ListDefinition<R, I>, 'name' | 'load' | 'rowKey' | 'pollMs'>) {
  const [params, set] = useAddress()
  const asked = listFilters(params)
  const query = useInfiniteQuery({
    queryKey: ['list', name, asked],
    queryFn: ({ pageParam, signal }) => load({ ...asked, limit: PAGE, ...(pageParam ? { after: pageParam } : {}) } as I, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (old) => old,
    ...(pollMs ? { refetchInterval: pollWhileAttended(pollMs) } : {}),
  })
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data])
  const open = params['open']
  const at = open === undefined ? -1 : rows.findIndex((row) => rowKey(row) === open)
  return { params, asked, set, query, rows, open, at }
}
