import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { onPaid } from '#platform/web/state/paid.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { toast } from '#ui/layers/toast.ts'
import { remoteTexts } from '../texts.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { servicesContract } from '#features/services/contract.ts'
import { remoteAllErrors, remoteContract } from '../contract.ts'

export const remoteApi = createApi(remoteContract, { alone: true, errors: remoteAllErrors, texts: remoteTexts })
const remoteServicesApi = createApi(servicesContract, { alone: true })

const REMOTE = ['remote'] as const
const PAGE_SIZE = 20
/** Poll interval; the page states it, too. */
const LIVE_MS = 2_000
const COUNT_MS = 15_000

export const useRemoteCount = () =>
  useQuery({ queryKey: [...REMOTE, 'count'], queryFn: ({ signal }) => remoteApi.kasmCount({}, { signal }), refetchInterval: COUNT_MS })

export const useRemoteSession = () =>
  useQuery({ queryKey: [...REMOTE, 'session'], queryFn: ({ signal }) => remoteApi.getKasm({}, { signal }), refetchInterval: LIVE_MS })

export const useRemoteRecords = () =>
  useInfiniteQuery({
    queryKey: [...REMOTE, 'records'],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => remoteServicesApi.serviceTasks({ service: 'remote', pageNum: pageParam, pageSize: PAGE_SIZE }, { signal }),
    getNextPageParam: (page) => (page.pageNum < page.totalPage ? page.pageNum + 1 : undefined),
  })

/** Refreshes the data, or the named parts, after an action here and after every payment. */
export function useRemoteRefresh(): (what?: readonly ('session' | 'count' | 'records')[]) => void {
  const cache = useQueryClient()
  useEffect(() => onPaid(() => void cache.invalidateQueries({ queryKey: [...REMOTE] })), [cache])
  return useCallback(
    (what) => {
      if (!what) return void cache.invalidateQueries({ queryKey: [...REMOTE] })
      for (const part of what) void cache.invalidateQueries({ queryKey: [...REMOTE, part] })
    },
    [cache],
  )
}

interface RemoteActions {
  /** Orders a use; with `more`, adds one to the live session. Free uses begin at once, others open the payment dialog. */
  readonly apply: (more?: boolean) => Promise<void>
  readonly end: () => Promise<void>
  readonly isRunning: boolean
}

export function useRemoteActions(): RemoteActions {
  const t = useTexts(remoteTexts)
  const refresh = useRemoteRefresh()
  const { run, isRunning } = useSubmit()
  const doing = async (work: () => Promise<unknown>) => {
    const problem = await run(async () => void (await work()))
    refresh()
    if (problem) toast.warning(isApiError(problem) ? problem.message : t('remoteNotDone'))
  }
  return {
    apply: (more = false) =>
      doing(async () => {
        const { pay } = await remoteApi.kasmApply({ more })
        if (pay) openDialog('recharge', { ask: pay })
      }),
    end: () => doing(() => remoteApi.kasmEnd({})),
    isRunning,
  }
}
