import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { sumNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { findContact } from '#features/account/server/door.ts'
import type { paperContract } from '../../../contract-paper.ts'
import { isInvoiceMonth } from '../../../words-out.ts'
import { selectValidPaper, selectLastInvoice, selectPaidInMonth } from '../data.ts'
import type { InvoiceRecipient } from '../facts.ts'
import { readFeeRules, computeInvoiceFee } from '../invoice-fee.ts'
import { renderPaperFile, issueInvoice, toPaidLine } from '../issue.ts'
import { formatOrderTitle } from '../../../texts-titles.ts'
import { toPaperView } from '../view.ts'

/** Returns the invoice of a month as a PDF, made out to the recipient of the last invoice. */
export const invoice: Handler<typeof paperContract.invoice> = async (ctx, { month, lang, agreedFee }) => {
  checkMonth(ctx, month)
  const price = { ...(await readFeeRules(ctx)), agreedFee }
  const paper = await transact(ctx.db, ctx.actor, async (tx) => {
    const before = (await selectValidPaper(tx, ctx.userId, { month })) ?? (await selectLastInvoice(tx, ctx.userId))
    const to = before?.facts.kind === 'invoice' ? before.facts.to : { ...NO_RECIPIENT, email: (await findContact(tx, ctx.userId))?.email ?? '' }
    const made = await issueInvoice(ctx, tx, { userId: ctx.userId, month, to, lang: lang ?? ctx.lang, price })
    await tx.audit('invoice.fetched', `paper:${made.paperNo}`)
    return made
  })
  return renderPaperFile(paper, lang ?? ctx.lang)
}

/** Recipient details from now on. */
export const applyInvoice: Handler<typeof paperContract.applyInvoice> = async (ctx, { month, lang, agreedFee, ...to }) => {
  checkMonth(ctx, month)
  const price = { ...(await readFeeRules(ctx)), agreedFee }
  const paper = await transact(ctx.db, ctx.actor, async (tx) => {
    const made = await issueInvoice(ctx, tx, { userId: ctx.userId, month, to, lang: lang ?? ctx.lang, price })
    await tx.audit('invoice.applied', `paper:${made.paperNo}`)
    return made
  })
  return toPaperView(paper)
}

/** The lines and sum that an invoice issued now would freeze. */
export const invoicePreview: Handler<typeof paperContract.invoicePreview> = async (ctx, { month }) => {
  checkMonth(ctx, month)
  const paid = await selectPaidInMonth(ctx.db, ctx.userId, month)
  if (!paid.length) fail('INVOICE_EMPTY')
  const lines = paid.map(toPaidLine).map(({ orderNo, orderType, paidTime, amount, fee, back, net }) => ({
    orderNo,
    title: formatOrderTitle(orderType, ctx.lang),
    paidTime,
    amount,
    fee,
    back,
    net,
  }))
  const rules = await readFeeRules(ctx)
  const fee = await computeInvoiceFee(rules, ctx.db, paid)
  return {
    month,
    lines,
    net: formatUsd(sumNano(paid.map((row) => row.netNano))),
    fee: formatUsd(fee.total),
    feePercent: rules.percent,
    feeMost: rules.most,
    holds: (await selectValidPaper(ctx.db, ctx.userId, { month }))?.paperNo ?? null,
  }
}

const NO_RECIPIENT: InvoiceRecipient = { userName: '', email: '', country: '', state: '', city: '', addressLine: '', postalCode: '' }

function checkMonth(ctx: Ctx, month: string): void {
  if (!isInvoiceMonth(month, toShanghaiDay(ctx.clock.now()))) fail('INVOICE_MONTH')
}
