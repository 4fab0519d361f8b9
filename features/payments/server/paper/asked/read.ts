import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { minus, usd } from '#platform/shared/money.ts'
import type { invoicesContract } from '../../../contract-invoices.console.ts'
import { holdingPaper, monthOf } from '../data.ts'
import { askedByNo, listAsked } from './data-asked.ts'
import type { AskedRow } from './data-asked.ts'

type C = typeof invoicesContract

const viewOf = (row: AskedRow): ReplyOf<C['invoiceRequests']>['rows'][number] => ({
  ...{ requestNo: row.request_no, userId: row.user_id, month: row.month, state: row.state, askedAt: row.asked_at.toISOString() },
  ...{ endedAt: row.ended_at?.toISOString() ?? null, paperNo: row.paper_no, cause: row.cause },
})

export async function readRequests({ db }: Ctx, { state, q, after, limit }: InputOf<C['invoiceRequests']>): Promise<ReplyOf<C['invoiceRequests']>> {
  if (after !== undefined && !/^\d{1,18}$/.test(after)) fail('BAD_INPUT', { fields: ['after'] })
  const found = await listAsked(db, { state, find: q || undefined, after, limit: limit + 1 })
  return { rows: found.slice(0, limit).map(viewOf), next: found.length > limit ? found[limit - 1]!.id.toString() : null }
}

export async function readRequest({ db }: Ctx, { requestNo }: InputOf<C['invoiceRequest']>): Promise<ReplyOf<C['invoiceRequest']>> {
  const row = (await askedByNo(db, requestNo)) ?? fail('INVOICE_REQUEST_ENDED')
  const { paid, invoiced } = await monthOf(db, row.user_id, row.month)
  const holds = await holdingPaper(db, row.user_id, { month: row.month })
  return {
    ...{ ...viewOf(row), to: { ...row.details }, note: row.note, answer: row.answer, agreedFee: row.agreed_fee },
    ...{ paid: usd(paid), invoiceable: usd(minus(paid, invoiced)), holds: holds?.paper_no ?? null },
  }
}
