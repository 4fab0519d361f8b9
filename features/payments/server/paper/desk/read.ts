import { bind } from '#platform/server/feature.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { FileReply, InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { minus, usd } from '#platform/shared/money.ts'
import { invoicesContract } from '../../../contract-invoices.console.ts'
import { readRequest, readRequests } from '../asked/read.ts'
import { countRedone, monthOf } from '../data.ts'
import type { PaperRow } from '../data.ts'
import { fileOf } from '../file.ts'
import { anyPaper, listPapers } from './data-desk.ts'

type C = typeof invoicesContract
type Row = ReplyOf<C['invoices']>['rows'][number]

const viewOf = (row: PaperRow): Row => ({
  ...{ paperNo: row.paper_no, kind: row.kind, userId: row.user_id, month: row.month, orderNo: row.order_no, amount: usd(row.amount_nano), lang: row.lang },
  ...{ issuedAt: row.issued_at.toISOString(), voidAt: row.void_at?.toISOString() ?? null, replacedBy: row.replaced_by, cause: row.void_reason as Row['cause'] },
})

async function invoices({ db }: Ctx, { kind, state, month, q, after, limit }: InputOf<C['invoices']>): Promise<ReplyOf<C['invoices']>> {
  if (after !== undefined && !/^\d{1,18}$/.test(after)) fail('BAD_INPUT', { fields: ['after'] })
  const found = await listPapers(db, { kind, state, month, find: q || undefined, after, limit: limit + 1 })
  return { rows: found.slice(0, limit).map(viewOf), next: found.length > limit ? found[limit - 1]!.id.toString() : null }
}

async function invoice({ db }: Ctx, { paperNo }: InputOf<C['invoice']>): Promise<ReplyOf<C['invoice']>> {
  const row = (await anyPaper(db, paperNo)) ?? fail('PAPER_NOT_FOUND')
  const { facts } = row
  const lines = facts.kind === 'invoice' ? facts.lines : [facts.line]
  const { paid, invoiced } = row.month ? await monthOf(db, row.user_id, row.month) : { paid: row.amount_nano, invoiced: row.amount_nano }
  return {
    ...viewOf(row),
    to: facts.kind === 'invoice' ? { ...facts.to } : { userName: facts.to },
    lines: lines.map(({ orderNo, paidTime, total, back, net }) => ({ orderNo, paidAt: paidTime, total, back, net })),
    ...{ paid: usd(paid), invoiceable: usd(minus(paid, invoiced)), redone: row.month ? await countRedone(db, row.user_id, row.month) : 0 },
  }
}

async function invoiceFile({ db }: Ctx, { paperNo }: InputOf<C['invoiceFile']>): Promise<FileReply> {
  const row = (await anyPaper(db, paperNo)) ?? fail('PAPER_NOT_FOUND')
  return fileOf(row, row.lang)
}

export const invoiceDeskRoutes = bind(invoicesContract, { invoices, invoice, invoiceFile, invoiceRequests: readRequests, invoiceRequest: readRequest })
