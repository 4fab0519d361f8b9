import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import { minus } from '#platform/shared/money.ts'
import type { billsContract } from '../../contract-bills.ts'
import { evidenceOf } from '#features/identity/server/door.ts'
import { transactionById } from '../authorisations/data-transactions.ts'
import { billById } from '../bills/data.ts'
import { billView, disputeView } from '../views/bill-view.ts'
import { issuerNamed } from '../issuers.ts'
import { countDisputes, disputesOf, disputesOfTransactions, insertDispute } from '../disputes/data.ts'

type C = typeof billsContract

/** Kept at once; a job hands it in. One dispute a charge. */
export const disputeBill: Handler<C['disputeBill']> = async (ctx, { billId, reason, words, filePath }) => {
  const tx = ctx.tx
  const bill = (await billById(tx, ctx.userId, billId)) ?? fail('BILL_NOT_FOUND')
  const known = bill.transaction_id === null ? undefined : (await disputesOfTransactions(tx, [bill.transaction_id])).get(bill.transaction_id)
  const booked = bill.transaction_id === null ? undefined : await transactionById(tx, bill.transaction_id)
  if (!booked || !billView(bill, known, ctx.clock.now()).disputable) fail('BILL_NOT_DISPUTABLE')
  if (!issuerNamed(ctx, booked.issuer)?.supports.disputes) fail('BILL_NOT_DISPUTABLE')
  if (filePath !== undefined && !(await evidenceOf(ctx, ctx.userId, filePath))) fail('BAD_INPUT', { fields: ['filePath'] })
  const made = await insertDispute(tx, {
    id: newId('dsp'),
    user_id: ctx.userId,
    card_id: bill.card_id,
    transaction_id: booked.id,
    reason,
    words,
    file_path: filePath ?? null,
    amount: minus(0n, bill.amount),
  })
  if (!made) fail('BILL_NOT_DISPUTABLE')
  await tx.audit('card.dispute_made', `card:${bill.card_id}`, { disputeId: made.id, reason })
  return disputeView(made)
}

export const disputeList: Handler<C['disputeList']> = async (ctx, { pageNum, pageSize }) => {
  const rows = await disputesOf(ctx.db, ctx.userId, pageSize, (pageNum - 1) * pageSize)
  const count = await countDisputes(ctx.db, ctx.userId)
  const rowList = []
  for (const row of rows) {
    const bill = await billById(ctx.db, ctx.userId, row.transaction_id)
    if (bill) rowList.push({ ...disputeView(row), bill: billView(bill, row, ctx.clock.now()) })
  }
  return { rowList, pageNum, pageSize, totalPage: Math.ceil(count / pageSize), totalRecord: count }
}
