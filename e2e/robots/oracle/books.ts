import type { Robot } from '../acts/act.ts'
import { checkFunds } from './funds.ts'
import { issuerBook } from './issuer-book.ts'
import { nanoOf, textOf } from './price.ts'
import { accountOf, cardsOf, inFlightOf } from './data.ts'
import type { AccountRow } from './data.ts'

/** A request that found other books before and after it is asked again: money was moving. */
const TRIES = 6

/** Everything about one person's money, after each act: the pages' figures against the ledger's rows, and these against each other. */
export async function checkAccount(robot: Robot): Promise<void> {
  await checkRows(robot)
  await checkBalance(robot)
  await checkFunds(robot)
  await checkCards(robot)
}

const report = ({ report: tell, memory }: Robot, rule: string, seen: unknown, expected: unknown): void => {
  if (String(seen) !== String(expected)) tell({ rule, subject: memory.userId, seen: String(seen), expected: String(expected) })
}

/** An account's balance is what its rows come to, and what is held is what its open holds come to. */
async function checkRows(robot: Robot): Promise<void> {
  for (const { kind, posted, folded, held, holds } of await accountOf(robot.product.db, robot.memory.userId)) {
    report(robot, `the ${kind} account is the sum of its entries`, posted, folded)
    report(robot, `what is held of ${kind} is the sum of the open holds`, held, holds)
  }
}

const sumOf = (rows: readonly AccountRow[], kind: string, column: 'posted' | 'held' = 'posted'): bigint =>
  rows.reduce((sum, row) => (row.kind === kind ? sum + row[column] : sum), 0n)

/** The balance that pages show is the ledger's, less calls that are charged and wait for their entry. */
async function checkBalance(robot: Robot): Promise<void> {
  const { db } = robot.product
  const { userId } = robot.memory
  for (let tries = 0; tries < TRIES; tries++) {
    const [before, flying] = [await accountOf(db, userId), await inFlightOf(db, userId)]
    const { code, data } = await robot.client.get('/v1/userWrapperApi/balanceInfo')
    const [after, still] = [await accountOf(db, userId), await inFlightOf(db, userId)]
    if (code !== 200) return
    if (JSON.stringify([before, flying], plain) !== JSON.stringify([after, still], plain)) continue
    const posted = sumOf(after, 'customer')
    // a charge is an entry within 100 ms; until then the page may know it already
    if (nanoOf(data.balance) !== posted - flying.unposted) report(robot, 'the balance on pages is the ledger’s', data.balance, textOf(posted))
    // debt of the balance only: each card has its own
    const owed = sumOf(
      after.filter(({ owner }) => owner.startsWith('user:')),
      'receivable',
    )
    if (flying.open === 0) report(robot, 'what is owed on pages is the ledger’s', nanoOf(data.owed), -owed)
    if (flying.open === 0 && nanoOf(data.balance) !== nanoOf(data.available) + nanoOf(data.held))
      report(robot, 'balance = available + held', data.balance, `${data.available} + ${data.held}`)
    return
  }
}
const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

interface ShownCard {
  readonly id: string
  readonly state: string
  readonly owed: string
  readonly billingAddress: { readonly line1: string; readonly postalCode: string } | null
}

/** Compares the debt on a card's page with the ledger, if the page shows the same before and after the ledger is read. */
async function checkCardDebts(robot: Robot, shown: readonly ShownCard[]): Promise<void> {
  const accounts = await accountOf(robot.product.db, robot.memory.userId)
  const { data } = await robot.client.get('/card/list')
  const still = new Map((data.rowList as ShownCard[]).map(({ id, owed }) => [id, owed]))
  for (const { id, owed } of shown.filter((card) => still.get(card.id) === card.owed)) {
    const of = accounts.filter(({ owner }) => owner === `card:${id}`)
    report(robot, 'what a card owes on pages is the ledger’s', nanoOf(owed), -sumOf(of, 'receivable'))
  }
}

/** Compares each card's page with the issuer's own book. */
async function checkCards(robot: Robot): Promise<void> {
  const { code, data } = await robot.client.get('/card/list')
  if (code !== 200) return
  const rows = new Map((await cardsOf(robot.product.db, robot.memory.userId)).map((card) => [card.id, card]))
  await checkCardDebts(robot, data.rowList as ShownCard[])
  for (const card of data.rowList as ShownCard[]) {
    const row = rows.get(card.id)
    if (!row?.card_ref || card.state === 'closed' || card.billingAddress === null) continue
    const book = issuerBook(robot.product.issuer, row.card_ref)
    if (!book) continue
    report(
      robot,
      'the billing address on the page is the issuer’s',
      `${card.billingAddress.line1}, ${card.billingAddress.postalCode}`,
      `${book.address.line1}, ${book.address.postalCode}`,
    )
  }
}
