import type { Robot } from '../acts/act.ts'
import { checkFundsPages } from './funds.ts'
import { findIssuerCard } from './issuer-book.ts'
import { parseOracleNano, formatOracleNano } from './price.ts'
import { selectAccountRows, selectUserCards, selectInFlight } from './data.ts'
import type { AccountRow } from './data.ts'

/** A comparison is repeated if the books changed during it, because money was moving. */
const MAX_ATTEMPTS = 6

/** Checks one person's money after each act: the pages' figures against the ledger's rows, and the figures against each other. */
export async function checkRobotAccount(robot: Robot): Promise<void> {
  await checkRows(robot)
  await checkBalance(robot)
  await checkFundsPages(robot)
  await checkCards(robot)
}

const report = ({ report: tell, memory }: Robot, rule: string, { seen, expected }: { readonly seen: unknown; readonly expected: unknown }): void => {
  if (String(seen) !== String(expected)) tell({ rule, subject: memory.userId, seen: String(seen), expected: String(expected) })
}

/** Checks that an account's balance equals the sum of its rows, and its held amount the sum of its open holds. */
async function checkRows(robot: Robot): Promise<void> {
  for (const { kind, posted, folded, held, holds } of await selectAccountRows(robot.product.db, robot.memory.userId)) {
    report(robot, `the ${kind} account is the sum of its entries`, { seen: posted, expected: folded })
    report(robot, `what is held of ${kind} is the sum of the open holds`, { seen: held, expected: holds })
  }
}

const sumOf = (rows: readonly AccountRow[], kind: string, column: 'posted' | 'held' = 'posted'): bigint =>
  rows.reduce((sum, row) => (row.kind === kind ? sum + row[column] : sum), 0n)

/** Checks that the balance on pages equals the ledger's, minus calls that are charged but not yet posted. */
async function checkBalance(robot: Robot): Promise<void> {
  const { db } = robot.product
  const { userId } = robot.memory
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const [before, flying] = [await selectAccountRows(db, userId), await selectInFlight(db, userId)]
    const { code, data } = await robot.client.get('/v1/userWrapperApi/balanceInfo')
    const [after, still] = [await selectAccountRows(db, userId), await selectInFlight(db, userId)]
    if (code !== 200) return
    if (JSON.stringify([before, flying], bigintToString) !== JSON.stringify([after, still], bigintToString)) continue
    const posted = sumOf(after, 'customer')
    // a charge is posted within 100 ms; until then the page may include it already
    if (parseOracleNano(data.balance) !== posted - flying.unposted)
      report(robot, 'the balance on pages is the ledger’s', { seen: data.balance, expected: formatOracleNano(posted) })
    // debt of the balance only, because each card has a separate debt
    const owed = sumOf(
      after.filter(({ owner }) => owner.startsWith('user:')),
      'receivable',
    )
    if (flying.open === 0) report(robot, 'what is owed on pages is the ledger’s', { seen: parseOracleNano(data.owed), expected: -owed })
    if (flying.open === 0 && parseOracleNano(data.balance) !== parseOracleNano(data.available) + parseOracleNano(data.held))
      report(robot, 'balance = available + held', { seen: data.balance, expected: `${data.available} + ${data.held}` })
    return
  }
}
const bigintToString = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

interface ShownCard {
  readonly id: string
  readonly state: string
  readonly owed: string
  readonly billingAddress: { readonly line1: string; readonly postalCode: string } | null
}

/** Compares the debt on a card's page with the ledger, if the page shows the same before and after the ledger is read. */
async function checkCardDebts(robot: Robot, shown: readonly ShownCard[]): Promise<void> {
  const accounts = await selectAccountRows(robot.product.db, robot.memory.userId)
  const { data } = await robot.client.get('/card/list')
  const still = new Map((data.rowList as ShownCard[]).map(({ id, owed }) => [id, owed]))
  for (const { id, owed } of shown.filter((card) => still.get(card.id) === card.owed)) {
    const of = accounts.filter(({ owner }) => owner === `card:${id}`)
    report(robot, 'what a card owes on pages is the ledger’s', { seen: parseOracleNano(owed), expected: -sumOf(of, 'receivable') })
  }
}

/** Compares each card's page with the issuer's own book. */
async function checkCards(robot: Robot): Promise<void> {
  const { code, data } = await robot.client.get('/card/list')
  if (code !== 200) return
  const rows = new Map((await selectUserCards(robot.product.db, robot.memory.userId)).map((card) => [card.id, card]))
  await checkCardDebts(robot, data.rowList as ShownCard[])
  for (const card of data.rowList as ShownCard[]) {
    const row = rows.get(card.id)
    if (!row?.cardRef || card.state === 'closed' || card.billingAddress === null) continue
    const book = findIssuerCard(robot.product.issuer, row.cardRef)
    if (!book) continue
    report(robot, 'the billing address on the page is the issuer’s', {
      seen: `${card.billingAddress.line1}, ${card.billingAddress.postalCode}`,
      expected: `${book.address.line1}, ${book.address.postalCode}`,
    })
  }
}
