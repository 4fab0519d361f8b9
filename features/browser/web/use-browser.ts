import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { onPaid } from '#platform/web/state/paid.ts'
import { toast } from '#ui/layers/toast.ts'
import { browserTexts } from '../texts.ts'
import { browserApi } from './browser-api.ts'

const BROWSER = ['browser'] as const
/** Poll interval: a paid package appears within seconds; tasks at the desk take longer. */
const LOOK_MS = 5_000

export const useBrowserInfo = () =>
  useQuery({ queryKey: [...BROWSER, 'info'], queryFn: ({ signal }) => browserApi.packageUseInfo({}, { signal }), refetchInterval: LOOK_MS })

export const useAccounts = () =>
  useQuery({
    queryKey: [...BROWSER, 'accounts'],
    queryFn: async ({ signal }) => {
      const [available, list] = await Promise.all([browserApi.fastemailAvailable({}, { signal }), browserApi.listOverseaAccount({}, { signal })])
      return { ...available, rows: list.rowList }
    },
    refetchInterval: LOOK_MS,
  })

/** Runs one action at a time, then refreshes the data; shows an error as a toast. */
export function useAct(): { readonly act: (work: () => Promise<void>) => Promise<void>; readonly isRunning: boolean } {
  const t = useTexts(browserTexts)
  const cache = useQueryClient()
  const { run, isRunning } = useSubmit()
  useEffect(() => onPaid(() => void cache.invalidateQueries({ queryKey: [...BROWSER] })), [cache])
  const act = async (work: () => Promise<void>) => {
    const problem = await run(work)
    if (problem) toast.warning(isApiError(problem) ? problem.message : t('browserNotDone'))
    void cache.invalidateQueries({ queryKey: [...BROWSER] })
  }
  return { act, isRunning }
}
