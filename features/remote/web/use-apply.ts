import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { toast } from '#ui/layers/toast.ts'
import { remoteTexts } from '../texts.ts'
import { remoteApi } from './remote-api.ts'
import { useRemoteRefresh } from './use-remote.ts'

export interface RemoteActions {
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
