import { beforeAll, expect, test } from 'vitest'
import { createRandomCode } from '#platform/shared/ids.ts'
import { parseUsd, sumNano } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { listServiceSpecs, beginTask, readServicePrice } from '#features/services/server/door.ts'
import { transact } from '#platform/server/database/transact.ts'
import { features } from './features.ts'

// V6: free uses that one person can obtain with many accounts. None without a working card; with one, worth less than the card cost.
const db = await useTestDb()
const { deps } = createTestApp({ features, db })
const listFreeSpecs = () => listServiceSpecs().filter(({ quota }) => quota !== undefined)
/** Card prices in dollars, as in features/cards. */
const CARDS = { standard: '11.99', pro: '19.99' } as const
/** Free uses included with a card. */
const INCLUDED: Readonly<Record<string, Readonly<Record<keyof typeof CARDS, number>>>> = {
  numbers: { standard: 3, pro: 6 },
  email: { standard: 1, pro: 1 },
  remote: { standard: 3, pro: 6 },
  proxy: { standard: 0, pro: 0 },
}

beforeAll(async () => {
  for (const { start } of features) await start?.(deps, new Set(['api']))
})

async function aCard(
  userId: string,
  type: keyof typeof CARDS,
  { state, activated = true }: { readonly state: string; readonly activated?: boolean },
): Promise<void> {
  await db.owner.query(
    `insert into cards_cards (id, user_id, type, state, issuer, issuer_state, months, next_check_at, activated, opened_at, close_reason)
      values ($1, $2, $3, $4, 'sandbox', 'active', 24, now(), $5, now(), case when $4 = 'closed' then 'user' end)`,
    [`card_${createRandomCode(16).toLowerCase()}`, userId, type, state, activated],
  )
}
const readAllowed = async (userId: string) =>
  Object.fromEntries(await Promise.all(listFreeSpecs().map(async ({ name, quota }) => [name, (await quota!(deps, db, userId)).allowed] as const)))

test('every service with free uses states how many', () => {
  expect(
    listFreeSpecs()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(INCLUDED).sort())
})

test('V6: thirty accounts without a card that works get nothing', async () => {
  for (let n = 0; n < 30; n++) {
    const { userId } = await aUser(deps)
    if (n % 3 === 1) await aCard(userId, 'pro', { state: 'closed' })
    if (n % 3 === 2) await aCard(userId, 'standard', { state: 'opening', activated: false })
    expect(Object.values(await readAllowed(userId))).toEqual(listFreeSpecs().map(() => 0))
  }
})

test.each(Object.keys(CARDS) as (keyof typeof CARDS)[])('V6: the free uses of a %s card cost less than the card, at any number of cards', async (type) => {
  const { userId } = await aUser(deps)
  for (let n = 0; n < 3; n++) await aCard(userId, type, { state: 'active' })
  const uses = await readAllowed(userId)
  expect(uses).toEqual(Object.fromEntries(Object.entries(INCLUDED).map(([name, each]) => [name, each[type]])))
  const worth = await Promise.all(
    listFreeSpecs().map(async ({ name, prices }) => BigInt(uses[name]!) * (await readServicePrice(deps, name, Object.keys(prices)[0]!))),
  )
  expect(sumNano(worth)).toBeLessThan(parseUsd(CARDS[type]))
})

test('V6: free uses taken by ten calls at once are no more than there are', async () => {
  const { userId } = await aUser(deps)
  await aCard(userId, 'standard', { state: 'active' })
  const begin = () =>
    transact(db, { kind: 'user', id: userId }, async (tx) => {
      await tx.audit('service.built', `user:${userId}`)
      return beginTask(deps, tx, { service: 'numbers', userId, product: 'number', facts: { service: 'openai', country: 'US' } })
    })
  const begun = await Promise.allSettled(Array.from({ length: 10 }, begin))
  const taken = await db.query(`select 1 from services_tasks where user_id = $1 and free = 'taken'`, [userId])
  expect([begun.filter(({ status }) => status === 'fulfilled').length, taken.length]).toEqual([3, 3])
})
