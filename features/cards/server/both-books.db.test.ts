import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { testApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { postedOn, systemAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { takeDueNotices } from './authorisations/data.ts'
import { converge } from './authorisations/converge.ts'
import { workNotice } from './authorisations/work-notice.ts'
import { cards } from './index.ts'
import { standIn } from './issuers.ts'
import { compareDay } from './rules/book.ts'
import { closingRules, spendingLimits } from './settings.ts'
import { aCard } from './testing/carded.ts'
import { aSandboxIssuer, randomHistory, sendInto } from './vendors/sandbox/fake/index.ts'

const db = await useTestDb({ max: 10 })
const bank = await aSandboxIssuer({ send: sendInto(() => app.inject as never), decideWithinMs: 20_000 })
const app = testApp({ features: [cards, account, identity, notices, risk], db, env: { ...bank.env } })
const { deps } = app
const real = bank.issuer({ noticeUrl: () => 'http://localhost:3000/notify/card/sandbox' })
const issuer = real
standIn(deps, [issuer])

test('both books', async () => {
  await transact(db, SYSTEM, async (tx) => {
    await deps.settings.set(tx, closingRules, { ...closingRules.fallback, inRow: 1_000_000, from: 1_000_000 })
    await deps.settings.set(tx, spendingLimits, { ...spendingLimits.fallback, month: '1000000', house: '900000' })
  })
  const { holderRef } = await real.createHolder({
    key: 'h',
    firstName: 'A',
    lastName: 'B',
    email: 'a@b.co',
    birthDate: '1990-01-01',
    address: { line1: '1', city: 'P', state: 'OR', postalCode: '97204', country: 'US' },
  })
  const made = []
  const builder = {
    ...issuer,
    createCard: ({ key }: { key: string }) => real.createCard({ key, holderRef, type: 'standard', months: 24, monthlyCeiling: 100_000_000n }),
  }
  for (let n = 0; n < 4; n++) made.push(await aCard(deps, db, builder as never, { dollars: 4000 }))
  const refs = made.map(({ card }) => card.card_ref!)
  const t = performance.now()
  const counts = await randomHistory(Number(process.env['SEED'] ?? 5), Number(process.env['EVENTS'] ?? 600), {
    company: bank.company,
    cards: refs,
    faults: 0.05,
  })
  console.log(counts, ((performance.now() - t) / 1000).toFixed(1))
  await bank.deliver({ all: true })
  for (let round = 0; round < 4; round++) {
    await new Promise((done) => setTimeout(done, 1500))
    await db.owner.query(`update cards_notices set next_check_at = clock_timestamp() where done_at is null`)
    for (const row of await takeDueNotices(db, 10_000)) await workNotice(deps, row)
    await db.owner.query(`update cards_authorizations set release_at = clock_timestamp() - interval '1 second' where release_at is not null`)
    await db.owner.query(`update cards_authorizations set decided_at = clock_timestamp() - interval '1 minute' where decided_at is not null`)
    for (const { ref } of await db.query<{ ref: string }>(`select ref from cards_authorizations where next_check_at is not null`))
      await converge(deps, issuer, ref)
    const last = bank.company.now()
    for (let day = Date.now() - 86_400_000; day <= last + 86_400_000; day += 86_400_000)
      await compareDay(deps, issuer, new Date(day).toISOString().slice(0, 10))
  }
  const problems = (await verifyLedger(db)).problems.map(({ at_table, row_id, problem }) => `${at_table} ${row_id}: ${problem}`)
  expect(problems).toEqual([])
  let spent = 0n
  for await (const { kind, minor } of real.book(new Date(0), new Date(Date.now() + 1e12))) spent += kind === 'refund' ? -minor : minor
  console.log(await postedOn(db, systemAccount('issuer')), spent)
  expect(await postedOn(db, systemAccount('issuer'))).toBe(spent * (NANO_PER_USD / 100n))
  let held = 0n
  for (const ref of refs) for (const one of bank.company.store.ofCard('authorization', ref)) held += one.heldMinor
  const [ours] = await db.query<{ n: bigint }>(`select coalesce(sum(issuer_held), 0)::bigint as n from cards_authorizations`)
  expect(ours!.n).toBe(held * (NANO_PER_USD / 100n))
  const faults = []
  for (let day = Date.now() - 86_400_000; day <= bank.company.now() + 86_400_000; day += 86_400_000)
    faults.push(...(await compareDay(deps, issuer, new Date(day).toISOString().slice(0, 10))))
  expect(faults).toEqual([])
  expect(bank.verify()).toEqual({ total: 0n, wrong: [] })
  await bank.close()
})
