import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import { newId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { testApp } from '#platform/testing/http.ts'
import { rounds } from '#platform/testing/rounds.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { invitations } from '../index.ts'
import { signalWeights } from '../settings.ts'
import { expectSums, inviting, USD } from '../testing/inviting.ts'

const db = await useTestDb({ max: 8 })
const signIn = defineFeature({ name: 'sign-in', authenticate: async (_deps, token) => ({ userId: token, sessionId: token }) })
const { call, deps } = testApp({ features: [invitations, payments, wallet, notices, signIn], db })
const { set, bring, pay, refund, dispute, endDispute, reconcile, ripen } = inviting(db, deps)
await set(signalWeights, { ...signalWeights.fallback, weights: {} })

interface Step {
  readonly what: string
  readonly who: number
  readonly dollars: number
}

const RUNS = Number(process.env['HISTORIES'] ?? rounds(30, 100_000))
const STEPS = 8
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('pay', 'pay', 'late', 'refund', 'refund', 'dispute', 'won', 'lost', 'ripen', 'ripen', 'move', 'again'),
  who: fc.nat(2),
  dollars: fc.integer({ min: 1, max: 9 }),
})

/** Where it hurts, once for sure: a reward that is available, taken back by a dispute, restored when that is won, then moved. */
const TAKEN_AND_RESTORED: Step[] = ['pay', 'ripen', 'dispute', 'won', 'ripen', 'move', 'refund', 'again'].map((what) => ({ what, who: 0, dollars: 9 }))

/** Three people brought by one: whatever they pay, take back and dispute, in whatever order and however often it is reported. */
async function history(steps: readonly Step[]): Promise<void> {
  const inviter = newId('usr')
  const people = await Promise.all([0, 1, 2].map(() => bring(inviter)))
  const orders: { no: string; left: number; disputed?: 'open' | 'over' }[][] = [[], [], []]
  for (const { what, who, dollars } of steps) {
    const [invitee, mine] = [people[who]!, orders[who]!]
    const free = mine.find((order) => order.left > 0 && !order.disputed)
    const open = mine.find((order) => order.disputed === 'open')
    if (what === 'pay' || what === 'late') mine.push({ no: await pay(invitee, BigInt(dollars) * USD, what === 'pay' ? 'credited' : 'late'), left: dollars })
    // the fen of these payments are made up: one refund and one dispute of an order fit into them
    if (what === 'refund' && free) {
      const part = Math.min(dollars, free.left)
      await refund(free.no, BigInt(part) * USD)
      free.left -= part
    }
    if (what === 'dispute' && free) {
      await dispute(free.no, BigInt(free.left) * USD)
      free.disputed = 'open'
    }
    if ((what === 'won' || what === 'lost') && open) {
      await endDispute(open.no, what === 'won')
      open.disputed = 'over'
      if (what === 'lost') open.left = 0
    }
    if (what === 'ripen') await ripen()
    if (what === 'move') await call('POST', '/v1/fission/invitationRewardWithdraw', {}, { token: inviter, idempotencyKey: newId('key') })
    await reconcile(invitee)
    if (what === 'again') await Promise.all([reconcile(invitee), reconcile(invitee)])
  }
}

test(`after ${RUNS} random histories with refunds and disputes every reward account is the sum of its rows`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  console.log(`seed ${seed}`)
  await db.query('set synchronous_commit = off')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), (steps) => history(steps)),
    { numRuns: RUNS, seed, endOnFailure: true, examples: [[TAKEN_AND_RESTORED]] },
  )
  await expectSums(db)
  const [{ taken, restored } = { taken: 0, restored: 0 }] = await db.query<{ taken: number; restored: number }>(
    `select (count(*) filter (where kind = 'clawed_back'))::int as taken, (count(*) filter (where kind = 'restored'))::int as restored from invitations_entries`,
  )
  expect(Math.min(taken, restored)).toBeGreaterThan(0)
})
