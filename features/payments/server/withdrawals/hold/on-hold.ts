import type { WithdrawalRow } from '../../set-aside/data.ts'

/** True while a withdrawal can be neither approved nor paid, by the database's clock. */
export const isOnHold = ({ held_at, held_until, now }: Pick<WithdrawalRow, 'held_at' | 'held_until' | 'now'>): boolean =>
  held_at !== null && (held_until === null || held_until > now)
