import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { SentOf } from '#platform/shared/contract.ts'
import type { OpenApiCall, requestsContract } from '../../contract-requests.ts'
import { requestsApi } from '../gateway-api.ts'

const WATCH_MS = 2_000
const QUERY_KEY = ['gateway', 'open-calls'] as const
/** Id of a request or a call, which share their 24 characters, or those alone. */
const ID_PATTERN = /^(?:(?:req|call)_)?([0-9a-f]{24})$/

/** Open calls, polled every 2 s. Calls `onEnd` when one ends, because it then belongs to the ended calls. */
export function useOpenCalls(wish: SentOf<(typeof requestsContract)['openCalls']>, onEnd: () => void) {
  const calls = useQuery({
    queryKey: [...QUERY_KEY, wish],
    queryFn: ({ signal }) => requestsApi.openCalls(wish, { signal, alone: true }),
    refetchInterval: WATCH_MS,
    staleTime: WATCH_MS,
    retry: false,
  })
  const known = useRef<ReadonlySet<string>>(new Set())
  const rows = calls.data?.rowList
  useEffect(() => {
    if (rows === undefined) return
    const now = new Set(rows.map((row) => row.id))
    const hasEnded = [...known.current].some((id) => !now.has(id))
    known.current = now
    if (hasEnded) onEnd()
  }, [rows, onEnd])
  return { ...calls, ahead: calls.data ? calls.dataUpdatedAt - Date.parse(calls.data.now) : 0 }
}

/** Filters by a typed id of any kind. */
export function filterOpenCalls(rows: readonly OpenApiCall[], find: string | undefined): readonly OpenApiCall[] {
  if (find === undefined) return rows
  const key = ID_PATTERN.exec(find)?.[1]
  return rows.filter((row) => row.id === find || row.id === `call_${key}`)
}

/** Milliseconds that a call has run, updated once a second. `ahead`: difference of this clock from the server's. */
export function useElapsed(startedAt: string, ahead: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, now - ahead - Date.parse(startedAt))
}
