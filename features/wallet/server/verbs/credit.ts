import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { isAmount } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { systemAccount, userAccount } from '../accounts.ts'
import type { Leg, LotKind, PostingResult, PostedKind } from '../accounts.ts'
import { postTransaction } from './post.ts'

export interface Credit {
  readonly userId: string
  readonly amount: Nano
  readonly ref: string
  /** `wash`: money that came in through a channel. `grants`: promotional credit. */
  readonly from: 'wash' | 'grants'
  /** Granted credit can be spent and never withdrawn; purchased unless it comes from grants. */
  readonly lot?: LotKind
  readonly orderRef?: string
  readonly expiresAt?: Date
  /** Paid on top of the amount and kept by us; only with `wash`. */
  readonly fee?: Nano
  /** Defaults to `topup` or `grant`, by the source. */
  readonly kind?: PostedKind
  readonly currency?: string
}

/**
 * Tops up or grants, once for (kind, ref). Debt is repaid first; the rest is a lot (money.md I7, R6).
 * Amounts in nano-dollars. Errors: BAD_AMOUNT, LEDGER_REF_REUSED.
 */
export async function creditUser(tx: Tx, given: Credit): Promise<PostingResult> {
  const { userId, amount, ref, from, fee, orderRef, expiresAt, currency } = given
  if (fee !== undefined && fee !== 0n && (from !== 'wash' || !isAmount(fee))) fail('BAD_AMOUNT')
  const kind = given.lot ?? (from === 'grants' ? 'granted' : 'purchased')
  const legs: Leg[] = [{ from: systemAccount(from), to: userAccount(userId), amount, currency, lot: { kind, orderRef, expiresAt } }]
  if (fee) legs.push({ from: systemAccount('wash'), to: systemAccount('fees'), amount: fee, currency })
  return postTransaction(tx, { kind: given.kind ?? (from === 'grants' ? 'grant' : 'topup'), ref, legs })
}
