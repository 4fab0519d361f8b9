import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import { definePayoutSuite } from '../../../testing/payout-suite.ts'
import type { SupplierTools } from '../port.ts'
import { turnPayout } from './data.ts'
import { sandbox } from './index.ts'

const db = await useTestDb()
const tools: SupplierTools = { ...aSupplierTools(), query: (text, values) => db.query(text, values) as Promise<never[]> }
const payout = sandbox.connect({})!

definePayoutSuite('sandbox', async () => {
  return {
    payout,
    tools,
    arrange: (fate) => `${fate}@sandbox.example`,
    mend: () => {},
    turn: (payoutNo, end) => turnPayout(tools, payoutNo, end),
    book: async (payoutNo) =>
      (await db.query<{ minor: bigint }>('select minor from payments_sandbox_payouts where payout_no = $1', [payoutNo])).map(({ minor }) => minor),
  }
})

test('a pending payout ends by itself: it is paid after two days', async () => {
  const call = { payoutNo: 'W20261130-AAAAAAAAAAAA', minor: 1000n, account: 'pending@sandbox.example', name: '王小明', identityNumber: '', title: '' }
  expect(await payout.send(tools, call)).toEqual({ status: 'pending' })
  const age = (days: number) =>
    db.query(`update payments_sandbox_payouts set created_at = now() - make_interval(days => $2) where payout_no = $1`, [call.payoutNo, days])
  await age(1)
  expect(await payout.query(tools, call.payoutNo)).toEqual({ status: 'pending' })
  await age(3)
  expect(await payout.query(tools, call.payoutNo)).toMatchObject({ status: 'paid' })
})
