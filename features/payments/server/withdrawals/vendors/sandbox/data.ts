import { randomUUID } from 'node:crypto'
import type { PayoutCall, SupplierTools } from '../port.ts'

export interface BookRow {
  readonly payoutNo: string
  readonly minor: bigint
  readonly state: 'paid' | 'pending' | 'refused' | 'returned'
  readonly txn: string
}

const asked = new Map<string, number>()

/** Counts attempts for a number that has no payout in the book. */
export async function countAsk(_tools: SupplierTools, { payoutNo }: PayoutCall): Promise<number> {
  const count = (asked.get(payoutNo) ?? 0) + 1
  asked.set(payoutNo, count)
  return count
}

/** A pending payout is paid after two days, like a transfer to a bank over a weekend. */
export async function payoutOf({ query }: SupplierTools, payoutNo: string): Promise<BookRow | undefined> {
  await query(`update payments_sandbox_payouts set state = 'paid' where payout_no = $1 and state = 'pending' and created_at < now() - interval '2 days'`, [
    payoutNo,
  ])
  return (await query<BookRow>('select * from payments_sandbox_payouts where payout_no = $1', [payoutNo]))[0]
}

/** Inserts a payout, idempotent per number. */
export async function insertPayout(tools: SupplierTools, call: PayoutCall, state: BookRow['state']): Promise<BookRow> {
  await tools.query('insert into payments_sandbox_payouts (payout_no, account, minor, state, txn) values ($1,$2,$3,$4,$5) on conflict do nothing', [
    call.payoutNo,
    call.account,
    call.minor,
    state,
    `SBX${randomUUID().replaceAll('-', '').slice(0, 24)}`,
  ])
  return (await payoutOf(tools, call.payoutNo))!
}

/** The company's own doing, for tests: a pending payout ends. */
export async function turnPayout({ query }: Pick<SupplierTools, 'query'>, payoutNo: string, state: BookRow['state']): Promise<void> {
  await query('update payments_sandbox_payouts set state = $2 where payout_no = $1', [payoutNo, state])
}
