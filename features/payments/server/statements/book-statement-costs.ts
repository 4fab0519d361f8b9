import type { Tx } from '#platform/server/database/transact.ts'
import { bookCosts } from '../bookings.ts'
import { insertCosts } from './data.ts'
import type { StatementCost } from './data.ts'

/** Books a channel's fees, once per statement line. The caller writes the audit entry. */
export async function bookStatementCosts(
  tx: Tx,
  channelType: number,
  { day, costs }: { readonly day: string; readonly costs: readonly StatementCost[] },
): Promise<void> {
  const some = costs.filter(({ feeMinor }) => feeMinor !== 0n)
  if (!some.length) return
  for (const { id, currency, kept, back } of await insertCosts(tx, channelType, { day, costs: some })) {
    await bookCosts(tx, `${channelType}:${day}:${id}`, { currency, kept, back })
  }
}
