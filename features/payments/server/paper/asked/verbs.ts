import { bind } from '#platform/server/feature.ts'
import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { requireAllowed } from '#features/risk/server/door.ts'
import { askedContract } from '../../../contract-asked.ts'
import type { AskedRow as Row } from '../../../contract-asked.ts'
import { isInvoiceMonth } from '../../../words-out.ts'
import { paidIn } from '../data.ts'
import { feeRules, invoiceFeeOf, requireAgreed } from '../invoice-fee.ts'
import { askedOf, endAsked, insertAsked } from './data-asked.ts'
import type { AskedRow } from './data-asked.ts'

const SHOWN = 20
/** Requests per user and day; keeps repeated requests and withdrawals from flooding the desk. */
const ASKS_A_DAY = 10

const viewOf = (row: AskedRow): Row => ({
  ...{ requestNo: row.request_no, month: row.month, userName: row.details.userName, state: row.state, askedTime: row.asked_at.toISOString() },
  ...{ endedTime: row.ended_at?.toISOString() ?? null, paperNo: row.paper_no, cause: row.cause, answer: row.answer },
})

/** Requests an invoice from the desk; one open request per month. The fee is agreed now and charged when the desk issues it. */
export const askInvoice: Handler<typeof askedContract.askInvoice> = async (ctx, { month, lang, agreedFee, note, ...to }) => {
  const today = shanghaiDay(ctx.clock.now())
  if (!isInvoiceMonth(month, today)) fail('INVOICE_MONTH')
  const rules = await feeRules(ctx)
  const row = await transact(ctx.db, ctx.actor, async (tx) => {
    const paid = await paidIn(tx, ctx.userId, month)
    if (!paid.length) fail('INVOICE_EMPTY')
    requireAgreed(await invoiceFeeOf(rules, tx, paid), agreedFee)
    const requestNo = `IR-${today.replaceAll('-', '')}-${randomCode(12)}`
    const made = await insertAsked(tx, { requestNo, userId: ctx.userId, month, lang: lang ?? ctx.lang, to, note, agreedFee: agreedFee ?? '0' })
    if (!made) return fail('INVOICE_ASKED')
    await requireAllowed(tx, 'payments.invoice-asked', ctx.userId, ASKS_A_DAY, 86_400, ctx.clock.now())
    await tx.audit('invoice.asked', `invoice:${requestNo}`, { month })
    return made
  })
  return viewOf(row)
}

const dropInvoiceRequest: Handler<typeof askedContract.dropInvoiceRequest> = async (ctx, { requestNo }) => {
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await endAsked(tx, requestNo, { state: 'withdrawn' }, ctx.userId))) fail('INVOICE_REQUEST_ENDED')
    await tx.audit('invoice.asked-withdrawn', `invoice:${requestNo}`)
  })
  return {}
}

const invoiceRequests: Handler<typeof askedContract.invoiceRequests> = async (ctx) => ({
  rowList: (await askedOf(ctx.db, ctx.userId, SHOWN)).map(viewOf),
})

export const askedRoutes = bind(askedContract, { askInvoice, dropInvoiceRequest, invoiceRequests })
