import { beforeAll, expect, test } from 'vitest'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { takeDueNotices } from './notices/data-notices.ts'
import { workNotice } from './notices/work-notice.ts'
import { anActiveCard, aRecharge } from './builders.ts'
import { selectCardById } from './cards/data.ts'
import { workCard } from './lifecycle/work-cards.ts'
import { cards } from './index.ts'
import { replaceIssuers } from './vendors/index.ts'
import { workMove } from './money/work-moves.ts'
import { readCardMoney } from './testing/funded-card.ts'
import { OPENAI } from '#stand-ins/card-network/desk.ts'
import { aSandboxIssuer, sendInto } from './testing/sandbox-issuer.ts'

// V5 at an issuer that behaves like the networks: a forced charge posts whatever the card's state.
const db = await useTestDb({ max: 10 })
const bank = await aSandboxIssuer({ send: sendInto(() => app.inject as never), decideWithinMs: PATIENCE_MS })
const app = createTestApp({ features: [cards, account, identity, notices, risk], db, env: { ...bank.env } })
const { deps } = app
const issuer = bank.issuer({ noticeUrl: () => 'http://localhost:3000/notify/card/sandbox' })
replaceIssuers(deps, [issuer])
beforeAll(async () => {
  await cards.start?.(deps, new Set())
})

async function processNotices(): Promise<void> {
  await bank.deliver({ all: true })
  await db.owner.query(`update cards_notices set next_check_at = clock_timestamp() where done_at is null`)
  for (const row of await takeDueNotices(db, 1000)) await workNotice(deps, row)
}

test('a card with a debt is declined by us from the first cent and by the issuer from the limit: we lose the limit and one forced capture', async () => {
  const { userId } = await aUser(deps)
  await aFundedUser(db, { userId, purchased: 25n * NANO_PER_USD })
  const address = { line1: '1 Main St', city: 'Portland', state: 'OR', postalCode: '97204', country: 'US' }
  const { holderRef } = await issuer.createHolder({ key: 'h', firstName: 'A', lastName: 'B', email: 'a@b.co', birthDate: '1990-01-01', address })
  const made = await issuer.createCard({ key: 'limit', holderRef, type: 'standard', months: 24, monthlyCeiling: 100_000_000n })
  const card = await anActiveCard(deps, { userId, issuer: issuer.name, made })
  await workMove(deps, await aRecharge(deps, card, 20n * NANO_PER_USD))
  const shop = { card: made.cardRef, merchant: OPENAI }
  const asks = (minor: bigint) => bank.authorize({ ...shop, minor })
  const owed = async () => (await readCardMoney(db, card.id)).owed / 100

  expect((await asks(1000n)).approved).toBe(true)
  bank.force({ ...shop, minor: 7400n })
  await processNotices()
  // 10 of the card are held for the shop's authorisation; the other 10 and 5 of the balance pay part of the 74
  expect([await owed(), (await asks(100n)).approved]).toEqual([59, false])
  // at the limit the card is frozen at the issuer, which declines when it cannot reach us
  await workCard(deps, card.id)
  expect(await selectCardById(db, card.id)).toMatchObject({ state: 'frozen', frozenBy: 'risk', issuerState: 'frozen' })
  expect((await issuer.card(made.cardRef)).state).toBe('frozen')
  bank.company.plan.decisions.push('lost')
  expect(await asks(100n)).toMatchObject({ approved: false, reason: 'card_frozen' })
  // forced captures post even on a frozen card: our loss is bounded by the limit plus such captures, which we owe the issuer
  bank.force({ ...shop, minor: 1500n })
  await processNotices()
  expect(await owed()).toBe(74)
  await aFundedUser(db, { userId, purchased: 80n * NANO_PER_USD })
  expect([await owed(), (await verifyLedger(db)).problems]).toEqual([0, []])
})
