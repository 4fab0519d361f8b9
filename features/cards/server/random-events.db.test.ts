import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { prepareStatements } from '#platform/testing/one-transaction.ts'
import { account } from '#features/account/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createSettings } from '#platform/server/settings.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { lockCard } from './cards/data.ts'
import { cards } from './index.ts'
import { replaceIssuers } from './vendors/index.ts'
import { startUnload, startRecharge } from './money/start-move.ts'
import { workMove } from './money/work-moves.ts'
import { compareCardBookDay } from './books/book.ts'
import { closingRules, spendingLimits } from './settings.ts'
import { FOREIGN_MERCHANT, createBookIssuer, HOME_MERCHANT } from './testing/book-issuer.ts'
import { CARD_EVENT_COUNT } from './testing/counts.ts'
import { randomOf } from './testing/card-history.ts'
import { aFundedCard, createDecisionCaller, auditBooks, deliverNotices, advanceWaitingWork } from './testing/funded-card.ts'

const db = await useTestDb({ max: 10 })
for (const pool of [db, db.owner]) prepareStatements(pool)
const clock = createRunningClock()
const { deps } = createTestApp({ features: [cards, account, identity, notices, risk], db, clock, overrides: { settings: createSettings(db.settingsDb) } })
const issuer = createBookIssuer()
issuer.now = () => clock.now()
replaceIssuers(deps, [issuer])
const ask = createDecisionCaller(deps, issuer)

test(`${CARD_EVENT_COUNT} random events, a twentieth of them gone wrong, in any order: the issuer's book is ours to the cent`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  console.log(`random events, seed ${seed}`)
  const random = randomOf(seed)
  const roll = (below: number) => Math.floor(random() * below)
  const oneIn20 = () => roll(20) === 0
  // No rule closes or freezes the cards: they live through all events.
  await transact(db, SYSTEM, async (tx) => {
    await deps.settings.set(tx, closingRules, { ...closingRules.fallback, inRow: 1_000_000, from: 1_000_000 })
    await deps.settings.set(tx, spendingLimits, { ...spendingLimits.fallback, month: '1000000', house: '900000' })
  })
  const made = []
  for (let n = 0; n < 5; n++) made.push(await aFundedCard(deps, db, { issuer, options: { dollars: 200 } }))
  for (const { user } of made) await aFundedUser(db, { userId: user.userId, purchased: 1_000_000n * NANO_PER_USD })
  await db.owner.query(`alter database ${new URL(db.url).pathname.slice(1)} set synchronous_commit = off`)
  let open: Awaited<ReturnType<typeof issuer.authorize>>[] = []

  const started = Date.now()
  for (let event = 0; event < CARD_EVENT_COUNT; event++) {
    if (event && event % 1000 === 0) console.log(`${event} events, ${Math.round((Date.now() - started) / 1000)} s`)
    const { card } = made[roll(made.length)]!
    const ref = card.cardRef!
    const minor = BigInt(1 + roll(6000))
    open = open.filter((auth) => auth.status === 'pending')
    const auth = open[roll(Math.max(1, open.length))]
    if (oneIn20()) issuer.faults.ask = ['lost']
    if (oneIn20()) issuer.faults.load = [(['lost', 'dead', 'refused'] as const)[roll(3)]!]
    switch (roll(12)) {
      case 0:
      case 1:
      case 2:
        open.push(
          await issuer.authorize(ref, minor, {
            merchant: roll(3) ? HOME_MERCHANT : FOREIGN_MERCHANT,
            partial: roll(4) === 0,
            ...(oneIn20() ? {} : { decide: ask }),
            ...(oneIn20() ? { overrule: roll(2) === 0 } : {}),
          }),
        )
        break
      case 3:
        if (auth) await issuer.authorize(auth.cardRef, minor / 4n + 1n, { decide: ask, again: auth })
        break
      case 4:
      case 5:
        if (auth && auth.held > 0n) issuer.capture(auth, roll(4) ? auth.held : auth.held + minor, roll(3) > 0)
        break
      case 6:
        if (auth && auth.held > 1n) issuer.reverse(auth, roll(2) ? auth.held : auth.held / 2n)
        break
      case 7:
        if (auth) issuer.expire(auth)
        break
      case 8:
        issuer.post(ref, 'refund', minor / 3n + 1n)
        break
      case 9:
        issuer.post(ref, roll(4) ? 'capture' : 'refund_reversal', minor / 5n + 1n, roll(2) ? HOME_MERCHANT : FOREIGN_MERCHANT)
        break
      case 10:
      case 11:
        await move(card.id, minor, roll(3) === 0)
        break
    }
    if (roll(6) === 0) {
      // Some notices are lost, some arrive twice, all in random order.
      await deliverNotices(deps, issuer, (all) => [...all, ...all].filter(() => roll(10) < 6).toSorted(() => roll(3) - 1))
    }
  }
  await deliverNotices(deps, issuer)
  issuer.faults.ask = issuer.faults.load = []
  for (const { id } of await db.query<{ id: string }>('select id from cards_moves where finished_at is null')) await workMove(deps, id)
  await advanceWaitingWork(deps, db, issuer)
  for (const day of new Set([...issuer.transactions.values()].map(({ at }) => at.toISOString().slice(0, 10)))) {
    await compareCardBookDay(deps, issuer, day)
    expect(await compareCardBookDay(deps, issuer, day)).toEqual([])
  }
  await advanceWaitingWork(deps, db, issuer)
  expect(await auditBooks(db, issuer)).toEqual([])
  // Our holds equal the issuer's, as far as the card covers them, and so do the balances, except for our own fees.
  const [sums] = await db.query<{ held: bigint; uncovered: bigint }>(
    'select sum(held)::bigint as held, sum(uncovered)::bigint as uncovered from cards_authorizations',
  )
  const [cardsHold] = await db.query<{ held: bigint; uncovered: bigint }>(
    `select (select sum(held)::bigint from wallet_accounts where kind = 'card') as held, (select sum(uncovered)::bigint from cards_cards) as uncovered`,
  )
  expect(sums).toEqual(cardsHold)
  const [months] = await db.query<{ spent: bigint; counted: bigint }>(
    `select (select sum(spent)::bigint from cards_months) as spent, (select sum(counted)::bigint from cards_authorizations)
      + (select coalesce(sum(amount), 0)::bigint from cards_transactions where kind = 'capture' and authorization_id is null) as counted`,
  )
  expect(months!.spent).toBe(months!.counted)
  expect(await db.query(`select posted from wallet_accounts where kind = 'in_transit' and posted <> 0`)).toEqual([])
})

/** Moves money on or off a card, as a member would. */
async function move(cardId: string, minor: bigint, isOff: boolean): Promise<void> {
  const amount = minor * (NANO_PER_USD / 100n)
  const started = await transact(db, SYSTEM, async (tx) => {
    const card = await lockCard(tx, cardId)
    await tx.audit('card.moved', `card:${cardId}`)
    return isOff ? startUnload(tx, card, { kind: 'withdrawal', amount }) : startRecharge(tx, card, { amount, fee: 0n, channelType: 5 })
  }).catch(() => undefined)
  if (started) await workMove(deps, started.id)
}
