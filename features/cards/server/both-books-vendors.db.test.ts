import { afterAll, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { NANO_PER_CENT, NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readPostedBalance, systemAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { convergeAuthorization } from './authorisations/converge.ts'
import { compareCardBookDay } from './books/book.ts'
import { anActiveCard, aRecharge } from './builders.ts'
import { cards } from './index.ts'
import { workMove } from './money/work-moves.ts'
import { takeDueNotices } from './notices/data-notices.ts'
import { workNotice } from './notices/work-notice.ts'
import { closingRules, spendingLimits } from './settings.ts'
import { randomHistory } from './testing/card-history.ts'
import { aLithicIssuer } from './testing/play-lithic.ts'
import { aStripeIssuer } from './testing/play-stripe.ts'
import { sendInto } from './testing/sandbox-issuer.ts'
import { replaceIssuers } from './vendors/index.ts'

const EVENTS = chooseRounds(80, 600)
const DAY_MS = 86_400_000
const db = await useTestDb({ max: 10 })
const options = { send: sendInto(() => app.inject as never), decideWithinMs: PATIENCE_MS }
const all = [await aLithicIssuer(options), await aStripeIssuer(options)]
const app = createTestApp({ features: [cards, account, identity, notices, risk], db })
const { deps } = app
replaceIssuers(
  deps,
  all.map(({ issuer }) => issuer),
)
afterAll(() => Promise.all(all.map((played) => played.close())))

type PlayedVendor = (typeof all)[number]

async function aLoadedCard({ issuer }: PlayedVendor, holderRef: string, key: string): Promise<string> {
  const { userId } = await aUser(deps)
  await aFundedUser(db, { userId, purchased: 4000n * NANO_PER_USD })
  const made = await issuer.createCard({ key, holderRef, type: 'standard', months: 24, monthlyCeiling: 100_000_000n })
  const card = await anActiveCard(deps, { userId, issuer: issuer.name, made })
  await workMove(deps, await aRecharge(deps, card, 4000n * NANO_PER_USD))
  return made.cardRef
}

/** Makes everything due that waits for a time. */
async function advanceTime({ issuer, company }: PlayedVendor): Promise<void> {
  await db.owner.query(`update cards_notices set next_check_at = clock_timestamp() where done_at is null`)
  for (const row of await takeDueNotices(db, 100_000)) await workNotice(deps, row)
  await db.owner.query(`update cards_authorizations set release_at = clock_timestamp() - interval '1 second' where release_at is not null`)
  await db.owner.query(`update cards_authorizations set decided_at = clock_timestamp() - interval '1 minute' where decided_at is not null`)
  for (const { ref } of await db.query<{ ref: string }>(
    `select a.ref from cards_authorizations a join cards_cards c on c.id = a.card_id where a.next_check_at is not null and c.issuer = $1`,
    [issuer.name],
  ))
    await convergeAuthorization(deps, issuer, ref)
  for (let day = Date.now() - DAY_MS; day <= company.now() + DAY_MS; day += DAY_MS)
    await compareCardBookDay(deps, issuer, new Date(day).toISOString().slice(0, 10))
}

let spent = 0n
let held = 0n
test.each(all.map((played) => [played.issuer.name, played] as const))(
  `C3, C11: ${EVENTS} random events at the stand-in of %s, signed, through the notice route, a twentieth of them gone wrong: its book is ours`,
  async (_, played) => {
    const { issuer, company, bank } = played
    await transact(db, SYSTEM, async (tx) => {
      await deps.settings.set(tx, closingRules, { ...closingRules.fallback, inRow: 1_000_000, from: 1_000_000 })
      await deps.settings.set(tx, spendingLimits, { ...spendingLimits.fallback, month: '1000000', house: '900000' })
    })
    const address = { line1: '1 Main St', city: 'Portland', state: 'OR', postalCode: '97204', country: 'US' }
    const holder = { key: 'h', firstName: 'ANNA', lastName: 'BELL', email: 'a@b.co', phone: '+15035550100', birthDate: '1990-01-01', address }
    const { holderRef } = await issuer.createHolder(holder)
    const refs = [await aLoadedCard(played, holderRef, 'a'), await aLoadedCard(played, holderRef, 'b')]
    const seed = Math.floor(Math.random() * 2 ** 31)
    console.log(`both books of ${issuer.name}, seed ${seed}`)
    await randomHistory(seed, EVENTS, { company, cards: refs, faults: 0.05 })
    await bank.deliver({ all: true })
    for (let round = 0; round < 3; round++) await advanceTime(played)
    for await (const { kind, minor } of issuer.book(new Date(0), new Date(company.now() + DAY_MS))) spent += kind === 'refund' ? -minor : minor
    expect(await readPostedBalance(db, systemAccount('issuer'))).toBe(spent * NANO_PER_CENT)
    expect((await verifyLedger(db)).problems).toEqual([])
    for (const ref of refs) for (const one of company.store.ofCard('authorization', ref)) held += one.heldMinor
    const [ours] = await db.query<{ held: bigint }>('select coalesce(sum(issuer_held), 0)::bigint as held from cards_authorizations')
    expect(ours!.held).toBe(held * NANO_PER_CENT)
    expect(bank.verify()).toEqual({ total: 0n, wrong: [] })
  },
)
