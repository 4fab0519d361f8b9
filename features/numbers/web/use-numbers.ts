import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createApi } from '#platform/web/calls/api.ts'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useOnline } from '#platform/web/online.ts'
import { numbersContract } from '../contract.ts'
import type { NumberRow } from '../contract.ts'
import { numberErrors } from '../errors.ts'
import { numberTexts } from '../texts.ts'

export const numbersApi = createApi(numbersContract, { alone: true, errors: numberErrors, texts: numberTexts })

const PAGE_SIZE = 20
const WAIT_S = 20
const RETRY_MS = 1_500
const STAT_MS = 60_000

export const useNumberStat = () =>
  useQuery({ queryKey: ['numbers', 'stat'], queryFn: ({ signal }) => numbersApi.overseaMobileStat({}, { signal }), refetchInterval: STAT_MS })

export const useCurrentNumber = () =>
  useQuery({ queryKey: ['numbers', 'current'], queryFn: async ({ signal }) => (await numbersApi.overseaMobileAvailable({}, { signal })).current })

export const useNumberRecords = () =>
  useInfiniteQuery({
    queryKey: ['numbers', 'records'],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => numbersApi.overseaMobilePageList({ pageNum: pageParam, pageSize: PAGE_SIZE }, { signal }),
    getNextPageParam: (page) => (page.pageNum < page.totalPage ? page.pageNum + 1 : undefined),
  })

export function cacheNumber(row: NumberRow | null): void {
  queryClient.setQueryData(['numbers', 'current'], row)
}
export function refreshNumbers(): void {
  for (const what of ['stat', 'records']) void queryClient.invalidateQueries({ queryKey: ['numbers', what] })
}

const isNumberOver = ({ state, endedTime }: NumberRow) => endedTime !== null || state === 'expired' || state === 'cancelled' || state === 'failed'

/** Long polling: the server responds as soon as something changes. Retries after errors. */
export function useLiveNumber(row: NumberRow | null | undefined): void {
  const online = useOnline()
  const id = row && !isNumberOver(row) ? row.id : undefined
  useEffect(() => {
    if (!id || !online) return
    const stop = new AbortController()
    void followNumber(id, stop.signal)
    return () => stop.abort()
  }, [id, online])
}

async function followNumber(id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const known = queryClient.getQueryData<NumberRow | null>(['numbers', 'current'])
    if (known?.id !== id || isNumberOver(known)) return
    try {
      const row = await numbersApi.overseaMobileInfo({ id, version: known.version, waitSeconds: WAIT_S }, { signal, timeoutMs: (WAIT_S + 15) * 1000 })
      if (signal.aborted) return
      if (row.version === known.version) continue
      cacheNumber(row)
      refreshNumbers()
    } catch {
      await new Promise((done) => setTimeout(done, RETRY_MS))
    }
  }
}
