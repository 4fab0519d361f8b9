import type { Tx } from '#platform/server/database/transact.ts'
import { crashPoint } from '#platform/server/crash.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { isAmount, MAX_AMOUNT } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { userAccount } from '../accounts.ts'
import type { AccountName } from '../accounts.ts'
import { insertHold, updateHoldEnd, updateHoldSize, updateHoldVoid } from '../data.ts'
import type { HoldRow, ResizedRow } from '../data.ts'

export interface Hold {
  /** The caller's own id; its result never changes. */
  readonly id: string
  /** Account whose money is held: a user's balance, or a card's account. */
  readonly userId?: string
  readonly account?: AccountName
  readonly amount: Nano
  /** Counted from now by the database's clock. */
  readonly ttlSeconds: number
  readonly purpose: string
  /** For withdrawals: may be captured from purchased credit only. */
  readonly onlyPurchased?: boolean
  /** Holds the available amount, down to this minimum, instead of refusing. */
  readonly atLeast?: Nano
  readonly currency?: string
}

/**
 * Reserves money of a user or a card. A refusal is the result `refused`, not an error, because it must be recorded: the id stays refused
 * after a top-up (money.md K6); do not roll back the surrounding transaction. The same id and terms return the same result. Errors:
 * BAD_AMOUNT, LEDGER_REF_REUSED (same id, other terms).
 */
export async function placeHold(tx: Tx, wanted: Hold): Promise<HoldRow> {
  if (!isAmount(wanted.amount) || (wanted.atLeast !== undefined && !isAmount(wanted.atLeast))) fail('BAD_AMOUNT')
  crashPoint('wallet.before-hold')
  const made = await insertHold(tx, wanted.id, {
    account: wanted.account ?? userAccount(wanted.userId ?? fail('ACCOUNT_UNKNOWN')),
    amount: wanted.amount,
    ttlSeconds: wanted.ttlSeconds,
    purpose: wanted.purpose,
    options: {
      currency: wanted.currency ?? 'USD',
      onlyPurchased: wanted.onlyPurchased ?? false,
      atLeast: wanted.atLeast,
    },
  })
  crashPoint('wallet.after-hold')
  return made
}

/**
 * Releases the part that was not captured: `voided`, or `posted` after a capture. The released sum repays debt. Errors: HOLD_UNKNOWN,
 * HOLD_CLOSED with its status (money.md I5).
 */
export async function voidHold(tx: Tx, holdId: string): Promise<'voided' | 'posted'> {
  return updateHoldVoid(tx, holdId)
}

/** Moves the end of a pending hold to `ttlSeconds` from now. Errors: HOLD_UNKNOWN, HOLD_CLOSED. */
export async function extendHold(sql: Sql, holdId: string, ttlSeconds: number): Promise<Date> {
  return updateHoldEnd(sql, holdId, ttlSeconds)
}

/**
 * Grows or shrinks a pending hold and renews its end: by all of `delta`, or with `atLeast` by the available amount down to that. `changed`
 * is 0 if too little is available; it never shrinks below the captured sum. Errors: HOLD_UNKNOWN, HOLD_CLOSED.
 */
export async function resizeHold(
  sql: Sql,
  holdId: string,
  { delta, options = {} }: { readonly delta: Nano; readonly options?: { ttlSeconds?: number; atLeast?: Nano } },
): Promise<ResizedRow> {
  if (typeof delta !== 'bigint' || delta > MAX_AMOUNT || delta < -MAX_AMOUNT) fail('BAD_AMOUNT')
  if (options.atLeast !== undefined && !isAmount(options.atLeast)) fail('BAD_AMOUNT')
  return updateHoldSize(sql, holdId, { delta, ttlSeconds: options.ttlSeconds, atLeast: options.atLeast })
}
