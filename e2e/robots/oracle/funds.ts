import type { Robot } from '../acts/act.ts'
import { selectAccountRows, selectInFlight, selectUserOrders } from './data.ts'
import { parseOracleNano, formatOracleNano } from './price.ts'
import type { Sql } from '#platform/server/database/db.ts'

/** One ledger transaction, as its effect on a person's balance net of debt. */
interface LedgerMovement {
  readonly id: string
  readonly kind: string
  readonly ref: string
  readonly at: Date
  readonly amount: bigint
}

const selectLedgerMovements = (sql: Sql, userId: string): Promise<LedgerMovement[]> =>
  sql.query<LedgerMovement>(
    `with own as (select id from wallet_accounts where owner = 'user:' || $1 and kind in ('customer', 'receivable') and currency = 'USD')
      select x.id::text as id, x.kind, x.ref, x.at, sum(case when t.credit_account_id in (select id from own) then t.amount else 0 end
          - case when t.debit_account_id in (select id from own) then t.amount else 0 end)::bigint as amount
        from wallet_transfers t join wallet_transactions x on x.id = t.transaction_id
        where t.credit_account_id in (select id from own) or t.debit_account_id in (select id from own)
        group by x.id, x.kind, x.ref, x.at`,
    [userId],
  )

const MOVEMENT_CATEGORIES = ['topup', 'refund', 'reward', 'spend', 'card', 'withdraw', 'chargeback', 'unknown'] as const
type MovementCategory = (typeof MOVEMENT_CATEGORIES)[number]

/** The oracle's own categories of ledger transactions: money in from a channel, purchases, refunds and money out. */
const KINDS: readonly (readonly [MovementCategory, RegExp])[] = [
  ['topup', /^topup$/],
  ['spend', /^(order\.balance|invoice\.fee|service\.charged|gateway\.(usage|correction)|wallet\.repay)$/],
  ['card', /^card\.(recharge|refused|to_balance|swept|debt_paid)$/],
  ['withdraw', /^(refund\.(taken|released)|withdraw\.(sent|returned))$/],
  ['refund', /^(refund\.(done|credited)|service\.returned|card\.(settled|deposit_back))$/],
  ['chargeback', /^dispute(\.fee(_back|_unowed)?)?$/],
  ['reward', /^(grant|order\.discount|bonus\.(held|returned|revoked)|wallet\.breakage|invitation\.moved)$/],
]

const categorizeMovement = ({ kind }: Pick<LedgerMovement, 'kind'>): MovementCategory => KINDS.find(([, pattern]) => pattern.test(kind))?.[0] ?? 'unknown'

interface CategorySums extends Readonly<Record<MovementCategory, bigint>> {
  /** Refunds of direct channel payments, which count as income; the others reverse a purchase. */
  readonly outside: bigint
}

function sumByCategory(movements: readonly LedgerMovement[]): CategorySums {
  const total = (fits: (one: LedgerMovement) => boolean): bigint => movements.reduce((sum, one) => (fits(one) ? sum + one.amount : sum), 0n)
  const sums = Object.fromEntries(MOVEMENT_CATEGORIES.map((name) => [name, total((one) => categorizeMovement(one) === name)])) as Record<
    MovementCategory,
    bigint
  >
  return { ...sums, outside: total(({ kind }) => kind === 'refund.credited') }
}

/** The month in Shanghai, as 2026-11. */
const formatShanghaiMonth = (at: Date): string => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 7)

async function countUserDisputes(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*)::int as count from payments_disputes d join payments_orders o on o.id = d.order_id where o.user_id = $1',
    [userId],
  )
  return row!.count
}

const MAX_ATTEMPTS = 6
/** Order type of a top-up; every other type is a purchase. */
const TOP_UP = 10
/** Transactions that pay for a purchase or move money to a card or a payee. */
const PURCHASES: ReadonlySet<string> = new Set(['order.balance', 'invoice.fee', 'service.charged', 'gateway.usage', 'card.recharge', 'card.debt_paid'])

interface ListedFundsRow {
  readonly id: string
  readonly kind: string
  readonly category: string
  readonly amount: string
  readonly balance: string
  readonly title: string
  readonly orderNo: string | null
}

/** Checks the funds page and the overview: their rows add up, end at the ledger's balance, and show no purchase as income. */
export async function checkFundsPages(robot: Robot): Promise<void> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const before = await readLedgerBalance(robot)
    const known = await selectLedgerMovements(robot.product.db, robot.memory.userId)
    const funds = await robot.client.get('/user/funds')
    const summary = await robot.client.get('/user/fundsSummary')
    if (funds.code !== 200 || summary.code !== 200) return
    const after = await readLedgerBalance(robot)
    if (before === undefined || before !== after) continue
    const movements = await selectLedgerMovements(robot.product.db, robot.memory.userId)
    // money that left and returned between the reads leaves the balance unchanged
    if (sumOf(movements) !== before || movements.length !== known.length) continue
    compareFunds(robot, funds.data, before)
    compareRows(robot, funds.data.rowList, movements)
    compareCategories(robot, funds.data, movements)
    compareSummary(robot, summary.data, before)
    compareParts(robot, summary.data, movements)
    await compareDisputes(robot, [...funds.data.rowList, ...summary.data.recent], summary.data.chargeback)
    return await compareRecords(robot)
  }
}

/** The balance, negative if there is debt; undefined while calls are in progress. */
async function readLedgerBalance({ product, memory }: Robot): Promise<bigint | undefined> {
  const { open, unposted } = await selectInFlight(product.db, memory.userId)
  if (open || unposted) return undefined
  return (await selectAccountRows(product.db, memory.userId)).reduce(
    (sum, row) => (row.kind === 'customer' || row.kind === 'receivable' ? sum + row.folded : sum),
    0n,
  )
}

const sumOf = (movements: readonly LedgerMovement[]): bigint => movements.reduce((sum, { amount }) => sum + amount, 0n)

const report = (robot: Robot, rule: string, { seen, expected }: { readonly seen: bigint; readonly expected: bigint }): void => {
  if (seen !== expected) robot.report({ rule, subject: robot.memory.userId, seen: formatOracleNano(seen), expected: formatOracleNano(expected) })
}

function compareFunds(
  robot: Robot,
  { totals, rowList, next }: { totals: Record<string, string>; rowList: ListedFundsRow[]; next: string | null },
  ledger: bigint,
): void {
  const of = (name: string): bigint => parseOracleNano(totals[name] ?? '0')
  report(robot, 'the month’s totals come to its closing balance', {
    seen: of('opening') + of('topup') + of('refund') + of('reward') - of('spend') - of('card') - of('withdraw'),
    expected: of('closing'),
  })
  report(robot, 'the funds page ends at the ledger’s balance', { seen: of('closing'), expected: ledger })
  for (const [at, row] of rowList.entries()) {
    const older = rowList[at + 1]
    if (older)
      report(robot, 'each row of the funds page adds to the one before', {
        seen: parseOracleNano(older.balance) + parseOracleNano(row.amount),
        expected: parseOracleNano(row.balance),
      })
  }
  if (next === null)
    report(robot, 'the rows of the funds page come to the month', {
      seen: rowList.reduce((sum, { amount }) => sum + parseOracleNano(amount), 0n),
      expected: of('closing') - of('opening'),
    })
}

function compareSummary(robot: Robot, summary: Record<string, string>, ledger: bigint): void {
  const of = (name: string): bigint => parseOracleNano(summary[name] ?? '0')
  report(robot, 'money in is balance, spent, moved and out', { seen: of('added') - of('spent') - of('out') - of('chargeback'), expected: ledger })
  report(robot, 'the overview’s balance is the ledger’s', { seen: of('balance'), expected: ledger })
}

/** Channel payments and purchases are separate rows; each row must match its kind in the ledger, regardless of its order. */
function compareRows(robot: Robot, rows: readonly ListedFundsRow[], movements: readonly LedgerMovement[]): void {
  const kept = new Map(movements.map((one) => [`t${one.id}`, one]))
  for (const { id, kind, category, amount, title } of rows) {
    const booked = kept.get(id)
    const isPurchase = PURCHASES.has(booked?.kind ?? kind)
    const say = (rule: string, expected: string): void =>
      robot.report({ rule, subject: robot.memory.userId, seen: `${booked?.kind ?? kind} as "${title}" ${amount}, ${category}`, expected })
    if (isPurchase && (!amount.startsWith('-') || category === 'topup')) say('purchases are not shown as income', 'a payment')
    if (category === 'topup' && booked?.kind !== 'topup') say('a top-up is money that a channel brought', 'a top-up in the ledger')
    if (booked && parseOracleNano(amount) !== booked.amount) say('a row of the funds page is the ledger’s', formatOracleNano(booked.amount))
    if (booked && categorizeMovement(booked) === 'unknown') say('every kind of movement is known', 'a kind that oracle/journal.ts places')
  }
}

/** Checks each total of the month against the ledger's transactions. */
function compareCategories(robot: Robot, { month, totals }: { month: string; totals: Record<string, string> }, movements: readonly LedgerMovement[]): void {
  const sums = sumByCategory(movements.filter(({ at }) => formatShanghaiMonth(at) === month))
  const of = (name: string): bigint => parseOracleNano(totals[name] ?? '0')
  for (const name of ['topup', 'reward'] as const) report(robot, `the month’s ${name} is the ledger’s`, { seen: of(name), expected: sums[name] })
  // disputes count as refunds
  report(robot, 'the month’s refund is the ledger’s', { seen: of('refund'), expected: sums.refund + sums.chargeback })
  for (const name of ['spend', 'card', 'withdraw'] as const) report(robot, `the month’s ${name} is the ledger’s`, { seen: of(name), expected: -sums[name] })
}

/** Checks each term of the overview's equation against the ledger's transactions; this month counts the same kinds as all time. */
function compareParts(robot: Robot, summary: Record<string, string>, movements: readonly LedgerMovement[]): void {
  const of = (name: string): bigint => parseOracleNano(summary[name] ?? '0')
  const spentIn = ({ spend, refund, outside }: ReturnType<typeof sumByCategory>): bigint => -(spend + refund - outside)
  const all = sumByCategory(movements)
  report(robot, 'the overview’s added is the ledger’s', { seen: of('added'), expected: all.topup + all.reward + all.outside })
  report(robot, 'the overview’s spent is the ledger’s', { seen: of('spent'), expected: spentIn(all) })
  report(robot, 'the overview’s moved out is the ledger’s', { seen: of('out'), expected: -(all.card + all.withdraw) })
  report(robot, 'the overview’s chargebacks are the ledger’s', { seen: of('chargeback'), expected: -all.chargeback })
  const current = formatShanghaiMonth(new Date(summary['asOf']!))
  const month = sumByCategory(movements.filter(({ at }) => formatShanghaiMonth(at) === current))
  report(robot, 'this month counts the same kinds as all time', { seen: of('monthSpent'), expected: spentIn(month) })
}

const CHARGEBACK_WORDS = /扣回|拒付|[Cc]harge(?:d )?back|[Tt]aken back/

/** Reports texts that mention a chargeback to users whose payments were never disputed. */
async function compareDisputes(robot: Robot, rows: readonly ListedFundsRow[], chargeback: string): Promise<void> {
  if (await countUserDisputes(robot.product.db, robot.memory.userId)) return
  const say = (seen: string): void =>
    robot.report({ rule: 'taken back means a chargeback', subject: robot.memory.userId, seen, expected: 'nothing of the kind without a dispute' })
  if (parseOracleNano(chargeback) !== 0n) say(`chargeback ${chargeback}`)
  for (const { kind, title, amount } of rows) if (CHARGEBACK_WORDS.test(title)) say(`${kind} as "${title}" ${amount}`)
}

/** The order record shows only top-ups as recharges, and neither list omits an order. */
async function compareRecords(robot: Robot): Promise<void> {
  const { code, data } = await robot.client.get('/user/orderRecords', { pageNum: 1, pageSize: 50 })
  if (code !== 200) return
  const orders = new Map((await selectUserOrders(robot.product.db, robot.memory.userId)).map((order) => [order.orderNo, order.orderType]))
  for (const { orderNo, orderType, orderAmount } of data.rowList as { orderNo: string; orderType: number; orderAmount: string }[]) {
    const bought = orders.get(orderNo)
    if (bought === undefined || (orderType === 1) === (bought === TOP_UP)) continue
    robot.report({
      rule: 'purchases are not shown as recharges',
      subject: robot.memory.userId,
      seen: `${orderNo}, an order of type ${bought}, as record type ${orderType}, ${orderAmount}`,
      expected: bought === TOP_UP ? 'a recharge (1)' : 'no recharge',
    })
  }
}
