import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { findContact } from '#features/account/server/door.ts'
import type { paperContract } from '../../../contract-paper.ts'
import { isOwnOrder, selectPaidOrder } from '../data.ts'
import { renderPaperFile, issueReceipt } from '../issue.ts'

export const orderReceipt: Handler<typeof paperContract.orderReceipt> = async (ctx, { orderNo, lang }) => {
  if (!(await isOwnOrder(ctx.db, ctx.userId, orderNo))) fail('ORDER_NOT_FOUND')
  const paper = await transact(ctx.db, ctx.actor, async (tx) => {
    const order = await selectPaidOrder(tx, ctx.userId, orderNo)
    if (!order || order.netNano <= 0n) fail('RECEIPT_NOT_READY')
    const contact = await findContact(tx, ctx.userId)
    const made = await issueReceipt(ctx, tx, { order, to: contact?.email ?? contact?.mobile ?? '', lang: lang ?? ctx.lang })
    await tx.audit('receipt.fetched', `paper:${made.paperNo}`)
    return made
  })
  return renderPaperFile(paper, lang ?? ctx.lang)
}
