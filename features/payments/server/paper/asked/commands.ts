import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { deskNote, requestNo } from '../../../contract-invoice-requests.ts'
import { REFUSE_CAUSES } from '../../../words-out.ts'
import { paymentMailTexts } from '../../mail-texts.ts'
import { selectValidPaper, lockPapers, sumInvoicedMonth } from '../data.ts'
import { readFeeRules } from '../invoice-fee.ts'
import { issueInvoice } from '../issue.ts'
import { selectInvoiceRequest, endInvoiceRequest } from './data-asked.ts'
import type { InvoiceRequestEnd, InvoiceRequestRow } from './data-asked.ts'

const REFUSE_TEXT = { unclear: 'refuse_unclear', notTheirs: 'refuse_notTheirs', taxInvoice: 'refuse_taxInvoice', nothingPaid: 'refuse_nothingPaid' } as const

const requestInput = z.object({ requestNo })
type RequestInput = z.output<typeof requestInput>
const requireRequest = async (sql: Sql, named: RequestInput): Promise<InvoiceRequestRow> =>
  (await selectInvoiceRequest(sql, named.requestNo)) ?? fail('INVOICE_REQUEST_ENDED')

/** Payments of the month, the part not invoiced yet, and the invoice that this one would void. */
async function look({ tx }: CommandExecution, input: RequestInput): Promise<CommandFacts> {
  const row = await requireRequest(tx, input)
  const { paid, invoiced } = await sumInvoicedMonth(tx, row.userId, row.month)
  const holds = await selectValidPaper(tx, row.userId, { month: row.month })
  const { available } = await readBalance(tx, row.userId)
  const facts = { state: row.state, paid: formatUsd(paid), invoiceable: formatUsd(subtractNano(paid, invoiced)), paperNo: holds?.paperNo ?? null }
  return { ...facts, balance: formatUsd(available) }
}
const common = {
  permission: 'invoices.decide',
  money: 'own',
  subject: async ({ db }: Deps, input: RequestInput) => `invoice:${(await requireRequest(db, input)).requestNo}`,
  weigh: async ({ db }: Deps, input: RequestInput) => ({ userId: (await requireRequest(db, input)).userId }),
  look,
  // The number is assigned on issue, so another paper may come first; the balance changes while customers spend.
  loose: ['paperNo', 'balance'],
} as const

const MAILS = {
  issued: { name: 'payments.invoice-issued', texts: paymentMailTexts, subject: 'mail_invoice_issued_subject', body: 'mail_invoice_issued_body' },
  refused: { name: 'payments.invoice-refused', texts: paymentMailTexts, subject: 'mail_invoice_refused_subject', body: 'mail_invoice_refused_body' },
} as const

/** Mails the outcome to the requester's account address, or to the invoice's address where the account has none. */
async function mailOutcome({ deps, tx }: CommandExecution, row: InvoiceRequestRow, end: Exclude<InvoiceRequestEnd, { state: 'withdrawn' }>): Promise<void> {
  const contact = await findContact(tx, row.userId)
  const lang = contact?.lang ?? row.lang
  const template = MAILS[end.state]
  const values = {
    month: row.month,
    no: end.state === 'issued' ? end.paperNo : '',
    cause: end.state === 'refused' ? paymentMailTexts[lang][REFUSE_TEXT[end.cause]] : '',
    answer: end.state === 'refused' && end.answer ? `${end.answer}\n\n` : '',
    link: `${deps.siteUrl()}/receipts`,
  }
  await sendMail(deps, tx, { to: contact?.email ?? row.details.email, template, lang, dedupe: `${template.name}:${row.requestNo}`, values })
}

export const invoiceRequestCommands = [
  defineCommand({
    ...common,
    name: 'invoice.issue',
    summary: 'Issues the invoice that a customer asked the desk for, charges the fee that they agreed to, and tells them its number',
    input: requestInput,
    run: async (act, input) => {
      const { tx, deps, reason } = act
      const asked = await requireRequest(tx, input)
      await lockPapers(tx, asked.userId)
      const { userId, month, lang, details: to } = asked
      const price = { ...(await readFeeRules(deps)), agreedFee: asked.agreedFee }
      const paper = await issueInvoice(deps, tx, { userId, month, to, lang, price, desk: 'customerAsked' })
      const end = { state: 'issued', paperNo: paper.paperNo } as const
      const row = (await endInvoiceRequest(tx, asked.requestNo, { end })) ?? fail('INVOICE_REQUEST_ENDED')
      await tx.audit('invoice.asked-issued', `invoice:${row.requestNo}`, { by: paper.paperNo, reason })
      await mailOutcome(act, row, end)
      return { paperNo: paper.paperNo }
    },
  }),
  defineCommand({
    ...common,
    name: 'invoice.refuse',
    summary: 'Refuses what a customer asked the invoice desk for, and tells them why',
    input: requestInput.extend({ cause: z.enum(REFUSE_CAUSES), answer: deskNote.default('') }),
    run: async (act, { requestNo: no, cause, answer }) => {
      const end = { state: 'refused', cause, answer } as const
      const row = (await endInvoiceRequest(act.tx, no, { end })) ?? fail('INVOICE_REQUEST_ENDED')
      await act.tx.audit('invoice.asked-refused', `invoice:${no}`, { cause, reason: act.reason })
      await mailOutcome(act, row, end)
      return {}
    },
  }),
] as const
