import type { Robot } from '../acts/act.ts'
import { accountOf, inFlightOf, ordersOf } from './data.ts'
import { nanoOf, textOf } from './price.ts'

const TRIES = 4
/** Services and recharges of cards: a channel's money credits the balance first and leaves it in a row of its own. */
const BY_BALANCE: ReadonlySet<number> = new Set([0, 3, 4, 5, 6, 8, 9, 11])

interface Row {
  readonly id: string
  readonly category: string
  readonly amount: string
  readonly balance: string
  readonly title: string
  readonly orderNo: string | null
}

/** The funds page and the overview: their rows add up, end at the ledger's balance, and show no purchase as income. */
export async function checkFunds(robot: Robot): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await ledgerNow(robot)
    const funds = await robot.client.get('/user/funds')
    const summary = await robot.client.get('/user/fundsSummary')
    if (funds.code !== 200 || summary.code !== 200) return
    const after = await ledgerNow(robot)
    if (before === undefined || before !== after) continue
    compareFunds(robot, funds.data, before)
    compareSummary(robot, summary.data, before)
    return await compareOrders(robot, funds.data.rowList)
  }
}

/** The balance, below zero where something is owed; undefined while calls are under way. */
async function ledgerNow({ product, memory }: Robot): Promise<bigint | undefined> {
  const { open, unposted } = await inFlightOf(product.db, memory.userId)
  if (open || unposted) return undefined
  return (await accountOf(product.db, memory.userId)).reduce((sum, row) => (row.kind === 'customer' || row.kind === 'receivable' ? sum + row.folded : sum), 0n)
}

const report = (robot: Robot, rule: string, seen: bigint, expected: bigint): void => {
  if (seen !== expected) robot.report({ rule, subject: robot.memory.userId, seen: textOf(seen), expected: textOf(expected) })
}

function compareFunds(robot: Robot, { totals, rowList, next }: { totals: Record<string, string>; rowList: Row[]; next: string | null }, ledger: bigint): void {
  const of = (name: string): bigint => nanoOf(totals[name] ?? '0')
  report(
    robot,
    'the month’s totals come to its closing balance',
    of('opening') + of('topup') + of('refund') + of('reward') - of('spend') - of('card') - of('withdraw'),
    of('closing'),
  )
  report(robot, 'the funds page ends at the ledger’s balance', of('closing'), ledger)
  for (const [at, row] of rowList.entries()) {
    const older = rowList[at + 1]
    if (older) report(robot, 'each row of the funds page adds to the one before', nanoOf(older.balance) + nanoOf(row.amount), nanoOf(row.balance))
  }
  if (next === null)
    report(
      robot,
      'the rows of the funds page come to the month',
      rowList.reduce((sum, { amount }) => sum + nanoOf(amount), 0n),
      of('closing') - of('opening'),
    )
}

function compareSummary(robot: Robot, summary: Record<string, string>, ledger: bigint): void {
  const of = (name: string): bigint => nanoOf(summary[name] ?? '0')
  report(robot, 'money in is balance, spent, moved and out', of('added') - of('spent') - of('out') - of('chargeback'), ledger)
  report(robot, 'the overview’s balance is the ledger’s', of('balance'), ledger)
}

/** Only a top-up may stand as money that came in; an order of another type is a payment, or what came back of one. */
async function compareOrders(robot: Robot, rows: readonly Row[]): Promise<void> {
  const orders = new Map((await ordersOf(robot.product.db, robot.memory.userId)).map((order) => [order.order_no, order]))
  for (const { orderNo, category, amount, title } of rows) {
    const order = orderNo === null ? undefined : orders.get(orderNo)
    // a second payment, and one for an order that could not be delivered, are credited to the balance: these are top-ups
    if (
      !order ||
      order.paid_again ||
      order.state !== 'fulfilled' ||
      BY_BALANCE.has(order.order_type) ||
      order.order_type === 10 ||
      amount.startsWith('-') ||
      category === 'refund'
    )
      continue
    robot.report({
      rule: 'purchases are not shown as income',
      subject: robot.memory.userId,
      seen: `${orderNo}, an order of type ${order.order_type}, as "${title}" +${amount}`,
      expected: 'a payment',
    })
  }
}
