import { removeStored, storeValue } from '#platform/web/state/storage.ts'

/** After too many wrong tries only a reset helps; the dialog opens on it until it is done (product.md 1.4). */
export const RESET_FLAG = 'pay-reset'

export function setPayResetNeeded(isNeeded: boolean): void {
  if (isNeeded) storeValue(RESET_FLAG, '1')
  else removeStored(RESET_FLAG)
}
