import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { WithdrawalRow } from '../../set-aside/data.ts'

/** Step that records the end of a hold; the withdrawal's state does not change. */
type HoldStep = 'held' | 'released'

/** Puts a withdrawal on hold, or replaces the end and reason of its hold; undefined if it has left or ended. Locks the row. */
export async function putOnHold(tx: Tx, withdrawalNo: string, hold: { by: string; why: string; days: number | undefined }): Promise<WithdrawalRow | undefined> {
  const row = first(
    await tx.query<WithdrawalRow>(
      `update payments_withdrawals set held_at = clock_timestamp(), held_by = $2, held_why = $3, held_until = clock_timestamp() + make_interval(days => $4::int),
        next_check_at = clock_timestamp()
      where withdrawal_no = $1 and state in ('requested','approving','approved','in_transit') and sent_tx is null returning *, clock_timestamp() as now`,
      [withdrawalNo, hold.by, hold.why, hold.days ?? null],
    ),
  )
  if (row) await insertHoldStep(tx, row.id, { step: 'held', reason: hold.why })
  return row
}

/**
 * Ends a hold; with `onlyOver`, only an expired one. A withdrawal that waits for a decision restarts its waiting time; any other is due at
 * once. Undefined if there is no such hold.
 */
export async function liftHold(
  tx: Tx,
  withdrawalNo: string,
  { patienceDays, onlyOver = false }: { readonly patienceDays: number; readonly onlyOver?: boolean },
): Promise<WithdrawalRow | undefined> {
  const row = first(
    await tx.query<WithdrawalRow>(
      `update payments_withdrawals set held_at = null, held_by = null, held_until = null, held_why = '',
        next_check_at = case when state = 'approving' then clock_timestamp() + make_interval(days => $2) else clock_timestamp() end
      where withdrawal_no = $1 and held_at is not null and (not $3 or held_until <= clock_timestamp()) returning *, clock_timestamp() as now`,
      [withdrawalNo, patienceDays, onlyOver],
    ),
  )
  if (row) await insertHoldStep(tx, row.id, { step: 'released', reason: '' })
  return row
}

async function insertHoldStep(tx: Tx, id: bigint, { step, reason }: { readonly step: HoldStep; readonly reason: string }): Promise<void> {
  await tx.query('insert into payments_withdrawal_steps (withdrawal_id, state, actor, reason) values ($1,$2,$3,$4)', [
    ...[id, step, `${tx.actor.kind}:${tx.actor.id}`, reason],
  ])
}
