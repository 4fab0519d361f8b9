import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { aPayingInvitee, endWaitingPeriods } from '#features/invitations/server/builders.ts'
import { expectRewardSums } from '#features/invitations/server/testing/invitation-helpers.ts'
import { createTestPayments } from '#features/payments/server/builders.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { isProcessAlive, persistThroughCrashes } from './persist.ts'

// L6 for rewards: the process is killed while a reward is created, becomes available, moves to the balance and is taken back. Each step
// happens once.
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
const POINTS = {
  arises: ['invitations.reconcile-before-commit', ...(KILLS > 1 ? ['invitations.reconcile-after-commit'] : [])],
  ripens: ['invitations.due-before-commit'],
  moves: ['invitations.move-before-commit'],
  goesBack: KILLS > 1 ? ['invitations.reconcile-before-commit', 'invitations.reconcile-after-commit'] : [],
}

let server: TestServer
let db: Db

beforeAll(async () => {
  server = await startTestServer({ roles: 'api,worker,sandbox', env: { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail' }, crashes: true })
  db = connect(server.databaseUrl, { max: 2, asOwner: true })
})
afterAll(async () => {
  await server?.stop()
  await db?.close()
})

const emitEvent = (event: string, userId: string) => transact(db, SYSTEM, (tx) => tx.emit(event, { userId }))
const selectRewardStates = async (inviterId: string) =>
  (await db.query<{ state: string }>('select state from invitations_rewards where inviter_id = $1 order by id', [inviterId])).map(({ state }) => state)
const waitForRewards = (inviterId: string, states: readonly string[]) =>
  persistThroughCrashes(server, async () => (JSON.stringify(await selectRewardStates(inviterId)) === JSON.stringify(states) ? true : undefined))

/**
 * Kills the process at each point in turn during `act`, which must complete in the end. Lost jobs are retried after a while; the tests repeat `act`
 * at once.
 */
async function killThroughPoints(points: readonly string[], act: () => Promise<unknown>): Promise<void> {
  for (const point of points) {
    server.crashAt(point)
    await act().catch(() => undefined)
    await waitForValue(() => !isProcessAlive(server.pid()), `a death at ${point}`)
    await server.restart()
  }
  await act().catch(() => undefined)
}

test.each(Array.from({ length: KILLS }, (_, at) => at + 1))('killed at every step of a reward, round %i: one reward, moved once, taken back once', async () => {
  const { token } = await registerByHttp(server)
  const [{ id: inviterId } = { id: '' }] = await db.query<{ id: string }>('select id from account_users order by created_at desc limit 1')
  const { inviteeId, orderNo } = await aPayingInvitee(db, inviterId)
  await killThroughPoints(POINTS.arises, () => emitEvent('order.paid', inviteeId))
  await waitForRewards(inviterId, ['pending'])

  await killThroughPoints(POINTS.ripens, () => endWaitingPeriods(db))
  await waitForRewards(inviterId, ['available'])

  const key = createId('key')
  const move = () => callPlatform(server, 'POST', { path: '/v1/fission/invitationRewardWithdraw', headers: { 'accessToken': token, 'idempotency-key': key } })
  await killThroughPoints(POINTS.moves, move)
  expect((await persistThroughCrashes(server, async () => move())).data).toEqual({ amount: '2', balance: '2' })
  expect(await selectRewardStates(inviterId)).toEqual(['paid'])

  await createTestPayments(db).refund(orderNo, 20_000_000_000n)
  await killThroughPoints(POINTS.goesBack, () => emitEvent('order.refunded', inviteeId))
  await waitForRewards(inviterId, ['clawed_back'])
  expect(await db.query(`select kind, amount_nano from invitations_entries where user_id = $1 order by id`, [inviterId])).toEqual([
    { kind: 'earned', amountNano: 2_000_000_000n },
    { kind: 'clawed_back', amountNano: -2_000_000_000n },
  ])
  await expectRewardSums(Object.assign(db, { owner: db }))
})
