import { beforeEach, expect, test } from 'vitest'
import { NANO_PER_USD, parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { runOperatorCommand } from '#platform/testing/run-command.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { payments } from '../index.ts'
import { grantCommands } from './commands.ts'

const db = await useTestDb()
const { deps } = createTestApp({ features: [payments, wallet, account, notices, risk], db })

let user: BuiltUser
beforeEach(async () => {
  user = await aUser(deps)
  await aFundedUser(db, { userId: user.userId, purchased: 20n * NANO_PER_USD })
})
const grant = (change: object = {}) =>
  runOperatorCommand(deps, grantCommands, { name: 'credit.grant', sent: { user: user.email, amount: '7.5', purpose: 'goodwill', days: 30, ...change } })
const lots = () =>
  db.query<{ amount: bigint; days: number }>(
    `select l.amount, round(extract(epoch from l.expires_at - now()) / 86400)::int as days from wallet_lots l join wallet_accounts a on a.id = l.account_id
    where a.owner = $1 and l.expires_at is not null order by l.id`,
    [`user:${user.userId}`],
  )

test('granted credit can be spent and never withdrawn, has its own end, and is our cost', async () => {
  const { subject, weight, before, after } = await grant()
  expect([subject, weight]).toEqual([`user:${user.userId}`, { userId: user.userId, amount: parseUsd('7.5') }])
  expect([before, after]).toEqual([
    { granted: '0', debt: '0' },
    { granted: '7.5', debt: '0' },
  ])
  const { available, withdrawable } = await readBalance(db, user.userId)
  expect([available, withdrawable]).toEqual([parseUsd('27.5'), parseUsd('20')])
  expect(await lots()).toEqual([{ amount: parseUsd('7.5'), days: 30 }])
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('two grants are two lots with their own ends, each recorded with operator, amount and purpose', async () => {
  await grant()
  await grant({ amount: '1', purpose: 'compensation', days: 2 })
  expect(await lots()).toEqual([
    { amount: parseUsd('7.5'), days: 30 },
    { amount: parseUsd('1'), days: 2 },
  ])
  const rows = await db.query(
    `select actor_id, data ->> 'amount' as amount, data ->> 'purpose' as purpose, data ->> 'days' as days, data ->> 'reason' as reason from audit_rows
    where action = 'credit.granted' and target = $1 order by id`,
    [`user:${user.userId}`],
  )
  const by = { actorId: 'op-test', reason: 'a reason of some length' }
  expect(rows).toEqual([
    { ...by, amount: '7.5', purpose: 'goodwill', days: '30' },
    { ...by, amount: '1', purpose: 'compensation', days: '2' },
  ])
})

test('a grant is refused for an unknown user, an amount of zero or less, days out of bounds or an unknown purpose', async () => {
  await expect(grant({ user: 'nobody@example.com' })).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
  for (const wrong of [{ amount: '0' }, { amount: '-1' }, { days: 0 }, { days: 731 }, { purpose: 'friendship' }]) await expect(grant(wrong)).rejects.toThrow()
  expect((await readBalance(db, user.userId)).available).toBe(parseUsd('20'))
})
