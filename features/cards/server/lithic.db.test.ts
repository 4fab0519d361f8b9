import { expect, test } from 'vitest'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { decideAuthorization } from './authorisations/decide.ts'
import { anActiveCard, aRecharge } from './builders.ts'
import { cards } from './index.ts'
import { replaceIssuers } from './vendors/index.ts'
import { workMove } from './money/work-moves.ts'
import { readCardMoney } from './testing/funded-card.ts'
import { aLithicIssuer } from './testing/play-lithic.ts'

const db = await useTestDb()
const { deps } = createTestApp({ features: [cards, account, identity, notices, risk], db })
const played = await aLithicIssuer({ decideWithinMs: PATIENCE_MS })
const { issuer, bank } = played
replaceIssuers(deps, [issuer])

test('C3: at an issuer that names neither questions nor increments, what is added is held or refused, and a repeat is neither', async () => {
  const { userId } = await aUser(deps)
  await aFundedUser(db, { userId, purchased: 50n * NANO_PER_USD })
  const address = { line1: '1 Main St', city: 'Portland', state: 'OR', postalCode: '97204', country: 'US' }
  const { holderRef } = await issuer.createHolder({
    key: 'h',
    firstName: 'A',
    lastName: 'B',
    email: 'a@b.co',
    phone: '+15035550100',
    birthDate: '1990-01-01',
    address,
  })
  const made = await issuer.createCard({ key: 'k', holderRef, type: 'standard', months: 24, monthlyCeiling: 100_000_000n })
  const card = await anActiveCard(deps, { userId, issuer: issuer.name, made })
  await workMove(deps, await aRecharge(deps, card, 50n * NANO_PER_USD))
  played.hear((notice) =>
    notice?.kind === 'decide'
      ? decideAuthorization(deps, issuer, { eventId: notice.eventId, asked: notice.asked, deadlineMs: PATIENCE_MS })
      : { approved: true },
  )

  const { ref } = await bank.authorize({ card: made.cardRef, minor: 100n })
  await bank.increment(ref, 90_000n)
  expect(await issuer.authorization(ref)).toMatchObject({ approved: true, heldMinor: 100n })
  expect(await readCardMoney(db, card.id)).toMatchObject({ held: 100 })
  await bank.increment(ref, 2_000n)
  expect(await readCardMoney(db, card.id)).toMatchObject({ held: 2_100 })
  // the same bodies delivered again
  for (const raw of [...played.sent]) {
    const notice = issuer.readNotice(raw)
    if (notice?.kind === 'decide')
      expect(await decideAuthorization(deps, issuer, { eventId: notice.eventId, asked: notice.asked, deadlineMs: PATIENCE_MS })).toMatchObject({
        approved: notice.asked.minor !== 90_000n,
      })
  }
  expect(await readCardMoney(db, card.id)).toMatchObject({ held: 2_100 })
  // Lithic has no partial approval, so one becomes a decline
  expect(issuer.answer({ approved: true, minor: 100n }).body).toContain('INSUFFICIENT_FUNDS')
  await played.close()
})
