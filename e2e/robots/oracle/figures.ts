import type { Robot } from '../acts/act.ts'
import { selectAccountRows, selectInFlight } from './data.ts'
import { formatOracleNano } from './price.ts'

type FigureReader = (robot: Robot, at: number) => Promise<string | undefined>

const createOwnedReader =
  (kind: string): FigureReader =>
  async ({ product, memory }) =>
    formatOracleNano((await selectAccountRows(product.db, memory.userId)).reduce((sum, row) => (row.kind === kind ? sum + row.folded : sum), 0n))

/** Sum of this person's disputes with fees, less returns, from the journal. */
const computeTakenBack: FigureReader = async ({ product, memory }) => {
  const [row] = await product.db.query<{ sum: bigint }>(
    `select coalesce(sum(case when debit.owner = $1 then t.amount else 0 end - case when credit.owner = $1 then t.amount else 0 end), 0)::bigint as sum
      from wallet_transfers t join wallet_transactions x on x.id = t.transaction_id
        join wallet_accounts debit on debit.id = t.debit_account_id join wallet_accounts credit on credit.id = t.credit_account_id
      where x.kind like 'dispute%' and $1 in (debit.owner, credit.owner)`,
    [`user:${memory.userId}`],
  )
  return formatOracleNano(row!.sum)
}

const computeAvailable: FigureReader = async ({ product, memory }) => {
  const rows = await selectAccountRows(product.db, memory.userId)
  const { unposted } = await selectInFlight(product.db, memory.userId)
  const free = rows.reduce((sum, row) => (row.kind === 'customer' ? sum + row.folded - row.holds : sum), -unposted)
  const owed = rows.reduce((sum, row) => (row.kind === 'receivable' ? sum - row.folded : sum), 0n)
  return owed > 0n ? '0' : formatOracleNano(free < 0n ? 0n : free)
}

/** The oracle's own computation of the figures that pages mark with these names. A name that is missing here is not checked. */
const FIGURE_READERS: Readonly<Record<string, FigureReader>> = {
  'balance.posted': createOwnedReader('customer'),
  'overview.chargeback': computeTakenBack,
  'overview.available': computeAvailable,
  'balance.available': computeAvailable,
}

export const computeFigure = (robot: Robot, name: string, at: number): Promise<string | undefined> =>
  FIGURE_READERS[name]?.(robot, at) ?? Promise.resolve(undefined)
