import { expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { waitPastMidnight } from '#platform/testing/patience.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { pressCashier } from '../builders.ts'
import { selectOpenDiscrepancies } from './data.ts'
import { createPayingApp } from '../testing/paying.ts'
import { compareStatementDay, compareStatements, planStatements } from './compare-statements.ts'
import { queryDiscrepancyOrder, decideDiscrepancy } from './commands.ts'
import { workRefunds } from '../reconciling/reconcile.ts'
import { refundOrder } from '../orders/repair-order.ts'

const app = await createPayingApp()
const { db, deps, paid, open, dueNow, operator, stateOf, balance } = app
await waitPastMidnight()
const today = toShanghaiDay(Date.now())
const journal = async () => (await db.query<{ n: bigint }>('select count(*) as n from wallet_transfers'))[0]!.n
const again = async () => {
  await db.owner.query('delete from payments_faults')
  await db.query(`insert into payments_statements (channel_type, day, next_check_at) values (25, $1, now()) on conflict do nothing`, [today])
  return compareStatementDay(deps, 25, today)
}

test('a day that agrees has no faults; days are planned once and compared when they are due', async () => {
  const { orderNo } = await paid()
  await refundOrder(deps, operator, { orderNo, amount: parseUsd('5'), reason: 'test' })
  await dueNow()
  await workRefunds(deps)
  expect(await again()).toBe(0)
  await planStatements(deps)
  await planStatements(deps)
  expect(await db.query(`select 1 from payments_statements where channel_type = 25 and state = 'waiting'`)).toHaveLength(3)
  await compareStatements(deps)
  expect(await db.query(`select 1 from payments_statements where channel_type = 25 and state = 'waiting'`)).toHaveLength(0)
})

test('P9: a comparison finds an unreported payment, one that fits no order, and one of ours that they do not have', async () => {
  const lost = await open()
  await pressCashier(lost.params, 'silent')
  const strange = await open()
  await pressCashier(strange.params, 'silent')
  await db.query(`update payments_sandbox_trades set trade_no = 'NOBODY-1' where trade_no like $1`, [`${strange.orderNo}%`])
  const gone = await paid()
  await db.query(
    `update payments_sandbox_payments set paid_at = paid_at - interval '3 days' where token in (select token from payments_sandbox_trades where trade_no like $1)`,
    [`${gone.orderNo}%`],
  )
  const before = await journal()
  expect(await again()).toBe(3)
  expect(await journal()).toBe(before)
  const faults = await selectOpenDiscrepancies(db, 10)
  const fault = (trade: string) => faults.find(({ tradeNo }) => tradeNo.startsWith(trade))!
  const decide = async (trade: string, verdict: 'approved' | 'dismissed', why: string) =>
    decideDiscrepancy(deps, operator, { id: fault(trade).id, verdict, reason: why, answers: await queryDiscrepancyOrder(deps, fault(trade).id, verdict) })
  expect([fault(lost.orderNo).class, fault('NOBODY').class, fault(gone.orderNo).class]).toEqual(['extra', 'extra', 'missing'])

  expect(await decide(lost.orderNo, 'approved', 'seen')).toContain('fulfilled')
  expect([await stateOf(lost.orderNo), await balance(lost.userId)]).toEqual(['fulfilled', parseUsd('20')])
  expect(await decide('NOBODY', 'approved', 'nobody claims it')).toBe('approved: in suspense')
  const suspense = await db.query(`select posted from wallet_accounts where kind = 'suspense' and currency = 'CNY'`)
  expect(suspense).toEqual([{ posted: parseUsd('147.45') }])
  expect(await decide(gone.orderNo, 'dismissed', 'their file is wrong')).toBe('dismissed')
  await expect(decide('NOBODY', 'approved', 'twice')).rejects.toThrow('ORDER_NOT_FOUND')
  expect(await selectOpenDiscrepancies(db, 10)).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
})
