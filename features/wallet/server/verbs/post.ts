import { crashPoint } from '#platform/server/crash.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { isAmount } from '#platform/shared/money.ts'
import type { PostingResult, Posting } from '../accounts.ts'
import { insertPosting } from '../data.ts'

/**
 * Posts legs as one transaction, once for (kind, ref); the same legs again change nothing (money.md I1, I2, I10). Legs run in order; a sum
 * that a customer receives pays that customer's debt before it becomes available. Errors: INSUFFICIENT_FUNDS, LEDGER_REF_REUSED (same ref,
 * other legs), REFUND_TOO_LARGE, BAD_AMOUNT, ACCOUNT_UNKNOWN. A refusal aborts the surrounding transaction: call it in `tx.savepoint` to
 * continue after one.
 */
export async function postTransaction(tx: Tx, posting: Posting): Promise<PostingResult> {
  if (!posting.legs.length || !posting.legs.every((leg) => isAmount(leg.amount))) fail('BAD_AMOUNT')
  crashPoint('wallet.before-journal')
  const posted = await insertPosting(tx, posting.kind, { ref: posting.ref, legs: posting.legs })
  crashPoint('wallet.after-journal')
  return posted
}
