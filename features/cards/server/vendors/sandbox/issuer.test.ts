import { expect, test } from 'vitest'
import { aSandboxIssuer, OPENAI, randomHistory, rawOf } from './fake/index.ts'

const holder = {
  key: 'h1',
  firstName: 'SAN',
  lastName: 'ZHANG',
  email: 'a@example.com',
  birthDate: '1990-01-01',
  address: { line1: '1 Main St', city: 'Wilmington', state: 'DE', postalCode: '19801', country: 'US' },
}

test('a whole life', async () => {
  const seen: unknown[] = []
  const bank = await aSandboxIssuer({
    send: async (_url, headers, body) => {
      const notice = issuer.readNotice(rawOf(headers, body))
      seen.push(notice)
      if (notice?.kind === 'decide') return { status: 200, body: issuer.answer({ approved: true }).body as string }
      return { status: 200, body: 'ok' }
    },
  })
  const issuer = bank.issuer()
  const { holderRef } = await issuer.createHolder(holder)
  const card = await issuer.createCard({ key: 'c1', holderRef, type: 'standard', months: 36, monthlyCeiling: 1_000_000_000n })
  expect(await issuer.cardByKey('c1')).toEqual(card)
  expect(await issuer.load({ key: 'l1', cardRef: card.cardRef, minor: 10_000n, direction: 'load' })).toEqual({ status: 'done' })
  const auth = await bank.authorize({ card: card.cardRef, minor: 2_000n })
  expect(await issuer.authorization(auth.ref)).toMatchObject({ status: 'pending', approved: true, heldMinor: 2_000n })
  const txn = bank.capture(auth.ref, 2_100n)
  expect(await issuer.transaction(txn.ref)).toMatchObject({ kind: 'capture', minor: 2_100n, merchant: OPENAI, authorizationRef: auth.ref })
  bank.refund(txn.ref, 100n)
  expect(bank.balanceOf(card.cardRef)).toBe(8_000n)
  await bank.deliver()
  const rows = []
  for await (const row of issuer.book(new Date(0), new Date(Date.now() + 1e6))) rows.push(row)
  expect(rows.map(({ kind, minor }) => [kind, minor])).toEqual([
    ['capture', 2_100n],
    ['refund', 100n],
  ])
  const started = performance.now()
  const counts = await randomHistory(1, 20_000, { company: bank.company, cards: [card.cardRef] })
  console.log(counts, performance.now() - started)
  expect(bank.verify()).toEqual({ total: 0n, wrong: [] })
  await bank.close()
})
