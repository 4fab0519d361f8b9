import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { toast } from '#ui/layers/toast.ts'
import { flexTexts } from '../texts.ts'
import { flexApi } from './flex-api.ts'
import { refreshFlex } from './use-flex.ts'

type OrderReply = Awaited<ReturnType<typeof flexApi.applySharePlus>>

/** Places orders: free ones begin at once, others open the payment dialog. `busy` is the button pressed. */
export function useFlexOrder() {
  const t = useTexts(flexTexts)
  const [busy, setBusy] = useState<string>()
  const order = async (name: string, ask: () => Promise<OrderReply>, what: string): Promise<void> => {
    if (busy !== undefined) return
    setBusy(name)
    try {
      const { pay } = await ask()
      if (pay) openDialog('recharge', { ask: { ...pay, what } })
      else {
        toast.success(t('began'))
        refreshFlex()
      }
    } catch (error) {
      toast.warning(isApiError(error) ? error.message : t('readFailed'))
      refreshFlex()
    } finally {
      setBusy(undefined)
    }
  }
  return {
    busy,
    /** `what`: name of the order, for the payment dialog. */
    buy: (packageId: number, inviteCode: string, what: string) => order(String(packageId), () => flexApi.applySharePlus({ packageId, inviteCode }), what),
    extend: (platform: 1 | 2 | 3 | 6, what: string) => order(`extend${platform}`, () => flexApi.applyExtension({ platform }), what),
  }
}
