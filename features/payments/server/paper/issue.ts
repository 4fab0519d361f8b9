import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '#platform/server/feature.ts'
import { crashPoint } from '#platform/server/crash.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatMinor, subtractNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import {
  countReissues,
  selectValidPaper,
  insertPaper,
  lockPapers,
  markReplaced,
  selectPaperOrders,
  selectPaidInMonth,
  voidPaper,
  type NetPaymentRow,
  type NewPaper,
  type PaperRow,
} from './data.ts'
import type { PaperFacts, InvoiceRecipient, PaidLine } from './facts.ts'
import { chargeInvoiceFee, computeInvoiceFee, requireAgreedFee, type FeeRules } from './invoice-fee.ts'
import type { VoidCause } from '../../words-out.ts'
import { invoiceReissues } from './settings.ts'
import type { FileReply } from '#platform/shared/contract.ts'
import { pick } from '#platform/shared/pick.ts'

/** The drawing code and its fonts are loaded with the first requested paper. */
export async function renderPaperFile(paper: PaperRow, lang: Lang): Promise<FileReply> {
  const { drawPaper } = await import('./draw.ts')
  const standing = { ...pick(paper, 'paperNo', 'issuedAt', 'voidAt', 'replacedBy') }
  return { type: 'application/pdf', filename: `${paper.paperNo}.pdf`, body: await drawPaper(paper.facts, standing, lang) }
}

export interface InvoiceInput {
  readonly userId: string
  readonly month: string
  readonly to: InvoiceRecipient
  readonly lang: Lang
  /** Fee rules, and the fee in dollars that the user agreed to. */
  readonly price?: FeeRules & { readonly agreedFee: string | undefined }
  /** Set when an operator issues it: no reissue limit, and this cause voids the previous invoice. */
  readonly desk?: VoidCause
  /** Automatic replacement of this paper, free of charge: only orders that are on it. */
  readonly instead?: PaperRow
}

/**
 * Returns the valid invoice of a month if its content is the same, else issues a replacement. Errors: INVOICE_EMPTY, INVOICE_REISSUED,
 * INVOICE_FEE (the fee exceeds the agreed one), BALANCE_TOO_LOW.
 */
export async function issueInvoice(deps: Deps, tx: Tx, { userId, month, to, lang, price, desk, instead }: InvoiceInput): Promise<PaperRow> {
  await lockPapers(tx, userId)
  const before = instead && (await selectPaperOrders(tx, instead.id))
  const paid = (await selectPaidInMonth(tx, userId, month)).filter(({ orderId }) => !before || before.has(orderId))
  const old = await selectValidPaper(tx, userId, { month })
  if (!paid.length) fail('INVOICE_EMPTY')
  const fee = price && (await computeInvoiceFee(price, tx, paid))
  if (fee) requireAgreedFee(fee, price.agreedFee)
  const lines = paid.map(toPaidLine)
  const net = sumNano(paid.map((row) => row.netNano))
  const facts: PaperFacts = { kind: 'invoice', house: readSeller(deps), month, to, lines, net: formatUsd(net) }
  const isRedone = old?.facts.kind === 'invoice' && !isDeepStrictEqual(old.facts.to, to)
  if (isRedone && !desk) {
    const max = await deps.settings.get(invoiceReissues)
    if ((await countReissues(tx, userId, month)) >= max) fail('INVOICE_REISSUED', { max })
  }
  const orders = paid.map((row) => ({ id: row.orderId, amount: row.netNano }))
  const paper = await issuePaper(tx, old, {
    paper: { kind: 'invoice', userId, month, orderNo: '', lang, amount: net, facts, orders },
    reason: desk ?? (isRedone ? 'details' : 'figures'),
  })
  if (fee) await chargeInvoiceFee(tx, paper, fee)
  return paper
}

/** Returns the valid receipt of an order, or issues a replacement after a refund. */
export async function issueReceipt(
  deps: Deps,
  tx: Tx,
  { order, to, lang }: { readonly order: NetPaymentRow; readonly to: string; readonly lang: Lang },
): Promise<PaperRow> {
  await lockPapers(tx, order.userId)
  const old = await selectValidPaper(tx, order.userId, { orderNo: order.orderNo })
  const { rate, feePercent, currency: payCurrency } = order
  const kept = old?.facts.kind === 'receipt' ? old.facts.to : to
  const facts: PaperFacts = {
    kind: 'receipt',
    house: readSeller(deps),
    to: kept,
    line: toPaidLine(order),
    rate,
    feePercent,
    payAmount: formatMinor(order.payMinor),
    payCurrency,
  }
  return issuePaper(tx, old, {
    paper: { kind: 'receipt', userId: order.userId, month: '', orderNo: order.orderNo, lang, amount: order.netNano, facts, orders: [] },
    reason: 'figures',
  })
}

async function issuePaper(
  tx: Tx,
  old: PaperRow | undefined,
  { paper, reason }: { readonly paper: NewPaper; readonly reason: 'details' | 'figures' | VoidCause },
): Promise<PaperRow> {
  if (old && isDeepStrictEqual(toComparableContent(old.facts), toComparableContent(paper.facts))) return old
  if (old) await voidPaper(tx, old.id, reason)
  const made = await insertPaper(tx, paper)
  if (old) await markReplaced(tx, old.id, made.paperNo)
  await tx.audit(`${paper.kind}.issued`, `paper:${made.paperNo}`, { amount: formatUsd(paper.amount), ...(old ? { replaces: old.paperNo, reason } : {}) })
  crashPoint('payments.paper-before-commit')
  return made
}

/** Content without the seller's details: a new company name does not invalidate issued papers. */
const toComparableContent = ({ house: _, ...rest }: PaperFacts) => JSON.parse(JSON.stringify(rest)) as unknown

function readSeller({ config }: Deps): PaperFacts['house'] {
  return { company: config.COMPANY, brand: config.BRAND_NAME, brandZh: config.BRAND_NAME_ZH, support: config.SUPPORT_EMAIL }
}

export function toPaidLine(row: NetPaymentRow): PaidLine {
  return {
    orderNo: row.orderNo,
    orderType: row.orderType,
    method: row.transactionType,
    paidTime: row.paidAt.toISOString(),
    amount: formatUsd(row.amountNano),
    fee: formatUsd(row.feeNano),
    ...(row.fixedNano > 0n ? { fixedFee: formatUsd(row.fixedNano) } : {}),
    total: formatUsd(row.totalNano),
    back: formatUsd(subtractNano(row.totalNano, row.netNano)),
    net: formatUsd(row.netNano),
  }
}
