import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAULTS } from '#stand-ins/kit/server.ts'
import { OPEN_PLATFORMS } from '../../words.ts'
import { issuerRegistry } from './index.ts'
import { aLithicIssuer } from '../testing/play-lithic.ts'
import type { HolderCall, IssuerCard, IssuerNotice } from './port.ts'
import { IssuerRefusal } from './port.ts'
import { HOTEL, OPENAI, PRAGUE } from '#stand-ins/card-network/desk.ts'
import { aPlayedSandbox } from '../testing/play-sandbox.ts'
import type { Played } from '../testing/played.ts'
import { aStripeIssuer } from '../testing/play-stripe.ts'

const PLAYED: Readonly<Record<string, (options?: { decideWithinMs?: number }) => Promise<Played>>> = {
  stripe: aStripeIssuer,
  lithic: aLithicIssuer,
  sandbox: aPlayedSandbox,
}
const DAY_MS = 86_400_000
const CEILING = 500_000n

const holderCall = (key: string): HolderCall => ({
  key,
  firstName: 'XIUWEN',
  lastName: 'OUYANG',
  email: `${key}@example.com`,
  phone: '+8613800000000',
  birthDate: '1990-02-03',
  address: { line1: '8200 Demo St', line2: 'Suite 410B', city: 'Portland', state: 'OR', postalCode: '97204', country: 'US' },
})

let counter = 0
const fresh = (word: string) => `${word}-${++counter}`

async function aCard({ issuer }: Played): Promise<IssuerCard> {
  const { holderRef } = await issuer.createHolder(holderCall(fresh('holder')))
  return issuer.createCard({ key: fresh('card'), holderRef, type: 'standard', months: 24, monthlyCeiling: CEILING })
}
/** Approves every decision request and records it. */
function sayYes(played: Played): IssuerNotice[] {
  const heard: IssuerNotice[] = []
  played.hear((notice) => {
    if (notice) heard.push(notice)
    return { approved: true }
  })
  return heard
}

test('every vendor of the registry has a stand-in, and its names are used once', () => {
  expect(issuerRegistry.vendors.map(({ name }) => name).toSorted()).toEqual(Object.keys(PLAYED).toSorted())
  for (const { name, platform } of issuerRegistry.vendors) {
    expect(name).toMatch(/^[a-z0-9-]+$/)
    expect(OPEN_PLATFORMS).toContain(platform)
  }
})

describe.each(Object.entries(PLAYED))('%s', (name, open) => {
  let played: Played
  let card: IssuerCard
  beforeAll(async () => {
    played = await open()
    card = await aCard(played)
  })
  afterAll(() => played.close())
  const { supports } = { supports: { partial: name !== 'lithic', increments: name !== 'lithic' } }

  test('C1: one key makes one card, whatever is lost', async () => {
    const { issuer } = played
    const { holderRef } = await issuer.createHolder(holderCall(fresh('holder')))
    const call = { key: fresh('card'), holderRef, type: 'pro', months: 12, monthlyCeiling: 1_000n } as const
    expect(await issuer.cardByKey(call.key)).toBeUndefined()
    played.misbehave('reset-after')
    await expect(issuer.createCard(call)).rejects.not.toBeInstanceOf(IssuerRefusal)
    played.behave()
    const found = await issuer.cardByKey(call.key)
    expect(found).toMatchObject({ state: 'active' })
    expect(await issuer.createCard(call)).toEqual(found)
    expect(await issuer.card(found!.cardRef)).toEqual(found)
    const ends = new Date()
    expect(found).toMatchObject({ expYear: ends.getUTCFullYear() + 1, expMonth: ends.getUTCMonth() + 1 })
    expect(await issuer.cardByKey(fresh('nobody'))).toBeUndefined()
    await expect(issuer.card('nothing')).rejects.toBeInstanceOf(IssuerRefusal)
  })

  test('C1: a key twenty times at once is one card', async () => {
    const { issuer } = played
    const { holderRef } = await issuer.createHolder(holderCall(fresh('holder')))
    const call = { key: fresh('card'), holderRef, type: 'standard', months: 12, monthlyCeiling: 1_000n } as const
    const made = await Promise.all(Array.from({ length: 20 }, () => issuer.createCard(call)))
    expect(new Set(made.map(({ cardRef }) => cardRef)).size).toBe(1)
  })

  test('C3: an authorisation asks, holds, grows and clears', async () => {
    const { issuer, bank } = played
    const heard = sayYes(played)
    const made = await bank.authorize({ card: card.cardRef, minor: 2_000n })
    expect(heard).toEqual([
      {
        kind: 'decide',
        eventId: expect.stringMatching(/./),
        asked: { ref: made.ref, cardRef: card.cardRef, minor: 2_000n, increment: false, partialAllowed: false, merchant: OPENAI },
      },
    ])
    const before = await issuer.authorization(made.ref)
    expect(before).toMatchObject({
      ref: made.ref,
      cardRef: card.cardRef,
      status: 'pending',
      approved: true,
      heldMinor: 2_000n,
      approvedMinor: 2_000n,
      reversals: 0,
    })
    expect(before.merchant).toEqual(OPENAI)
    expect(before.reason).toBeUndefined()
    await bank.increment(made.ref, 500n)
    expect(heard.at(-1)).toMatchObject({ kind: 'decide', asked: { ref: made.ref, minor: 500n, increment: supports.increments } })
    expect(await issuer.authorization(made.ref)).toMatchObject({ heldMinor: 2_500n, approvedMinor: 2_500n })
    const part = bank.capture(made.ref, 1_000n, { more: true })
    expect(await issuer.authorization(made.ref)).toMatchObject({ status: 'pending', heldMinor: 1_500n })
    const rest = bank.capture(made.ref, 1_800n)
    expect(await issuer.authorization(made.ref)).toMatchObject({ status: 'closed', approved: true, heldMinor: 0n, approvedMinor: 2_500n, reversals: 0 })
    for (const [one, minor] of [
      [part, 1_000n],
      [rest, 1_800n],
    ] as const)
      expect(await issuer.transaction(played.refOf(one))).toMatchObject({
        ref: played.refOf(one),
        cardRef: card.cardRef,
        authorizationRef: made.ref,
        kind: 'capture',
        minor,
        merchant: OPENAI,
      })
  })

  test('C3: reversals, in part and whole; a reversed one is never captured', async () => {
    const { issuer, bank } = played
    sayYes(played)
    const { ref } = await bank.authorize({ card: card.cardRef, minor: 3_000n })
    bank.reverse(ref, 1_000n)
    expect(await issuer.authorization(ref)).toMatchObject({ status: 'pending', heldMinor: 2_000n, approvedMinor: 3_000n, reversals: 1 })
    bank.reverse(ref)
    expect(await issuer.authorization(ref)).toMatchObject({ status: 'reversed', heldMinor: 0n, approved: true, reversals: 2 })
    expect(() => bank.capture(ref, 1n)).toThrow('not_open')
  })

  test('C3: an expired authorisation is captured, and so are declined ones and those without a question', async () => {
    const { issuer, bank } = played
    sayYes(played)
    const { ref } = await bank.authorize({ card: card.cardRef, minor: 700n, merchant: HOTEL })
    bank.expire(ref)
    expect(await issuer.authorization(ref)).toMatchObject({ status: 'expired', heldMinor: 0n, approved: true, reversals: 0 })
    const late = bank.capture(ref, 700n)
    expect(await issuer.transaction(played.refOf(late))).toMatchObject({ kind: 'capture', authorizationRef: ref, minor: 700n, merchant: HOTEL })
    played.hear(() => ({ approved: false, reason: 'insufficient_funds' }))
    const no = await bank.authorize({ card: card.cardRef, minor: 900n })
    expect(await issuer.authorization(no.ref)).toMatchObject({
      status: 'closed',
      approved: false,
      reason: 'insufficient_funds',
      heldMinor: 0n,
      approvedMinor: 0n,
    })
    const taken = bank.capture(no.ref, 900n)
    expect(await issuer.transaction(played.refOf(taken))).toMatchObject({ kind: 'capture', authorizationRef: no.ref, minor: 900n })
    const forced = bank.force({ card: card.cardRef, minor: 321n })
    const found = await issuer.transaction(played.refOf(forced))
    expect(found).toMatchObject({ kind: 'capture', minor: 321n })
    expect(found.authorizationRef).toBeUndefined()
  })

  test('C3: refunds with and without a payment, and one that is taken back', async () => {
    const { issuer, bank } = played
    sayYes(played)
    const { ref } = await bank.authorize({ card: card.cardRef, minor: 1_200n })
    const taken = bank.capture(ref, 1_200n)
    const given = bank.refund(taken.ref, 200n)
    expect(await issuer.transaction(played.refOf(given))).toMatchObject({ kind: 'refund', minor: 200n, authorizationRef: ref })
    const back = bank.reverseRefund(given.ref)
    expect(await issuer.transaction(played.refOf(back))).toMatchObject({ kind: 'refund_reversal', minor: 200n })
    const alone = bank.unlinkedRefund({ card: card.cardRef, minor: 55n })
    const found = await issuer.transaction(played.refOf(alone))
    expect(found).toMatchObject({ kind: 'refund', minor: 55n })
    expect(found.authorizationRef).toBeUndefined()
  })

  test('C3: abroad: what the merchant asked for in its own money; what is cleared may differ', async () => {
    const { issuer, bank } = played
    const heard = sayYes(played)
    const local = { minor: 20_900n, currency: 'CZK' }
    const { ref } = await bank.authorize({ card: card.cardRef, minor: 890n, merchant: PRAGUE, local })
    expect(heard[0]).toMatchObject({ kind: 'decide', asked: { local, merchant: { country: 'CZ' } } })
    const cleared = bank.capture(ref, 903n)
    expect(await issuer.transaction(played.refOf(cleared))).toMatchObject({ minor: 903n, local, merchant: PRAGUE })
  })

  test('C3: a verification holds nothing', async () => {
    const { issuer, bank } = played
    const heard = sayYes(played)
    const { ref } = await bank.authorize({ card: card.cardRef, minor: 0n })
    expect(heard[0]).toMatchObject({ kind: 'decide', asked: { minor: 0n } })
    expect(await issuer.authorization(ref)).toMatchObject({ approved: true, heldMinor: 0n, approvedMinor: 0n })
  })

  test('C3: less than was asked for is approved, where that is allowed', async () => {
    const { issuer, bank } = played
    played.hear((notice) => (notice?.kind === 'decide' && notice.asked.partialAllowed ? { approved: true, minor: 400n } : { approved: true }))
    const { ref } = await bank.authorize({ card: card.cardRef, minor: 1_000n, partialAllowed: true })
    expect(await issuer.authorization(ref)).toMatchObject({ approved: true, heldMinor: supports.partial ? 400n : 1_000n })
    expect(issuer.supports.partial).toBe(supports.partial)
  })

  test('C4: no answer, a late one and a broken one decline', async () => {
    const { issuer, bank } = played
    played.hear(() => undefined)
    const silent = await bank.authorize({ card: card.cardRef, minor: 100n })
    expect(await issuer.authorization(silent.ref)).toMatchObject({ approved: false, reason: 'no_answer', status: 'closed' })
    let answered: (() => void) | undefined
    played.hear(
      () =>
        new Promise((done) => {
          answered = () => done({ approved: true })
        }),
    )
    const late = await bank.authorize({ card: card.cardRef, minor: 100n })
    answered!()
    expect(await issuer.authorization(late.ref)).toMatchObject({ approved: false, reason: 'no_answer', heldMinor: 0n })
  })

  test('C6: a card that may not pay is refused there, and we are not asked', async () => {
    const { issuer, bank } = played
    const other = await aCard(played)
    const heard = sayYes(played)
    expect(await issuer.setCardState(other.cardRef, 'frozen', fresh('freeze'))).toMatchObject({ state: 'frozen' })
    const one = await bank.authorize({ card: other.cardRef, minor: 100n })
    expect(await issuer.authorization(one.ref)).toMatchObject({ approved: false, reason: 'card_frozen' })
    expect(await issuer.setCardState(other.cardRef, 'frozen', fresh('freeze'))).toMatchObject({ state: 'frozen' })
    await issuer.setCardState(other.cardRef, 'active', fresh('thaw'))
    const over = await bank.authorize({ card: other.cardRef, minor: CEILING + 1n })
    expect(await issuer.authorization(over.ref)).toMatchObject({ approved: false, reason: 'issuer_rule' })
    expect(await issuer.authorization((await bank.authorize({ card: other.cardRef, minor: 1n, wrongDetails: true })).ref)).toMatchObject({
      reason: 'wrong_details',
    })
    await issuer.setCardState(other.cardRef, 'closed', fresh('close'))
    const closed = await bank.authorize({ card: other.cardRef, minor: 100n })
    expect(await issuer.authorization(closed.ref)).toMatchObject({ approved: false, reason: 'card_closed' })
    await expect(issuer.setCardState(other.cardRef, 'active', fresh('thaw'))).rejects.toBeInstanceOf(IssuerRefusal)
    expect(heard.filter(({ kind }) => kind === 'decide')).toEqual([])
    const given = bank.unlinkedRefund({ card: other.cardRef, minor: 10n })
    expect(await issuer.transaction(played.refOf(given))).toMatchObject({ kind: 'refund', minor: 10n })
  })

  test('C6: a card that is frozen while the question is open is not charged', async () => {
    const { issuer, bank } = played
    const other = await aCard(played)
    played.hear(() => {
      bank.setState(other.cardRef, 'frozen')
      return { approved: true }
    })
    const { ref } = await bank.authorize({ card: other.cardRef, minor: 100n })
    expect(await issuer.authorization(ref)).toMatchObject({ approved: false, heldMinor: 0n })
  })

  test('a capture is disputed once, won and lost', async () => {
    const { issuer, bank } = played
    sayYes(played)
    const taken = [bank.force({ card: card.cardRef, minor: 500n }), bank.force({ card: card.cardRef, minor: 600n })]
    const call = (index: number, key: string) => ({
      key,
      transactionRef: played.refOf(taken[index]!),
      minor: taken[index]!.minor,
      reason: 'not_as_described' as const,
      words: '收到的不是说好的',
      file: { name: 'bill.pdf', type: 'application/pdf', body: Buffer.from('%PDF-1.7') },
    })
    const key = fresh('dispute')
    const opened = await issuer.openDispute(call(0, key))
    expect(opened).toMatchObject({ status: 'submitted', minor: 500n })
    expect(await issuer.openDispute(call(0, key))).toEqual(opened)
    await expect(issuer.openDispute(call(0, fresh('dispute')))).rejects.toBeInstanceOf(IssuerRefusal)
    bank.settleDispute(opened.ref, 'won')
    expect(await issuer.dispute(opened.ref)).toMatchObject({ status: 'won', credited: true })
    const second = await issuer.openDispute({ ...call(1, fresh('dispute')), reason: 'canceled' })
    bank.settleDispute(second.ref, 'lost')
    expect(await issuer.dispute(second.ref)).toMatchObject({ status: 'lost', credited: false })
  })

  test('money is loaded and unloaded by key', async () => {
    const { issuer } = played
    const key = fresh('load')
    expect(await issuer.load({ key, cardRef: card.cardRef, minor: 5_000n, direction: 'load' })).toEqual({ status: 'done' })
    expect(await issuer.load({ key, cardRef: card.cardRef, minor: 5_000n, direction: 'load' })).toEqual({ status: 'done' })
    expect(await issuer.loadByKey(key)).toEqual({ status: 'done' })
  })

  test('W4, W6: notices name what to query, and only under their own signature', async () => {
    const { bank } = played
    const heard = sayYes(played)
    await bank.deliver({ all: true })
    heard.length = 0
    const { ref } = await bank.authorize({ card: card.cardRef, minor: 100n })
    const taken = bank.capture(ref, 100n)
    bank.setState(card.cardRef, 'frozen')
    bank.setState(card.cardRef, 'active')
    await bank.deliver()
    const named = heard.map(({ kind, ...rest }) => [kind, 'ref' in rest ? rest.ref : ''])
    expect(named).toContainEqual(['transaction', played.refOf(taken)])
    expect(named).toContainEqual(['card', card.cardRef])
    if (name !== 'lithic') expect(named).toContainEqual(['authorization', ref])
    expect(new Set(heard.map(({ eventId }) => eventId)).size).toBe(heard.length)
    const [decision] = played.sent.filter((one) => played.issuer.readNotice(one)?.kind === 'decide').slice(-1)
    for (const notice of [played.sent.at(-1)!, decision!]) {
      expect(played.issuer.readNotice(notice)).toBeDefined()
      for (const [how, forged] of Object.entries(played.forgeries(notice))) expect(played.issuer.readNotice(forged), how).toBeUndefined()
    }
    expect(played.issuer.acknowledge().status).toBe(200)
  })

  test('S6: every fault of the line is an unknown outcome, reported without secrets', async () => {
    const { issuer, bank } = played
    sayYes(played)
    const { ref } = await bank.authorize({ card: card.cardRef, minor: 100n })
    for (const fault of FAULTS.filter((one) => !one.startsWith('hang') && one !== 'bad-signature')) {
      if (fault === 'error-code' && name === 'sandbox') continue
      played.misbehave(fault)
      for (const work of [
        () => issuer.card(card.cardRef),
        () => issuer.setCardState(card.cardRef, 'active', fresh('state')),
        () => issuer.authorization(ref),
      ]) {
        const error = await work().then(
          () => undefined,
          (thrown: unknown) => thrown as Error,
        )
        expect(error, fault).toBeInstanceOf(Error)
        expect(error, fault).not.toBeInstanceOf(IssuerRefusal)
        expect(`${error!.message} ${JSON.stringify(error)} ${error!.stack}`).not.toMatch(/of_the_fake|fake-lithic-key|Bearer/)
      }
      played.behave()
    }
    expect(await issuer.card(card.cardRef)).toEqual({ ...card, state: 'active' })
  })

  test('C11: the book has every transaction once, oldest first, whatever the page', async () => {
    const { issuer, bank } = played
    const rows = []
    for await (const row of issuer.book(new Date(0), new Date(Date.now() + DAY_MS))) rows.push(row)
    expect(rows.length).toBeGreaterThan(8)
    expect(new Set(rows.map(({ ref }) => ref)).size).toBe(rows.length)
    expect(rows.map(({ at }) => at.getTime())).toEqual(rows.map(({ at }) => at.getTime()).toSorted((one, other) => one - other))
    for (const row of rows) expect(await issuer.transaction(row.ref)).toEqual(row)
    for await (const row of issuer.book(new Date(Date.now() + DAY_MS), new Date(Date.now() + 2 * DAY_MS))) expect(row).toBeUndefined()
    expect(bank.verify()).toEqual({ total: 0n, wrong: [] })
  })

  test('S1, S2: a frame shows the number; nothing that we read ever holds it', async () => {
    const { issuer, bank } = played
    const call = { cardRef: card.cardRef, origin: 'https://platform.example', lang: 'zh', theme: 'dark' } as const
    if (name === 'stripe')
      expect(await issuer.reveal(call)).toMatchObject({ form: 'elements', ephemeralKey: '', script: expect.stringMatching(/^https:\/\/js\.stripe\.com\//) })
    const frame = await issuer.reveal({ ...call, nonce: 'made in the browser' })
    const left = frame.expiresAt.getTime() - Date.now()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(60_000)
    expect(frame.form).toBe(name === 'stripe' ? 'elements' : 'frame')
    const { number, cvv } = bank.secretsOf(card.cardRef)
    const rows = []
    for await (const row of issuer.book(new Date(0), new Date(Date.now() + DAY_MS))) rows.push(row)
    const known = [frame, await issuer.card(card.cardRef), rows, played.sent.map(({ body, headers }) => [body.toString(), headers]), played.asked()]
    const text = JSON.stringify(known, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    expect(text).not.toContain(number)
    expect(text).not.toContain(number.replace(/(.{4})(?=.)/g, '$1 '))
    expect(text).not.toMatch(new RegExp(`"cvv":"?${cvv}`))
    expect(text).not.toMatch(/expand.{0,8}(number|cvc)/)
    expect(JSON.stringify(frame)).not.toMatch(/sk_test|fake-lithic-key/)
  })
})
