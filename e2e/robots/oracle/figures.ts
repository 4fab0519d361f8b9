import type { Robot } from '../acts/act.ts'
import { accountOf, inFlightOf } from './data.ts'
import { textOf } from './price.ts'

type Source = (robot: Robot, at: number) => Promise<string | undefined>

const owned =
  (kind: string): Source =>
  async ({ product, memory }) =>
    textOf((await accountOf(product.db, memory.userId)).reduce((sum, row) => (row.kind === kind ? sum + row.folded : sum), 0n))

/** Sum of this person's disputes with fees, less returns, from the journal. */
const takenBack: Source = async ({ product, memory }) => {
  const [row] = await product.db.query<{ sum: bigint }>(
    `select coalesce(sum(case when debit.owner = $1 then t.amount else 0 end - case when credit.owner = $1 then t.amount else 0 end), 0)::bigint as sum
      from wallet_transfers t join wallet_transactions x on x.id = t.transaction_id
        join wallet_accounts debit on debit.id = t.debit_account_id join wallet_accounts credit on credit.id = t.credit_account_id
      where x.kind like 'dispute%' and $1 in (debit.owner, credit.owner)`,
    [`user:${memory.userId}`],
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
  'overview.chargeback': takenBack,
  'overview.available': available,
  'balance.available': available,
}

export const figureOf = (robot: Robot, name: string, at: number): Promise<string | undefined> => SOURCES[name]?.(robot, at) ?? Promise.resolve(undefined)
