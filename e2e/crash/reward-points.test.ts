import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { newId } from '#platform/shared/ids.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { until } from '#platform/testing/patience.ts'
import { bringPaying, ripenRewards } from '#features/invitations/server/builders.ts'
import { expectSums } from '#features/invitations/server/testing/inviting.ts'
import { cashOn } from '#features/payments/server/builders.ts'
import { callPlatform, register } from '../visitor.ts'
import { isAlive, persist } from './persist.ts'

// L6 for rewards: the process is killed where a reward arises, ripens, moves to the balance and is taken back. Each happens once.
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

const tell = (event: string, userId: string) => transact(db, SYSTEM, (tx) => tx.emit(event, { userId }))
const rewards = async (inviterId: string) =>
  (await db.query<{ state: string }>('select state from invitations_rewards where inviter_id = $1 order by id', [inviterId])).map(({ state }) => state)
const becomes = (inviterId: string, states: readonly string[]) =>
  persist(server, async () => (JSON.stringify(await rewards(inviterId)) === JSON.stringify(states) ? true : undefined))

/**
 * Kills the process at each point in turn during `act`, which must complete in the end. Lost jobs are retried after a while; the tests repeat `act`
 * at once.
 */
async function through(points: readonly string[], act: () => Promise<unknown>): Promise<void> {
  for (const point of points) {
    server.crashAt(point)
    await act().catch(() => undefined)
    await until(() => !isAlive(server.pid()), `a death at ${point}`)
    await server.restart()
  }
  await act().catch(() => undefined)
}

test.each(Array.from({ length: KILLS }, (_, at) => at + 1))('killed at every step of a reward, round %i: one reward, moved once, taken back once', async () => {
  const { token } = await register(server)
  const [{ id: inviterId } = { id: '' }] = await db.query<{ id: string }>('select id from account_users order by created_at desc limit 1')
  const { inviteeId, orderNo } = await bringPaying(db, inviterId)
  await through(POINTS.arises, () => tell('order.paid', inviteeId))
  await becomes(inviterId, ['pending'])

  await through(POINTS.ripens, () => ripenRewards(db))
  await becomes(inviterId, ['available'])

  const key = newId('key')
  const move = () => callPlatform(server, 'POST', '/v1/fission/invitationRewardWithdraw', {}, { 'accessToken': token, 'idempotency-key': key })
  await through(POINTS.moves, move)
  expect((await persist(server, async () => move())).data).toEqual({ amount: '2', balance: '2' })
  expect(await rewards(inviterId)).toEqual(['paid'])

  await cashOn(db).refund(orderNo, 20_000_000_000n)
  await through(POINTS.goesBack, () => tell('order.refunded', inviteeId))
  await becomes(inviterId, ['clawed_back'])
  expect(await db.query(`select kind, amount_nano from invitations_entries where user_id = $1 order by id`, [inviterId])).toEqual([
    { kind: 'earned', amount_nano: 2_000_000_000n },
    { kind: 'clawed_back', amount_nano: -2_000_000_000n },
  ])
  await expectSums(Object.assign(db, { owner: db }))
})
