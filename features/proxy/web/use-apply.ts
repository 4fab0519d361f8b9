import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { toast } from '#ui/layers/toast.ts'
import { proxyTexts } from '../texts.ts'
import { proxyApi } from './proxy-api.ts'
import { useProxyRefresh } from './use-proxy.ts'

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
