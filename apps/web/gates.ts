import { gateDialog, openDialog } from '#platform/web/state/dialogs.ts'
import { isFeatureOn, warnFeatureOff } from '#platform/web/state/flags.ts'
import { getSessionToken } from '#platform/web/state/session.ts'

/** Which dialogs ask before they open; call once at start. */
export function gateDialogs(): void {
  // An order that exists may still be paid while new ones are closed.
  gateDialog('recharge', ({ orderNo }) => {
    if (orderNo || isFeatureOn('recharge')) return true
    void warnFeatureOff()
    return false
  })
  gateDialog('withdraw', () => {
    if (isFeatureOn('withdrawal')) return true
    void warnFeatureOff()
    return false
  })
  gateDialog('complaint', () => {
    if (getSessionToken()) return true
    openDialog('auth', { mode: 'login' })
    return false
  })
}
