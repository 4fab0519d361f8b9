import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { sum, usd } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { contactOf } from '#features/account/server/door.ts'
import type { paperContract } from '../../../contract-paper.ts'
import { isInvoiceMonth } from '../../../words-out.ts'
import { holdingPaper, lastInvoice, paidIn } from '../data.ts'
import type { InvoiceTo } from '../facts.ts'
import { feeRules, invoiceFeeOf } from '../invoice-fee.ts'
import { fileOf } from '../file.ts'
import { orderTitle } from '../../../texts-titles.ts'
import { issueInvoice, lineOf } from '../issue.ts'
import { paperView } from '../view.ts'

/** Returns the invoice of a month as a PDF, made out to the recipient of the last invoice. */
export const invoice: Handler<typeof paperContract.invoice> = async (ctx, { month, lang, agreedFee }) => {
  checkMonth(ctx, month)
  const price = { ...(await feeRules(ctx)), agreedFee }
  const paper = await transact(ctx.db, ctx.actor, async (tx) => {
    const before = (await holdingPaper(tx, ctx.userId, { month })) ?? (await lastInvoice(tx, ctx.userId))
    const to = before?.facts.kind === 'invoice' ? before.facts.to : { ...NOBODY, email: (await contactOf(tx, ctx.userId))?.email ?? '' }
    const made = await issueInvoice(ctx, tx, { userId: ctx.userId, month, to, lang: lang ?? ctx.lang, price })
    await tx.audit('invoice.fetched', `paper:${made.paper_no}`)
    return made
  })
  return fileOf(paper, lang ?? ctx.lang)
}

/** Made out to these details from now on. */
export const applyInvoice: Handler<typeof paperContract.applyInvoice> = async (ctx, { month, lang, agreedFee, ...to }) => {
  checkMonth(ctx, month)
  const price = { ...(await feeRules(ctx)), agreedFee }
  const paper = await transact(ctx.db, ctx.actor, async (tx) => {
    const made = await issueInvoice(ctx, tx, { userId: ctx.userId, month, to, lang: lang ?? ctx.lang, price })
    await tx.audit('invoice.applied', `paper:${made.paper_no}`)
    return made
  })
  return paperView(paper)
}

/** The same lines and sum that an invoice would freeze. */
export const invoicePreview: Handler<typeof paperContract.invoicePreview> = async (ctx, { month }) => {
  checkMonth(ctx, month)
  const paid = await paidIn(ctx.db, ctx.userId, month)
  if (!paid.length) fail('INVOICE_EMPTY')
  const lines = paid.map(lineOf).map(({ orderNo, orderType, paidTime, amount, fee, back, net }) => ({
    orderNo,
    title: orderTitle(orderType, ctx.lang),
    paidTime,
    amount,
    fee,
    back,
    net,
  }))
  const rules = await feeRules(ctx)
  const fee = await invoiceFeeOf(rules, ctx.db, paid)
  return {
    month,
    lines,
    net: usd(sum(paid.map((row) => row.net_nano))),
    fee: usd(fee.total),
    feePercent: rules.percent,
    feeMost: rules.most,
    holds: (await holdingPaper(ctx.db, ctx.userId, { month }))?.paper_no ?? null,
  }
}

const NOBODY: InvoiceTo = { userName: '', email: '', country: '', state: '', city: '', addressLine: '', postalCode: '' }

function checkMonth(ctx: Ctx, month: string): void {
  if (!isInvoiceMonth(month, shanghaiDay(ctx.clock.now()))) fail('INVOICE_MONTH')
}
