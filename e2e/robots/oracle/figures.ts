import type { Robot } from '../acts/act.ts'
import { accountOf, inFlightOf } from './data.ts'
import { textOf } from './price.ts'

type Source = (robot: Robot, at: number) => Promise<string | undefined>

const owned =
  (kind: string): Source =>
  async ({ product, memory }) =>
    textOf((await accountOf(product.db, memory.userId)).reduce((sum, row) => (row.kind === kind ? sum + row.folded : sum), 0n))

/** Sum of movements between kinds of accounts of this person, from the journal. */
const moved =
  (where: string): Source =>
  async ({ product, memory }) => {
    const [row] = await product.db.query<{ sum: bigint }>(
      `select coalesce(sum(t.amount), 0)::bigint as sum from wallet_transfers t join wallet_transactions x on x.id = t.transaction_id
        where (t.debit_account_id in (select id from wallet_accounts where owner = 'user:' || $1)
          or t.credit_account_id in (select id from wallet_accounts where owner = 'user:' || $1)) and (${where})`,
      [memory.userId],
    )
    return textOf(row!.sum)
  }

const available: Source = async ({ product, memory }) => {
  const rows = await accountOf(product.db, memory.userId)
  const { unposted } = await inFlightOf(product.db, memory.userId)
  const free = rows.reduce((sum, row) => (row.kind === 'customer' ? sum + row.folded - row.holds : sum), -unposted)
  const owed = rows.reduce((sum, row) => (row.kind === 'receivable' ? sum - row.folded : sum), 0n)
  return owed > 0n ? '0' : textOf(free < 0n ? 0n : free)
}

/** The oracle's own computation of what pages mark with these names. A name that is missing here is compared with nothing. */
const SOURCES: Readonly<Record<string, Source>> = {
  'balance.posted': owned('customer'),
  'overview.chargeback': moved(`x.kind like '%dispute%' and t.debit_kind in ('customer', 'receivable') and t.credit_kind = 'wash'`),
  'overview.available': available,
  'balance.available': available,
}

export const figureOf = (robot: Robot, name: string, at: number): Promise<string | undefined> => SOURCES[name]?.(robot, at) ?? Promise.resolve(undefined)
