import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { account } from '#features/account/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readPostedBalance, systemAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { convergeAuthorization } from './authorisations/converge.ts'
import { takeDueNotices } from './notices/data-notices.ts'
import { workNotice } from './notices/work-notice.ts'
import { anActiveCard, aRecharge } from './builders.ts'
import { cards } from './index.ts'
import { replaceIssuers } from './vendors/index.ts'
import { workMove } from './money/work-moves.ts'
import { compareCardBookDay } from './books/book.ts'
import { closingRules, spendingLimits } from './settings.ts'
import { randomHistory } from './testing/card-history.ts'
import { aSandboxIssuer, sendInto } from './testing/sandbox-issuer.ts'

const EVENTS = chooseRounds(150, 20_000)
const DAY_MS = 86_400_000
const db = await useTestDb({ max: 10 })
const bank = await aSandboxIssuer({ send: sendInto(() => app.inject as never), decideWithinMs: PATIENCE_MS })
const app = createTestApp({ features: [cards, account, identity, notices, risk], db, env: { ...bank.env } })
const { deps } = app
const issuer = bank.issuer({ noticeUrl: () => 'http://localhost:3000/notify/card/sandbox' })
replaceIssuers(deps, [issuer])

async function aLoadedCard(holderRef: string, key: string): Promise<string> {
  const { userId } = await aUser(deps)
  await aFundedUser(db, { userId, purchased: 4000n * NANO_PER_USD })
  const made = await issuer.createCard({ key, holderRef, type: 'standard', months: 24, monthlyCeiling: 100_000_000n })
  const card = await anActiveCard(deps, { userId, issuer: issuer.name, made })
  await workMove(deps, await aRecharge(deps, card, 4000n * NANO_PER_USD))
  return made.cardRef
}

/** Makes everything due that waits for a time. */
async function advanceTime(): Promise<void> {
  await db.owner.query(`update cards_notices set next_check_at = clock_timestamp() where done_at is null`)
  for (const row of await takeDueNotices(db, 100_000)) await workNotice(deps, row)
  await db.owner.query(`update cards_authorizations set release_at = clock_timestamp() - interval '1 second' where release_at is not null`)
  await db.owner.query(`update cards_authorizations set decided_at = clock_timestamp() - interval '1 minute' where decided_at is not null`)
  for (const { ref } of await db.query<{ ref: string }>(`select ref from cards_authorizations where next_check_at is not null`))
    await convergeAuthorization(deps, issuer, ref)
  for (let day = Date.now() - DAY_MS; day <= bank.company.now() + DAY_MS; day += DAY_MS)
    await compareCardBookDay(deps, issuer, new Date(day).toISOString().slice(0, 10))
}

test(`C3, C11: ${EVENTS} random events at the sandbox issuer, through the notice route, with 5 % faults: its book is ours`, async () => {
  await transact(db, SYSTEM, async (tx) => {
    await deps.settings.set(tx, closingRules, { ...closingRules.fallback, inRow: 1_000_000, from: 1_000_000 })
    await deps.settings.set(tx, spendingLimits, { ...spendingLimits.fallback, month: '1000000', house: '900000' })
  })
  const address = { line1: '1 Main St', city: 'Portland', state: 'OR', postalCode: '97204', country: 'US' }
  const { holderRef } = await issuer.createHolder({ key: 'h', firstName: 'A', lastName: 'B', email: 'a@b.co', birthDate: '1990-01-01', address })
  const refs: string[] = []
  for (const key of ['a', 'b', 'c']) refs.push(await aLoadedCard(holderRef, key))
  const seed = Math.floor(Math.random() * 2 ** 31)
  console.log(`both books, seed ${seed}`)
  await randomHistory(seed, EVENTS, { company: bank.company, cards: refs, faults: 0.05 })
  await bank.deliver({ all: true })
  for (let round = 0; round < 3; round++) await advanceTime()
  let spent = 0n
  for await (const { kind, minor } of issuer.book(new Date(0), new Date(bank.company.now() + DAY_MS))) spent += kind === 'refund' ? -minor : minor
  expect(await readPostedBalance(db, systemAccount('issuer'))).toBe(spent * (NANO_PER_USD / 100n))
  expect((await verifyLedger(db)).problems).toEqual([])
  let held = 0n
  for (const ref of refs) for (const one of bank.company.store.ofCard('authorization', ref)) held += one.heldMinor
  const [ours] = await db.query<{ held: bigint }>('select coalesce(sum(issuer_held), 0)::bigint as held from cards_authorizations')
  expect(ours!.held).toBe(held * (NANO_PER_USD / 100n))
})
