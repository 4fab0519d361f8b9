import { bind } from '#platform/server/feature.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { FileReply, InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import { invoicesContract } from '../../../contract-invoices.console.ts'
import { readInvoiceRequest, readInvoiceRequests } from '../asked/read.ts'
import { countReissues, sumInvoicedMonth } from '../data.ts'
import type { PaperRow } from '../data.ts'
import { renderPaperFile } from '../issue.ts'
import { selectAnyPaper, listPapers } from './data-desk.ts'

type DeskContract = typeof invoicesContract
type Row = ReplyOf<DeskContract['invoices']>['rows'][number]

const toPaperRow = (row: PaperRow): Row => ({
  ...{
    ...pick(row, 'paperNo', 'kind', 'userId', 'month', 'orderNo'),
    amount: formatUsd(row.amountNano),
    lang: row.lang,
  },
  ...{ issuedAt: row.issuedAt.toISOString(), voidAt: row.voidAt?.toISOString() ?? null, replacedBy: row.replacedBy, cause: row.voidReason as Row['cause'] },
})

async function invoices({ db }: Ctx, { kind, state, month, q, after, limit }: InputOf<DeskContract['invoices']>): Promise<ReplyOf<DeskContract['invoices']>> {
  if (after !== undefined && !/^\d{1,18}$/.test(after)) fail('BAD_INPUT', { fields: ['after'] })
  const found = await listPapers(db, { kind, state, month, find: q || undefined, after, limit: limit + 1 })
  return { rows: found.slice(0, limit).map(toPaperRow), next: found.length > limit ? found[limit - 1]!.id.toString() : null }
}

async function invoice({ db }: Ctx, { paperNo }: InputOf<DeskContract['invoice']>): Promise<ReplyOf<DeskContract['invoice']>> {
  const row = (await selectAnyPaper(db, paperNo)) ?? fail('PAPER_NOT_FOUND')
  const { facts } = row
  const lines = facts.kind === 'invoice' ? facts.lines : [facts.line]
  const { paid, invoiced } = row.month ? await sumInvoicedMonth(db, row.userId, row.month) : { paid: row.amountNano, invoiced: row.amountNano }
  return {
    ...toPaperRow(row),
    to: facts.kind === 'invoice' ? { ...facts.to } : { userName: facts.to },
    lines: lines.map(({ orderNo, paidTime, total, back, net }) => ({ orderNo, paidAt: paidTime, total, back, net })),
    ...{ paid: formatUsd(paid), invoiceable: formatUsd(subtractNano(paid, invoiced)), redone: row.month ? await countReissues(db, row.userId, row.month) : 0 },
  }
}

async function invoiceFile({ db }: Ctx, { paperNo }: InputOf<DeskContract['invoiceFile']>): Promise<FileReply> {
  const row = (await selectAnyPaper(db, paperNo)) ?? fail('PAPER_NOT_FOUND')
  return renderPaperFile(row, row.lang)
}

export const invoiceDeskRoutes = bind(invoicesContract, {
  invoices,
  invoice,
  invoiceFile,
  invoiceRequests: readInvoiceRequests,
  invoiceRequest: readInvoiceRequest,
})
