import { expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { runOperatorCommand } from '#platform/testing/run-command.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, readDebt, verifyLedger } from '#features/wallet/server/door.ts'
import { aWithdrawal } from '../builders.ts'
import { createPayingApp } from '../testing/paying.ts'
import { debtCommands } from './commands.ts'

const { db, deps } = await createPayingApp()

test('a debt beside credit is found, shown before anything happens, and paid once', async () => {
  const userId = await aFundedUser(db)
  const poor = await aFundedUser(db, { purchased: parseUsd('60') })
  const cards = [`card:${userId}`, `card:${poor}`]
  for (const [n, owner] of cards.entries()) {
    await db.owner.query(
      `select wallet_post('card.spent', $1::text, jsonb_build_array(jsonb_build_object('debit_owner', $1::text, 'debit_kind', 'card', 'credit_owner', 'system',
      'credit_kind', 'issuer', 'amount', $2::text, 'owe', 'true')))`,
      [owner, String(parseUsd(n ? '70' : '30'))],
    )
  }
  const waits = await aWithdrawal(deps, { userId: poor, amount: '50' })
  // State of an older version, which did not pay card debts from the balance: adding the payer rows now leaves each debt beside credit.
  for (const [n, owner] of cards.entries())
    await db.owner.query('insert into wallet_payers (owner, payer) values ($1, $2)', [owner, `user:${[userId, poor][n]}`])
  expect((await verifyLedger(db)).problems.map(({ problem }) => problem)).toEqual(
    Array(2).fill('a debt stands beside credit that should have paid it (command debts.repair)'),
  )
  const { before, did, after } = await runOperatorCommand(deps, debtCommands, { name: 'debts.repair', sent: {} })
  expect(before).toEqual({ debtors: 2, payable: '40', waitingWithdrawals: 1 })
  expect(did).toEqual({ repaired: 2, paid: '40', stopped: waits })
  expect(after).toEqual({ debtors: 0, payable: '0', waitingWithdrawals: 1 })
  expect([(await readBalance(db, userId)).posted, await readDebt(db, userId), await readDebt(db, poor)]).toEqual([parseUsd('70'), 0n, parseUsd('60')])
  expect((await verifyLedger(db)).problems).toEqual([])
})
