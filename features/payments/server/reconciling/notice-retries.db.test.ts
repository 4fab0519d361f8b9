import { expect, test } from 'vitest'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { createRealChannels } from '../testing/real-channels.ts'

// W7: our side is slow, fails or crashes during a notice; the channel resends it on its schedule.
const { db, clock, firsts, open, stateOf, balance, send } = await createRealChannels()
await db.owner.query('create table test_broken (trade_no text primary key)')
await db.owner.query('grant select on test_broken to mingxi_app')
await db.owner.query(`create function test_break() returns trigger language plpgsql as $$ begin
  if exists (select from test_broken where trade_no = new.trade_no) then raise exception 'the disk is full'; end if; return new; end $$`)
await db.owner.query('create trigger test_break after insert on payments_receipts for each row execute function test_break()')

/** Holds an order's row lock, as a slow concurrent transaction would, until the work is done. */
async function whileLocked(orderNo: string, work: () => Promise<void>): Promise<void> {
  await transact(db.owner, SYSTEM, async (tx) => {
    await tx.query('select 1 from payments_orders where order_no = $1 for update', [orderNo])
    await work()
    await tx.audit('test.held', `order:${orderNo}`)
  })
}
const selectBlockedSessions = () =>
  db.owner.query<{ pid: number }>(`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`)
const expectBlockedSession = () => expect.poll(async () => (await selectBlockedSessions()).length, { interval: 10 }).toBeGreaterThan(0)

test.each(firsts)('W7: a notice of %s is credited once though its handler is slow, fails or dies', async (_, { fake, ...road }) => {
  let credits = 0
  for (let round = 0; round < chooseRounds(2, 17); round++) {
    for (const way of ['slow', 'fails', 'dies'] as const) {
      const { userId, orderNo, tradeNo } = await open({ fake, ...road })
      if (way === 'fails') {
        await db.owner.query('insert into test_broken values ($1)', [tradeNo])
        await fake.pay(tradeNo)
        await fake.deliver()
        expect([way, await stateOf(orderNo), await balance(userId)]).toEqual([way, 'paying', 0n])
        await db.owner.query('delete from test_broken')
      } else {
        let told: Promise<unknown> = Promise.resolve()
        await fake.pay(tradeNo)
        await whileLocked(orderNo, async () => {
          told = Promise.all([fake.deliver(), ...(way === 'slow' ? [send(fake, fake.notice(tradeNo)), send(fake, fake.notice(tradeNo))] : [])])
          await expectBlockedSession()
          if (way === 'dies') for (const { pid } of await selectBlockedSessions()) await db.owner.query('select pg_terminate_backend($1)', [pid])
        })
        await told
      }
      // Resends on the channel's schedule until it gives up.
      let minutes = 0
      for (; minutes < 90 && (await balance(userId)) === 0n; minutes++) {
        clock.advance(60_000)
        await fake.deliver()
      }
      clock.advance(-60_000 * minutes) // The database's clock did not move.
      expect([way, await stateOf(orderNo), await balance(userId)]).toEqual([way, 'fulfilled', parseUsd('20')])
      expect((await send(fake, fake.notice(tradeNo))).status).toBe(200)
      expect(await balance(userId)).toBe(parseUsd('20'))
      credits++
    }
  }
  expect(credits).toBe(3 * chooseRounds(2, 17))
})

test('each was credited once, and the ledger adds up', async () => {
  const twice = await db.query('select order_id from payments_receipts group by order_id having count(*) <> 1')
  expect(twice).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
  // Concurrent notices of one order wait for each other; none is rejected and resent a second later.
  expect(await db.owner.query('select deadlocks from pg_stat_database where datname = current_database()')).toEqual([{ deadlocks: 0n }])
})
