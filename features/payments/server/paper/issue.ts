import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '#platform/server/feature.ts'
import { crashPoint } from '#platform/server/crash.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { minorText, minus, sum, usd } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { countRedone, holdingPaper, insertPaper, lockPapers, noteReplaced, ordersOn, paidIn, voidPaper } from './data.ts'
import type { NetRow, NewPaper, PaperRow } from './data.ts'
import type { Facts, InvoiceTo, PaidLine } from './facts.ts'
import { chargeInvoice, invoiceFeeOf, requireAgreed } from './invoice-fee.ts'
import type { FeeRules } from './invoice-fee.ts'
import type { VoidCause } from '../../words-out.ts'
import { invoiceReissues } from './settings.ts'

export interface InvoiceWish {
  readonly userId: string
  readonly month: string
  readonly to: InvoiceTo
  readonly lang: Lang
  /** Fee rules, and the fee in dollars that the user agreed to. */
  readonly price?: FeeRules & { readonly agreedFee: string | undefined }
  /** Set when an operator issues it: no reissue limit, and this cause voids the previous invoice. */
  readonly desk?: VoidCause
  /** Automatic replacement of this paper, free of charge: only orders that are on it. */
  readonly instead?: PaperRow
}

/**
 * Returns the valid invoice of a month if its content is the same, else issues a replacement. Errors: INVOICE_EMPTY,
 * INVOICE_REISSUED, INVOICE_FEE (more is due than was agreed to), BALANCE_TOO_LOW.
 */
export async function issueInvoice(deps: Deps, tx: Tx, { userId, month, to, lang, price, desk, instead }: InvoiceWish): Promise<PaperRow> {
  await lockPapers(tx, userId)
  const before = instead && (await ordersOn(tx, instead.id))
  const paid = (await paidIn(tx, userId, month)).filter(({ order_id }) => !before || before.has(order_id))
  const old = await holdingPaper(tx, userId, { month })
  if (!paid.length) fail('INVOICE_EMPTY')
  const fee = price && (await invoiceFeeOf(price, tx, paid))
  if (fee) requireAgreed(fee, price.agreedFee)
  const lines = paid.map(lineOf)
  const net = sum(paid.map((row) => row.net_nano))
  const facts: Facts = { kind: 'invoice', house: houseOf(deps), month, to, lines, net: usd(net) }
  const isRedone = old?.facts.kind === 'invoice' && !isDeepStrictEqual(old.facts.to, to)
  if (isRedone && !desk) {
    const max = await deps.settings.get(invoiceReissues)
    if ((await countRedone(tx, userId, month)) >= max) fail('INVOICE_REISSUED', { max })
  }
  const orders = paid.map((row) => ({ id: row.order_id, amount: row.net_nano }))
  const paper = await issue(
    tx,
    old,
    { kind: 'invoice', userId, month, orderNo: '', lang, amount: net, facts, orders },
    desk ?? (isRedone ? 'details' : 'figures'),
  )
  if (fee) await chargeInvoice(tx, paper, fee)
  return paper
}

/** Returns the valid receipt of an order, or issues a replacement after a refund. */
export async function issueReceipt(deps: Deps, tx: Tx, order: NetRow, to: string, lang: Lang): Promise<PaperRow> {
  await lockPapers(tx, order.user_id)
  const old = await holdingPaper(tx, order.user_id, { orderNo: order.order_no })
  const { rate, fee_percent: feePercent, currency: payCurrency } = order
  const kept = old?.facts.kind === 'receipt' ? old.facts.to : to
  const facts: Facts = {
    kind: 'receipt',
    house: houseOf(deps),
    to: kept,
    line: lineOf(order),
    rate,
    feePercent,
    payAmount: minorText(order.pay_minor),
    payCurrency,
  }
  return issue(
    tx,
    old,
    { kind: 'receipt', userId: order.user_id, month: '', orderNo: order.order_no, lang, amount: order.net_nano, facts, orders: [] },
    'figures',
  )
}

async function issue(tx: Tx, old: PaperRow | undefined, paper: NewPaper, reason: 'details' | 'figures' | VoidCause): Promise<PaperRow> {
  if (old && isDeepStrictEqual(contentOf(old.facts), contentOf(paper.facts))) return old
  if (old) await voidPaper(tx, old.id, reason)
  const made = await insertPaper(tx, paper)
  if (old) await noteReplaced(tx, old.id, made.paper_no)
  await tx.audit(`${paper.kind}.issued`, `paper:${made.paper_no}`, { amount: usd(paper.amount), ...(old ? { replaces: old.paper_no, reason } : {}) })
  crashPoint('payments.paper-before-commit')
  return made
}

/** Content without the seller's details: a new company name does not invalidate issued papers. */
const contentOf = ({ house: _, ...rest }: Facts) => JSON.parse(JSON.stringify(rest)) as unknown

function houseOf({ config }: Deps): Facts['house'] {
  return { company: config.COMPANY, brand: config.BRAND_NAME, brandZh: config.BRAND_NAME_ZH, support: config.SUPPORT_EMAIL }
}

export function lineOf(row: NetRow): PaidLine {
  return {
    orderNo: row.order_no,
    orderType: row.order_type,
    method: row.transaction_type,
    paidTime: row.paid_at.toISOString(),
    amount: usd(row.amount_nano),
    fee: usd(row.fee_nano),
    ...(row.fixed_nano > 0n ? { fixedFee: usd(row.fixed_nano) } : {}),
    total: usd(row.total_nano),
    back: usd(minus(row.total_nano, row.net_nano)),
    net: usd(row.net_nano),
  }
}
