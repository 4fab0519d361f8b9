import type { WithdrawalRow } from '../../set-aside/data.ts'

/** True while a withdrawal can be neither approved nor paid, by the database's clock. */
export const isOnHold = ({ heldAt, heldUntil, now }: Pick<WithdrawalRow, 'heldAt' | 'heldUntil' | 'now'>): boolean =>
  heldAt !== null && (heldUntil === null || heldUntil > now)
