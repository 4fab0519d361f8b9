import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InvoiceDetails } from '../../contract-profile.ts'
import { updateInvoice } from './data.ts'

/** Stores the details that prefill the invoice form. */
export async function updateInvoiceDetails(ctx: Ctx, details: InvoiceDetails): Promise<{}> {
  await transact(ctx.db, ctx.actor, async (tx) => {
    await updateInvoice(tx, ctx.userId, details)
    await tx.audit('account.invoice-details-changed', `user:${ctx.userId}`)
  })
  return {}
}
