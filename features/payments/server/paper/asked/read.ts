import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import type { invoicesContract } from '../../../contract-invoices.console.ts'
import { selectValidPaper, sumInvoicedMonth } from '../data.ts'
import { selectInvoiceRequest, listInvoiceRequests } from './data-asked.ts'
import type { InvoiceRequestRow } from './data-asked.ts'

type DeskContract = typeof invoicesContract

const toDeskRow = (row: InvoiceRequestRow): ReplyOf<DeskContract['invoiceRequests']>['rows'][number] => ({
  ...{ ...pick(row, 'requestNo', 'userId', 'month', 'state'), askedAt: row.askedAt.toISOString() },
  ...{ endedAt: row.endedAt?.toISOString() ?? null, paperNo: row.paperNo, cause: row.cause },
})

export async function readInvoiceRequests(
  { db }: Ctx,
  { state, q, after, limit }: InputOf<DeskContract['invoiceRequests']>,
): Promise<ReplyOf<DeskContract['invoiceRequests']>> {
  if (after !== undefined && !/^\d{1,18}$/.test(after)) fail('BAD_INPUT', { fields: ['after'] })
  const found = await listInvoiceRequests(db, { state, find: q || undefined, after, limit: limit + 1 })
  return { rows: found.slice(0, limit).map(toDeskRow), next: found.length > limit ? found[limit - 1]!.id.toString() : null }
}

export async function readInvoiceRequest(
  { db }: Ctx,
  { requestNo }: InputOf<DeskContract['invoiceRequest']>,
): Promise<ReplyOf<DeskContract['invoiceRequest']>> {
  const row = (await selectInvoiceRequest(db, requestNo)) ?? fail('INVOICE_REQUEST_ENDED')
  const { paid, invoiced } = await sumInvoicedMonth(db, row.userId, row.month)
  const holds = await selectValidPaper(db, row.userId, { month: row.month })
  return {
    ...{ ...toDeskRow(row), to: { ...row.details }, note: row.note, answer: row.answer, agreedFee: row.agreedFee },
    ...{ paid: formatUsd(paid), invoiceable: formatUsd(subtractNano(paid, invoiced)), holds: holds?.paperNo ?? null },
  }
}
