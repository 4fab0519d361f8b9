import { gateDialog, openDialog } from '#platform/web/state/dialogs.ts'
import { isFeatureOn, warnFeatureOff } from '#platform/web/state/flags.ts'
import { getSessionToken } from '#platform/web/state/session.ts'

/** Registers the gates of dialogs; call once at start. */
export function gateDialogs(): void {
  // An existing order may still be paid while new ones are switched off.
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
