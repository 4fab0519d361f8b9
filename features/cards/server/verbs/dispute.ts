import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { subtractNano } from '#platform/shared/money.ts'
import type { billsContract } from '../../contract-bills.ts'
import { readEvidence } from '#features/identity/server/door.ts'
import { selectTransactionById } from '../authorisations/data-transactions.ts'
import { selectBillById } from '../bills/data.ts'
import { toBillRow, toBillDispute } from '../views/bill-view.ts'
import { findIssuer } from '../vendors/index.ts'
import { countDisputes, selectDisputes, selectDisputesByTransaction, insertDispute } from '../disputes/data.ts'

type C = typeof billsContract

/** Stores a dispute at once; a job submits it. One dispute per charge. */
export const disputeBill: Handler<C['disputeBill']> = async (ctx, { billId, reason, words, filePath }) => {
  const tx = ctx.tx
  const bill = (await selectBillById(tx, ctx.userId, billId)) ?? fail('BILL_NOT_FOUND')
  const known = bill.transactionId === null ? undefined : (await selectDisputesByTransaction(tx, [bill.transactionId])).get(bill.transactionId)
  const booked = bill.transactionId === null ? undefined : await selectTransactionById(tx, bill.transactionId)
  if (!booked || !toBillRow(bill, known, ctx.clock.now()).disputable) fail('BILL_NOT_DISPUTABLE')
  if (!findIssuer(ctx, booked.issuer)?.supports.disputes) fail('BILL_NOT_DISPUTABLE')
  if (filePath !== undefined && !(await readEvidence(ctx, ctx.userId, filePath))) fail('BAD_INPUT', { fields: ['filePath'] })
  const made = await insertDispute(tx, {
    id: createId('dsp'),
    userId: ctx.userId,
    cardId: bill.cardId,
    transactionId: booked.id,
    reason,
    words,
    filePath: filePath ?? null,
    amount: subtractNano(0n, bill.amount),
  })
  if (!made) fail('BILL_NOT_DISPUTABLE')
  await tx.audit('card.dispute_made', `card:${bill.cardId}`, { disputeId: made.id, reason })
  return toBillDispute(made)
}

export const disputeList: Handler<C['disputeList']> = async (ctx, { pageNum, pageSize }) => {
  const rows = await selectDisputes(ctx.db, ctx.userId, { limit: pageSize, offset: (pageNum - 1) * pageSize })
  const count = await countDisputes(ctx.db, ctx.userId)
  const rowList = []
  for (const row of rows) {
    const bill = await selectBillById(ctx.db, ctx.userId, row.transactionId)
    if (bill) rowList.push({ ...toBillDispute(row), bill: toBillRow(bill, row, ctx.clock.now()) })
  }
  return { rowList, pageNum, pageSize, totalPage: Math.ceil(count / pageSize), totalRecord: count }
}
