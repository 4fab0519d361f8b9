import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Act, Facts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { minus, usd } from '#platform/shared/money.ts'
import { contactOf } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { deskInvoiceTo } from '../../../contract-asked.ts'
import { VOID_CAUSES } from '../../../words-out.ts'
import { mailTexts } from '../../mail-texts.ts'
import { lockPapers, monthOf, voidPaper } from '../data.ts'
import type { PaperRow } from '../data.ts'
import { issueInvoice } from '../issue.ts'
import { anyPaper } from './data-desk.ts'

const VOID_TEXT = { wrongDetails: 'void_wrongDetails', customerAsked: 'void_customerAsked', duplicate: 'void_duplicate', legal: 'void_legal' } as const

const named = z.object({ paperNo: z.string().regex(/^IN-\d{4}-\d{6,9}$/), cause: z.enum(VOID_CAUSES) })
type Named = z.output<typeof named>
const rowOf = async (sql: Sql, { paperNo }: Pick<Named, 'paperNo'>): Promise<PaperRow> => (await anyPaper(sql, paperNo)) ?? fail('PAPER_NOT_FOUND')
const subject = async ({ db }: Deps, input: Named) => `paper:${(await rowOf(db, input)).paper_no}`
const weigh = async ({ db }: Deps, input: Named) => ({ userId: (await rowOf(db, input)).user_id })

/** Reads the paper under the lock of its customer's papers. */
async function lockedRow(tx: Tx, named: Pick<Named, 'paperNo'>): Promise<PaperRow> {
  await lockPapers(tx, (await rowOf(tx, named)).user_id)
  return rowOf(tx, named)
}

/** State of the paper, and the payments of its month that are not invoiced. */
async function look({ tx }: Act, input: Named): Promise<Facts> {
  const row = await rowOf(tx, input)
  const { paid, invoiced } = await monthOf(tx, row.user_id, row.month)
  return { holds: row.void_at === null, replacedBy: row.replaced_by, paid: usd(paid), invoiceable: usd(minus(paid, invoiced)) }
}
/** `replacedBy` is loose: the number is assigned on issue, so another paper may come first. */
const common = { permission: 'invoices.decide', money: 'own', subject, weigh, look, loose: ['replacedBy'] } as const

const MAILS = {
  voided: { name: 'payments.invoice-voided', texts: mailTexts, subject: 'mail_invoice_voided_subject', body: 'mail_invoice_voided_body' },
  reissued: { name: 'payments.invoice-reissued', texts: mailTexts, subject: 'mail_invoice_reissued_subject', body: 'mail_invoice_reissued_body' },
} as const

/** Whose invoice it was hears of it, with the cause in their language. */
async function tell({ deps }: Act, tx: Tx, row: PaperRow, { cause }: Named, made: PaperRow | undefined): Promise<void> {
  const contact = await contactOf(tx, row.user_id)
  if (!contact?.email) return
  const values = {
    no: row.paper_no,
    month: row.month,
    cause: mailTexts[contact.lang][VOID_TEXT[cause]],
    newNo: made?.paper_no ?? '',
    link: `${deps.siteUrl()}/receipts`,
  }
  const template = made ? MAILS.reissued : MAILS.voided
  await sendMail(deps, tx, { to: contact.email, template, lang: contact.lang, dedupe: `${template.name}:${row.paper_no}`, values })
}

const masked = (text: string): string => (text === '' ? '' : '***')

export const invoiceCommands = [
  defineCommand({
    ...common,
    name: 'invoice.void',
    summary: 'Takes an invoice back: it is marked void, its payments can be invoiced again, and its customer hears why',
    input: named,
    run: async (act, input) => {
      const { tx, reason } = act
      const row = await lockedRow(tx, input)
      if (!(await voidPaper(tx, row.id, input.cause))) fail('PAPER_NOT_FOUND')
      await tx.audit('invoice.voided', `paper:${row.paper_no}`, { cause: input.cause, reason })
      await tell(act, tx, row, input, undefined)
      return {}
    },
  }),
  defineCommand({
    ...common,
    name: 'invoice.reissue',
    summary: 'Reissues an invoice with details that the customer’s own form does not take; the one before is void, nothing is charged',
    input: named.extend(deskInvoiceTo.shape),
    // the paper itself has them; a command is read by everybody
    conceal: ({ email, addressLine, postalCode }) => ({ email: masked(email), addressLine: masked(addressLine), postalCode: masked(postalCode) }),
    run: async (act, { paperNo, cause, ...to }) => {
      const { tx, deps, reason } = act
      const row = await lockedRow(tx, { paperNo })
      if (row.void_at) fail('PAPER_NOT_FOUND')
      const made = await issueInvoice(deps, tx, { userId: row.user_id, month: row.month, to, lang: row.lang, desk: cause })
      if (made.paper_no === row.paper_no) fail('BAD_INPUT', { fields: ['userName'] })
      await tx.audit('invoice.reissued', `paper:${row.paper_no}`, { cause, by: made.paper_no, reason })
      await tell(act, tx, row, { paperNo, cause }, made)
      return { replacedBy: made.paper_no }
    },
  }),
] as const
