import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onPaid } from '#platform/web/state/paid.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { toast } from '#ui/layers/toast.ts'
import { proxyTexts } from '../texts.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { proxyAllErrors, proxyContract } from '../contract.ts'

export const proxyApi = createApi(proxyContract, { alone: true, errors: proxyAllErrors })

const PROXY = ['proxy'] as const
const PAGE_SIZE = 20
/** Poll interval: figures of the use change, and a paid use appears within seconds. */
const LIVE_MS = 2_000

export const useProxyStat = () => useQuery({ queryKey: [...PROXY, 'stat'], queryFn: ({ signal }) => proxyApi.proxyStat({}, { signal }) })

export const useAvailable = () =>
  useQuery({
    queryKey: [...PROXY, 'available'],
    queryFn: ({ signal }) => proxyApi.proxyAvailable({}, { signal }),
    refetchInterval: LIVE_MS,
  })

export const useExtensions = () =>
  useQuery({ queryKey: [...PROXY, 'extensions'], queryFn: ({ signal }) => proxyApi.extensionList({}, { signal }), refetchInterval: 5_000 })

export const useUses = () =>
  useInfiniteQuery({
    queryKey: [...PROXY, 'uses'],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => proxyApi.proxyUses({ pageNum: pageParam, pageSize: PAGE_SIZE }, { signal }),
    getNextPageParam: (page) => (page.pageNum < page.totalPage ? page.pageNum + 1 : undefined),
  })

/** Refreshes the data after an action here and after every payment. */
export function useProxyRefresh(): () => void {
  const cache = useQueryClient()
  const refresh = () => void cache.invalidateQueries({ queryKey: [...PROXY] })
  useEffect(() => onPaid(() => void cache.invalidateQueries({ queryKey: [...PROXY] })), [cache])
  return refresh
}

/** Orders a use: free ones begin at once, the others open the payment dialog. */
export function useApply(): { readonly apply: (exit: string) => Promise<void>; readonly isRunning: boolean } {
  const t = useTexts(proxyTexts)
  const refresh = useProxyRefresh()
  const { run, isRunning } = useSubmit()
  const apply = async (exit: string) => {
    const problem = await run(async () => {
      const { pay } = await proxyApi.proxyApply({ exit })
      if (pay) openDialog('recharge', { ask: pay })
      refresh()
    })
    if (problem) toast.warning(isApiError(problem) ? problem.message : t('networkNotDone'))
  }
  return { apply, isRunning }
}
