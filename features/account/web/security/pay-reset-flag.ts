import { forget, keep } from '#platform/web/state/storage.ts'

/** After too many wrong tries only a reset helps; the dialog opens on it until it is done (specification 1, section 4). */
export const RESET_FLAG = 'pay-reset'

export function needReset(isNeeded: boolean): void {
  if (isNeeded) keep(RESET_FLAG, '1')
  else forget(RESET_FLAG)
}
