import { bind } from '#platform/server/feature.ts'
import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { requireAllowed } from '#features/risk/server/door.ts'
import { invoiceRequestContract } from '../../../contract-invoice-requests.ts'
import type { InvoiceRequest as Row } from '../../../contract-invoice-requests.ts'
import { isInvoiceMonth } from '../../../words-out.ts'
import { selectPaidInMonth } from '../data.ts'
import { readFeeRules, computeInvoiceFee, requireAgreedFee } from '../invoice-fee.ts'
import { selectUserInvoiceRequests, endInvoiceRequest, insertInvoiceRequest } from './data-asked.ts'
import type { InvoiceRequestRow } from './data-asked.ts'

const MAX_SHOWN = 20
/** Requests per user and day; limits repeated requests and withdrawals at the desk. */
const REQUESTS_PER_DAY = 10

const toRequestRow = (row: InvoiceRequestRow): Row => ({
  ...{ requestNo: row.requestNo, month: row.month, userName: row.details.userName, state: row.state, askedTime: row.askedAt.toISOString() },
  ...{ endedTime: row.endedAt?.toISOString() ?? null, paperNo: row.paperNo, cause: row.cause, answer: row.answer },
})

/**
 * Creates a request to the invoice desk; one open request per month. The fee is agreed now and charged when the desk issues the invoice.
 */
export const askInvoice: Handler<typeof invoiceRequestContract.askInvoice> = async (ctx, { month, lang, agreedFee, note, ...to }) => {
  const today = toShanghaiDay(ctx.clock.now())
  if (!isInvoiceMonth(month, today)) fail('INVOICE_MONTH')
  const rules = await readFeeRules(ctx)
  const row = await transact(ctx.db, ctx.actor, async (tx) => {
    const paid = await selectPaidInMonth(tx, ctx.userId, month)
    if (!paid.length) fail('INVOICE_EMPTY')
    requireAgreedFee(await computeInvoiceFee(rules, tx, paid), agreedFee)
    const requestNo = `IR-${today.replaceAll('-', '')}-${createRandomCode(12)}`
    const made = await insertInvoiceRequest(tx, { requestNo, userId: ctx.userId, month, lang: lang ?? ctx.lang, to, note, agreedFee: agreedFee ?? '0' })
    if (!made) return fail('INVOICE_ASKED')
    await requireAllowed(tx, 'payments.invoice-asked', { subject: ctx.userId, limit: REQUESTS_PER_DAY, windowSeconds: 86_400, now: ctx.clock.now() })
    await tx.audit('invoice.asked', `invoice:${requestNo}`, { month })
    return made
  })
  return toRequestRow(row)
}

const dropInvoiceRequest: Handler<typeof invoiceRequestContract.dropInvoiceRequest> = async (ctx, { requestNo }) => {
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await endInvoiceRequest(tx, requestNo, { end: { state: 'withdrawn' }, userId: ctx.userId }))) fail('INVOICE_REQUEST_ENDED')
    await tx.audit('invoice.asked-withdrawn', `invoice:${requestNo}`)
  })
  return {}
}

const invoiceRequests: Handler<typeof invoiceRequestContract.invoiceRequests> = async (ctx) => ({
  rowList: (await selectUserInvoiceRequests(ctx.db, ctx.userId, MAX_SHOWN)).map(toRequestRow),
})

export const invoiceRequestRoutes = bind(invoiceRequestContract, { askInvoice, dropInvoiceRequest, invoiceRequests })
