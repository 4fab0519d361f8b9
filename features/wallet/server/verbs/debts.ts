import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { divideUp, minorToNano, NANO_PER_CENT, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectOwed, selectUnpaid, settleOwed } from '../data.ts'
import type { UnpaidRow } from '../data.ts'

/** Debt of a user's balance and cards; positive. */
export const readDebt = (sql: Sql, userId: string): Promise<Nano> => selectOwed(sql, `user:${userId}`)

/** Pays a user's debts from the balance as far as possible and returns the rest. Locks the balance until the transaction ends. */
export const settleDebts = (tx: Tx, userId: string): Promise<Nano> => settleOwed(tx, `user:${userId}`)

/**
 * Gate for outgoing money: call it in the transaction that sets the money aside, and again before a channel, a payout
 * vendor or an issuer gets it. The ledger itself refuses movements that name their user (`wallet_allowed_pairs.leaves`).
 * Error: DEBT_FIRST with the debt, rounded up to the cent.
 */
export async function requireNoDebt(tx: Tx, userId: string): Promise<void> {
  refuseOwed(await settleDebts(tx, userId))
}

/** Makes the same check without locks: for quotes and prices. */
export async function refuseDebt(sql: Sql, userId: string): Promise<void> {
  refuseOwed(await readDebt(sql, userId))
}

function refuseOwed(owed: Nano): void {
  if (owed > 0n) fail('DEBT_FIRST', { owed: formatUsd(roundDebtUp(owed)) })
}

/** Rounds a debt up to the cent: the sum that a payment has to bring. */
export const roundDebtUp = (owed: Nano): Nano => minorToNano(divideUp(owed, NANO_PER_CENT))

/** Debts beside credit that should have paid them; left by older versions. */
export const listUnpaidDebts = (sql: Sql, limit: number): Promise<UnpaidRow[]> => selectUnpaid(sql, limit)
