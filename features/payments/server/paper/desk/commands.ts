import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { deskInvoiceRecipient } from '../../../contract-invoice-requests.ts'
import { VOID_CAUSES } from '../../../words-out.ts'
import { paymentMailTexts } from '../../mail-texts.ts'
import { lockPapers, sumInvoicedMonth, voidPaper } from '../data.ts'
import type { PaperRow } from '../data.ts'
import { issueInvoice } from '../issue.ts'
import { selectAnyPaper } from './data-desk.ts'

const VOID_TEXT = { wrongDetails: 'void_wrongDetails', customerAsked: 'void_customerAsked', duplicate: 'void_duplicate', legal: 'void_legal' } as const

const voidInput = z.object({ paperNo: z.string().regex(/^IN-\d{4}-\d{6,9}$/), cause: z.enum(VOID_CAUSES) })
type VoidInput = z.output<typeof voidInput>
const requirePaper = async (sql: Sql, { paperNo }: Pick<VoidInput, 'paperNo'>): Promise<PaperRow> =>
  (await selectAnyPaper(sql, paperNo)) ?? fail('PAPER_NOT_FOUND')
const subject = async ({ db }: Deps, input: VoidInput) => `paper:${(await requirePaper(db, input)).paperNo}`
const weigh = async ({ db }: Deps, input: VoidInput) => ({ userId: (await requirePaper(db, input)).userId })

/** Reads a paper while holding the lock on its customer's papers. */
async function lockPaper(tx: Tx, named: Pick<VoidInput, 'paperNo'>): Promise<PaperRow> {
  await lockPapers(tx, (await requirePaper(tx, named)).userId)
  return requirePaper(tx, named)
}

/** State of the paper, and the payments of its month that are not invoiced. */
async function look({ tx }: CommandExecution, input: VoidInput): Promise<CommandFacts> {
  const row = await requirePaper(tx, input)
  const { paid, invoiced } = await sumInvoicedMonth(tx, row.userId, row.month)
  return { holds: row.voidAt === null, replacedBy: row.replacedBy, paid: formatUsd(paid), invoiceable: formatUsd(subtractNano(paid, invoiced)) }
}
/** `replacedBy` is loose: the number is assigned on issue, so another paper may come first. */
const common = { permission: 'invoices.decide', money: 'own', subject, weigh, look, loose: ['replacedBy'] } as const

const MAILS = {
  voided: { name: 'payments.invoice-voided', texts: paymentMailTexts, subject: 'mail_invoice_voided_subject', body: 'mail_invoice_voided_body' },
  reissued: { name: 'payments.invoice-reissued', texts: paymentMailTexts, subject: 'mail_invoice_reissued_subject', body: 'mail_invoice_reissued_body' },
} as const

/** Mails the recipient of the invoice, with the cause in the recipient's language. */
async function mailVoided(
  { deps }: CommandExecution,
  tx: Tx,
  { row, voidInput: { cause }, made }: { readonly row: PaperRow; readonly voidInput: VoidInput; readonly made: PaperRow | undefined },
): Promise<void> {
  const contact = await findContact(tx, row.userId)
  if (!contact?.email) return
  const values = {
    no: row.paperNo,
    month: row.month,
    cause: paymentMailTexts[contact.lang][VOID_TEXT[cause]],
    newNo: made?.paperNo ?? '',
    link: `${deps.siteUrl()}/receipts`,
  }
  const template = made ? MAILS.reissued : MAILS.voided
  await sendMail(deps, tx, { to: contact.email, template, lang: contact.lang, dedupe: `${template.name}:${row.paperNo}`, values })
}

const maskText = (text: string): string => (text === '' ? '' : '***')

export const invoiceCommands = [
  defineCommand({
    ...common,
    name: 'invoice.void',
    summary: 'Takes an invoice back: it is marked void, its payments can be invoiced again, and its customer hears why',
    input: voidInput,
    run: async (act, input) => {
      const { tx, reason } = act
      const row = await lockPaper(tx, input)
      if (!(await voidPaper(tx, row.id, input.cause))) fail('PAPER_NOT_FOUND')
      await tx.audit('invoice.voided', `paper:${row.paperNo}`, { cause: input.cause, reason })
      await mailVoided(act, tx, { row, voidInput: input, made: undefined })
      return {}
    },
  }),
  defineCommand({
    ...common,
    name: 'invoice.reissue',
    summary: 'Reissues an invoice with details that the customer’s own form does not take; the one before is void, nothing is charged',
    input: voidInput.extend(deskInvoiceRecipient.shape),
    // The paper itself holds them in full; every operator can read a command.
    conceal: ({ email, addressLine, postalCode }) => ({ email: maskText(email), addressLine: maskText(addressLine), postalCode: maskText(postalCode) }),
    run: async (act, { paperNo, cause, ...to }) => {
      const { tx, deps, reason } = act
      const row = await lockPaper(tx, { paperNo })
      if (row.voidAt) fail('PAPER_NOT_FOUND')
      const made = await issueInvoice(deps, tx, { userId: row.userId, month: row.month, to, lang: row.lang, desk: cause })
      if (made.paperNo === row.paperNo) fail('BAD_INPUT', { fields: ['userName'] })
      await tx.audit('invoice.reissued', `paper:${row.paperNo}`, { cause, by: made.paperNo, reason })
      await mailVoided(act, tx, { row, voidInput: { paperNo, cause }, made })
      return { replacedBy: made.paperNo }
    },
  }),
] as const
