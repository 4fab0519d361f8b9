import { removeStored, storeValue } from '#platform/web/state/storage.ts'

/** Set after too many wrong attempts: the dialog opens on the reset until it is done (product.md 1.4). */
export const RESET_FLAG = 'pay-reset'

export function setPayResetNeeded(isNeeded: boolean): void {
  if (isNeeded) storeValue(RESET_FLAG, '1')
  else removeStored(RESET_FLAG)
}
