import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { least, minus, parseUsd, percentFee, sum, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { balanceOf } from '#features/wallet/server/door.ts'
import { bookInvoiceFee } from '../bookings.ts'
import { insertInvoiceFees, paidFees } from './data.ts'
import type { NetRow, PaperRow } from './data.ts'
import { invoiceFeeMost, invoiceFeePercent } from './settings.ts'

/** What operators have set: read before a transaction begins, which holds a connection. */
export interface FeeRules {
  readonly percent: string
  /** Of one order. */
  readonly most: string
}

export async function feeRules({ settings }: Deps): Promise<FeeRules> {
  return { percent: await settings.get(invoiceFeePercent), most: await settings.get(invoiceFeeMost) }
}

export interface InvoiceFee {
  readonly total: Nano
  readonly orders: readonly { readonly id: bigint; readonly fee: Nano }[]
}

/** What an invoice of these orders costs now: percent of each, rounded up to the cent and capped; nothing for one that has paid. */
export async function invoiceFeeOf({ percent, most }: FeeRules, sql: Sql, orders: readonly NetRow[]): Promise<InvoiceFee> {
  const paid = new Set(
    await paidFees(
      sql,
      orders.map(({ order_id }) => order_id),
    ),
  )
  const due = orders
    .filter(({ order_id }) => !paid.has(order_id))
    .map(({ order_id, net_nano }) => ({ id: order_id, fee: least(percentFee(net_nano, percent), parseUsd(most)) }))
    .filter(({ fee }) => fee > 0n)
  return { total: sum(due.map(({ fee }) => fee)), orders: due }
}

/** Errors: INVOICE_FEE with `fee`, where more is due than was agreed to. */
export function requireAgreed({ total }: InvoiceFee, agreed: string | undefined): void {
  if (total > parseUsd(agreed ?? '0')) fail('INVOICE_FEE', { fee: usd(total) })
}

/** Takes it from the balance, each order once, with the paper that it pays for. Errors: BALANCE_TOO_LOW with `missing`. */
export async function chargeInvoice(tx: Tx, paper: PaperRow, { total, orders }: InvoiceFee): Promise<void> {
  if (total <= 0n) return
  await insertInvoiceFees(tx, paper.id, orders)
  const { available } = await balanceOf(tx, paper.user_id)
  if (available < total) fail('BALANCE_TOO_LOW', { missing: usd(minus(total, available)) })
  try {
    await tx.savepoint(() => bookInvoiceFee(tx, paper.user_id, paper.paper_no, total))
  } catch (error) {
    // Spent between the look and the posting.
    if (error instanceof Failure && error.errorName === 'INSUFFICIENT_FUNDS') fail('BALANCE_TOO_LOW', { missing: usd(total) })
    throw error
  }
  await tx.audit('invoice.charged', `paper:${paper.paper_no}`, { fee: usd(total), orders: orders.length })
}
