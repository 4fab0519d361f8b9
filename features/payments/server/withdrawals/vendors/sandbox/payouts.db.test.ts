import { useTestDb } from '#platform/testing/db.ts'
import { definePayoutSuite } from '../../../testing/payout-suite.ts'
import type { PayoutTools } from '../port.ts'
import { turnPayout } from './data.ts'
import { sandbox } from './index.ts'

definePayoutSuite('sandbox', async () => {
  const db = await useTestDb()
  const tools: PayoutTools = { now: () => new Date(), query: (text, values) => db.query(text, values) as Promise<never[]> }
  return {
    payout: sandbox.connect({})!,
    tools,
    arrange: (fate) => `${fate}@sandbox.example`,
    mend: () => {},
    turn: (payoutNo, end) => turnPayout(tools, payoutNo, end),
    book: async (payoutNo) =>
      (await db.query<{ minor: bigint }>('select minor from payments_sandbox_payouts where payout_no = $1', [payoutNo])).map(({ minor }) => minor),
  }
})
