import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { minNano, subtractNano, parseUsd, computePercentFee, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { bookInvoiceFee } from '../bookings.ts'
import { insertInvoiceFees, selectFeePaidOrders } from './data.ts'
import type { NetPaymentRow, PaperRow } from './data.ts'
import { invoiceFeeCap, invoiceFeePercent } from './settings.ts'

/** Fee settings. Read them before a transaction begins, because a transaction holds a connection. */
export interface FeeRules {
  readonly percent: string
  /** Maximum fee per order. */
  readonly most: string
}

export async function readFeeRules({ settings }: Deps): Promise<FeeRules> {
  return { percent: await settings.get(invoiceFeePercent), most: await settings.get(invoiceFeeCap) }
}

export interface InvoiceFee {
  readonly total: Nano
  readonly orders: readonly { readonly id: bigint; readonly fee: Nano }[]
}

/** Fee of an invoice over these orders: a percentage of each, rounded up to the cent and capped; 0 for an order whose fee was paid. */
export async function computeInvoiceFee({ percent, most }: FeeRules, sql: Sql, orders: readonly NetPaymentRow[]): Promise<InvoiceFee> {
  const paid = new Set(
    await selectFeePaidOrders(
      sql,
      orders.map(({ orderId }) => orderId),
    ),
  )
  const due = orders
    .filter(({ orderId }) => !paid.has(orderId))
    .map(({ orderId, netNano }) => ({ id: orderId, fee: minNano(computePercentFee(netNano, percent), parseUsd(most)) }))
    .filter(({ fee }) => fee > 0n)
  return { total: sumNano(due.map(({ fee }) => fee)), orders: due }
}

/** Refuses a fee above the agreed one. Errors: INVOICE_FEE with `fee`. */
export function requireAgreedFee({ total }: InvoiceFee, agreed: string | undefined): void {
  if (total > parseUsd(agreed ?? '0')) fail('INVOICE_FEE', { fee: formatUsd(total) })
}

/** Charges the fee to the balance, once per order, linked to its paper. Errors: BALANCE_TOO_LOW with `missing`. */
export async function chargeInvoiceFee(tx: Tx, paper: PaperRow, { total, orders }: InvoiceFee): Promise<void> {
  if (total <= 0n) return
  await insertInvoiceFees(tx, paper.id, orders)
  const { available } = await readBalance(tx, paper.userId)
  if (available < total) fail('BALANCE_TOO_LOW', { missing: formatUsd(subtractNano(total, available)) })
  try {
    await tx.savepoint(() => bookInvoiceFee(tx, paper.userId, { paperNo: paper.paperNo, fee: total }))
  } catch (error) {
    // The balance was spent between the check and the posting.
    if (error instanceof Failure && error.errorName === 'INSUFFICIENT_FUNDS') fail('BALANCE_TOO_LOW', { missing: formatUsd(total) })
    throw error
  }
  await tx.audit('invoice.charged', `paper:${paper.paperNo}`, { fee: formatUsd(total), orders: orders.length })
}
