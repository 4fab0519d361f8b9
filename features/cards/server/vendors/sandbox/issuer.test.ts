import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IssuerRefusal } from '../port.ts'
import type { Issuer, IssuerNotice } from '../port.ts'
import { luhnDigit } from '#stand-ins/card-network/cards.ts'
import { HOTEL, OPENAI } from '#stand-ins/card-network/desk.ts'
import { nextMonth } from '#stand-ins/card-network/subscriptions.ts'
import { randomHistory } from '../../testing/card-history.ts'
import { aSandboxIssuer, rawOf, sendInto } from '../../testing/sandbox-issuer.ts'
import type { SandboxIssuer, SandboxIssuerOptions } from '../../testing/sandbox-issuer.ts'

const DAY_MS = 86_400_000
let counter = 0
const fresh = () => `key-${++counter}`

/** An issuer whose platform approves everything and keeps what it hears. */
async function approving(options: SandboxIssuerOptions = {}) {
  const heard: IssuerNotice[] = []
  const raws: { headers: Readonly<Record<string, string>>; body: string; known: boolean }[] = []
  const bank: SandboxIssuer = await aSandboxIssuer({
    send: async (_url, headers, body) => {
      const notice = issuer.readNotice(rawOf(headers, body))
      raws.push({ headers, body, known: notice !== undefined })
      if (!notice) return { status: 400, body: '' }
      heard.push(notice)
      return { status: 200, body: notice.kind === 'decide' ? String(issuer.answer({ approved: true }).body) : 'ok' }
    },
    ...options,
  })
  const issuer = bank.issuer()
  return { bank, issuer, heard, raws }
}

async function aCard(issuer: Issuer, { email = 'a@example.com', months = 24, ceiling = 1_000_000_000n } = {}) {
  const { holderRef } = await issuer.createHolder({
    key: fresh(),
    firstName: 'XIUWEN',
    lastName: 'OUYANG',
    email,
    birthDate: '1990-01-01',
    address: { line1: '1 Demo St', city: 'Portland', state: 'OR', postalCode: '97204', country: 'US' },
  })
  return issuer.createCard({ key: fresh(), holderRef, type: 'standard', months, monthlyCeiling: ceiling })
}

describe('cards and loads', () => {
  let house: Awaited<ReturnType<typeof approving>>
  beforeAll(async () => {
    house = await approving()
  })
  afterAll(() => house.bank.close())

  test('numbers pass Luhn, lie in a test range and are each used once', async () => {
    const { bank, issuer } = house
    const numbers = new Set<string>()
    for (let made = 0; made < 50; made++) {
      const card = await aCard(issuer)
      const { number, cvv } = bank.secretsOf(card.cardRef)
      expect(number).toMatch(/^400000\d{10}$/)
      expect(luhnDigit(number.slice(0, -1))).toBe(number.at(-1))
      expect(cvv).toMatch(/^\d{3}$/)
      expect(card).toMatchObject({ bin: number.slice(0, 6), last4: number.slice(-4) })
      numbers.add(number)
    }
    expect(numbers.size).toBe(50)
    expect(luhnDigit('400000000000000')).toBe('2')
  })

  test('a key is one change: repeated it gets the same answer, with another body it is refused', async () => {
    const { bank, issuer } = house
    const card = await aCard(issuer)
    const call = { key: fresh(), cardRef: card.cardRef, minor: 900n, direction: 'load' } as const
    expect(await Promise.all(Array.from({ length: 20 }, () => issuer.load(call)))).toEqual(Array.from({ length: 20 }, () => ({ status: 'done' })))
    expect(bank.balanceOf(card.cardRef)).toBe(900n)
    expect(await issuer.load({ ...call, minor: 901n })).toEqual({ status: 'refused', reason: 'key_was_used' })
    expect(bank.balanceOf(card.cardRef)).toBe(900n)
  })

  test('money that is not there does not come off, and a key that was refused stays refused', async () => {
    const { bank, issuer } = house
    const card = await aCard(issuer)
    const key = fresh()
    const off = { key, cardRef: card.cardRef, minor: 100n, direction: 'unload' } as const
    expect(await issuer.load(off)).toEqual({ status: 'refused', reason: 'more_than_is_there' })
    await issuer.load({ key: fresh(), cardRef: card.cardRef, minor: 500n, direction: 'load' })
    expect(await issuer.load(off)).toEqual({ status: 'refused', reason: 'more_than_is_there' })
    expect(await issuer.loadByKey(key)).toMatchObject({ status: 'refused' })
    expect(await issuer.load({ ...off, key: fresh() })).toEqual({ status: 'done' })
    expect(bank.balanceOf(card.cardRef)).toBe(400n)
    await issuer.setCardState(card.cardRef, 'closed', fresh())
    expect(await issuer.load({ key: fresh(), cardRef: card.cardRef, minor: 1n, direction: 'load' })).toMatchObject({ status: 'refused' })
    expect(await issuer.load({ key: fresh(), cardRef: card.cardRef, minor: 400n, direction: 'unload' })).toEqual({ status: 'done' })
  })

  test('magic sums: refused, late, lost on either side of the effect', async () => {
    const { bank, issuer } = house
    const { cardRef } = await aCard(issuer)
    const load = (minor: bigint, key = fresh()) => issuer.load({ key, cardRef, minor, direction: 'load' })
    expect(await load(151n)).toMatchObject({ status: 'refused' })
    const [late, never] = [fresh(), fresh()]
    expect(await load(152n, late)).toEqual({ status: 'pending' })
    expect(await load(153n, never)).toEqual({ status: 'pending' })
    expect(bank.balanceOf(cardRef)).toBe(0n)
    await bank.advance(4_000)
    expect(await issuer.loadByKey(late)).toEqual({ status: 'done' })
    expect(await issuer.loadByKey(never)).toMatchObject({ status: 'refused' })
    expect(bank.balanceOf(cardRef)).toBe(152n)
    const [lost, before] = [fresh(), fresh()]
    await expect(load(154n, lost)).rejects.toThrow()
    expect(await issuer.loadByKey(lost)).toEqual({ status: 'done' })
    await expect(load(155n, before)).rejects.toThrow('500')
    expect(await issuer.loadByKey(before)).toEqual({ status: 'not_found' })
    expect(await load(155n, before)).toEqual({ status: 'done' })
    expect(await load(154n, lost)).toEqual({ status: 'done' })
    expect(bank.balanceOf(cardRef)).toBe(152n + 154n + 155n)
  })

  test('magic addresses: a card that takes its time, one that fails, one whose answer is lost', async () => {
    const { bank, issuer, heard } = house
    const slow = await aCard(issuer, { email: 'a+opening@example.com' })
    expect(slow.state).toBe('opening')
    await bank.advance(6_000)
    expect((await issuer.card(slow.cardRef)).state).toBe('active')
    await bank.deliver()
    expect(heard.filter((notice) => notice.kind === 'card' && notice.cardRef === slow.cardRef)).toHaveLength(2)
    expect(await aCard(issuer, { email: 'a+failed@example.com' })).toMatchObject({ state: 'failed', reason: 'holder_not_accepted' })
    await expect(aCard(issuer, { email: 'a+lost@example.com' })).rejects.toThrow()
  })

  test('another token opens nothing, and requests without one are refused', async () => {
    const { bank } = house
    const other = await aSandboxIssuer({ secretKeys: [Buffer.alloc(32, 9)] })
    await expect(other.issuer({}, bank.url).card('card_1')).rejects.toThrow('401')
    for (const path of ['/v1/book?from=0&to=9999999999999', '/v1/standing', '/v1/cards/x']) expect((await fetch(bank.url + path)).status).toBe(401)
    await other.close()
  })

  test('the book cannot be changed by hand', () => {
    const { bank } = house
    expect(bank.verify()).toEqual({ total: 0n, wrong: [] })
    expect(() => bank.company.store.post(0, 'card:x', 'card:x', 1n, 'load', 'x')).toThrow()
    expect(() => bank.company.store.post(0, 'program', 'card:x', 0n, 'load', 'x')).toThrow()
  })
})

describe('time', () => {
  test('holds last 7 days, at a hotel 31; a card the months it was made for', async () => {
    const { bank, issuer } = await approving()
    const { cardRef } = await aCard(issuer, { months: 2 })
    const shop = await bank.authorize({ card: cardRef, minor: 100n })
    const hotel = await bank.authorize({ card: cardRef, minor: 100n, merchant: HOTEL })
    await bank.advance(7 * DAY_MS + 1)
    expect([bank.authorizationOf(shop.ref).status, bank.authorizationOf(hotel.ref).status]).toEqual(['expired', 'pending'])
    await bank.advance(24 * DAY_MS)
    expect(bank.authorizationOf(hotel.ref).status).toBe('expired')
    await bank.advance(70 * DAY_MS)
    expect(await issuer.authorization((await bank.authorize({ card: cardRef, minor: 100n })).ref)).toMatchObject({ approved: false, reason: 'card_expired' })
    await bank.close()
  })

  test('the ceiling is a month wide, and what was reversed does not count', async () => {
    const { bank, issuer } = await approving()
    const { cardRef } = await aCard(issuer, { ceiling: 1_000n })
    const first = await bank.authorize({ card: cardRef, minor: 600n })
    const buy = async (minor: bigint) => (await bank.authorize({ card: cardRef, minor })).approved
    expect(await buy(600n)).toBe(false)
    bank.reverse(first.ref)
    expect(await buy(600n)).toBe(true)
    await bank.advance(nextMonth(bank.company.now()) - bank.company.now())
    expect(await buy(1_000n)).toBe(true)
    await bank.close()
  })

  test('one month after January 31 is the last day of February', () => {
    expect(new Date(nextMonth(Date.UTC(2027, 0, 31, 12))).toISOString()).toBe('2027-02-28T12:00:00.000Z')
    expect(new Date(nextMonth(Date.UTC(2026, 11, 15))).toISOString()).toBe('2027-01-15T00:00:00.000Z')
  })

  test('disputes without an answer end by themselves', async () => {
    const { bank, issuer } = await approving()
    const { cardRef } = await aCard(issuer)
    const taken = bank.force({ card: cardRef, minor: 500n })
    const open = await issuer.openDispute({ key: fresh(), transactionRef: taken.ref, minor: 500n, reason: 'fraudulent', words: 'not me' })
    expect(open).toMatchObject({ status: 'submitted', credited: true })
    expect(bank.balanceOf(cardRef)).toBe(0n)
    await bank.advance(31 * DAY_MS)
    expect(await issuer.dispute(open.ref)).toMatchObject({ status: 'won', credited: true })
    const old = bank.force({ card: cardRef, minor: 500n })
    await bank.advance(111 * DAY_MS)
    await expect(issuer.openDispute({ key: fresh(), transactionRef: old.ref, minor: 500n, reason: 'other', words: '' })).rejects.toMatchObject({
      refused: 'too_late',
    })
    await bank.close()
  })
})

describe('notices', () => {
  test('W7: are retried, further apart each time, until they are acknowledged', async () => {
    let tries = 0
    const { bank, issuer } = await approving({ send: async () => ({ status: ++tries < 4 ? 500 : 200, body: '' }) })
    await aCard(issuer)
    await bank.deliver()
    expect(tries).toBe(1)
    for (const seconds of [1, 2, 5]) await bank.advance(seconds * 1000 + 1).then(() => bank.deliver())
    expect(tries).toBe(4)
    await bank.advance(DAY_MS)
    expect(await bank.deliver()).toBe(0)
    await bank.close()
  })

  test('reach an app in this process at its own path, signed', async () => {
    const calls: { url: string; known: boolean }[] = []
    const bank = await aSandboxIssuer({
      send: sendInto(() => async ({ url, headers, payload }) => {
        calls.push({ url, known: issuer.readNotice(rawOf(headers, payload)) !== undefined })
        return { statusCode: 200, body: 'ok' }
      }),
    })
    const issuer = bank.issuer({ noticeUrl: () => 'https://platform.example/notify/card/sandbox' })
    await aCard(issuer)
    await bank.deliver()
    expect(calls).toEqual([{ url: '/notify/card/sandbox', known: true }])
    await bank.close()
  })

  test('go wrong as planned: lost, twice, late, out of order, wrongly signed at first', async () => {
    const { bank, issuer, heard, raws } = await approving()
    const { cardRef } = await aCard(issuer)
    await bank.deliver()
    const refund = async (fault: 'lost' | 'twice' | 'slow' | 'out-of-order' | 'unsigned') => {
      heard.length = 0
      raws.length = 0
      bank.plan({ notices: [fault] })
      const first = bank.unlinkedRefund({ card: cardRef, minor: 10n }).ref
      const second = bank.unlinkedRefund({ card: cardRef, minor: 11n }).ref
      await bank.deliver()
      await bank.advance(20_000)
      await bank.deliver()
      return heard.map((notice) => ('ref' in notice ? (notice.ref === first ? 'first' : notice.ref === second ? 'second' : '') : ''))
    }
    expect(await refund('lost')).toEqual(['second'])
    expect((await refund('twice')).toSorted()).toEqual(['first', 'first', 'second'])
    expect(await refund('slow')).toEqual(['second', 'first'])
    expect(await refund('out-of-order')).toEqual(['second', 'first'])
    expect(await refund('unsigned')).toEqual(['second', 'first'])
    expect(raws.map(({ known }) => known)).toEqual([false, true, true])
    const { ref } = bank.unlinkedRefund({ card: cardRef, minor: 73n })
    heard.length = 0
    await bank.deliver()
    expect(heard.map((notice) => 'ref' in notice && notice.ref)).toEqual([ref, ref])
    await bank.close()
  })

  test('no notice and no question holds a sum of a book, a number or a code', async () => {
    const { bank, issuer, raws, heard } = await approving()
    const { cardRef } = await aCard(issuer)
    const { number } = bank.secretsOf(cardRef)
    const asked = bank.challenge({ card: cardRef, merchant: OPENAI, minor: 2_000n })
    await bank.deliver()
    expect(heard.at(-1)).toMatchObject({ kind: 'challenge', ref: asked.ref, cardRef })
    const text = raws.map(({ body }) => body).join('\n')
    expect(text).not.toContain(number)
    expect(text).not.toMatch(new RegExp(`(?<![\\w.])${asked.code}\\b`))
    await bank.close()
  })
})

describe('C4: a question', () => {
  test('without an answer, or with a late one, is declined', async () => {
    const { bank, issuer, heard } = await approving()
    const { cardRef } = await aCard(issuer)
    bank.plan({ decisions: ['lost', 'late'] })
    const made = [
      await bank.authorize({ card: cardRef, minor: 100n }),
      await bank.authorize({ card: cardRef, minor: 100n }),
      await bank.authorize({ card: cardRef, minor: 100n }),
    ]
    expect(made.map(({ reason, approved }) => reason ?? approved)).toEqual(['no_answer', 'no_answer', true])
    expect(heard.filter(({ kind }) => kind === 'decide')).toHaveLength(2)
    await bank.close()
  })
})

describe('3-D Secure', () => {
  test('the code is fetched, good once, gone after three wrong ones or ten minutes', async () => {
    const { bank, issuer } = await approving()
    const { cardRef } = await aCard(issuer)
    const open = () => bank.challenge({ card: cardRef, merchant: OPENAI, minor: 2_000n })
    const first = open()
    const told = await issuer.challenge(first.ref)
    expect(told).toMatchObject({ ref: first.ref, cardRef, code: first.code, merchant: OPENAI, minor: 2_000n })
    expect(bank.answerChallenge(first.ref, 'x').state).toBe('open')
    expect(bank.answerChallenge(first.ref, told!.code).state).toBe('passed')
    expect(await issuer.challenge(first.ref)).toBeUndefined()
    const guessed = open()
    for (let tries = 0; tries < 3; tries++) bank.answerChallenge(guessed.ref, '')
    expect(bank.answerChallenge(guessed.ref, guessed.code).state).toBe('failed')
    const late = open()
    await bank.advance(10 * 60_000 + 1)
    expect(bank.answerChallenge(late.ref, late.code).state).toBe('open')
    expect(await issuer.challenge(late.ref)).toBeUndefined()
    expect(await issuer.challenge('chal_of_nobody')).toBeUndefined()
    await bank.close()
  })
})

describe('a process that dies', () => {
  test('keeps its cards, its clock, its book, sends what was not taken, and declines an open question', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'issuer-'))
    const file = join(folder, 'issuer.sqlite')
    const before = await approving({ file })
    const { cardRef } = await aCard(before.issuer)
    await before.issuer.load({ key: fresh(), cardRef, minor: 700n, direction: 'load' })
    await before.bank.advance(3 * DAY_MS)
    const { ref } = await before.bank.authorize({ card: cardRef, minor: 100n })
    const found = before.bank.authorizationOf(ref)
    before.bank.company.store.update('authorization', { ...found, asking: true, approved: false, status: 'pending' })
    await before.bank.close()
    const after = await approving({ file })
    expect(after.bank.balanceOf(cardRef)).toBe(700n)
    expect(after.bank.company.now() - Date.now()).toBeGreaterThan(3 * DAY_MS - 60_000)
    expect(await after.issuer.authorization(ref)).toMatchObject({ approved: false, reason: 'no_answer', status: 'closed' })
    await after.bank.deliver()
    expect(after.heard.map(({ kind }) => kind)).toContain('authorization')
    await after.bank.close()
    rmSync(folder, { recursive: true })
  })
})

describe('a random history', () => {
  test('is the same for the same seed, and its book always sums up', async () => {
    const play = async (seed: number) => {
      const { bank, issuer } = await approving()
      const cards = [(await aCard(issuer)).cardRef, (await aCard(issuer)).cardRef]
      const counts = await randomHistory(seed, 1_500, { company: bank.company, cards })
      await bank.deliver({ all: true })
      let total = 0n
      const { program, merchants } = { program: bank.company.store.balance('program'), merchants: bank.company.store.balance('merchants') }
      for (const card of cards) total += bank.balanceOf(card)
      expect(bank.verify()).toEqual({ total: 0n, wrong: [] })
      expect(total + program + merchants + bank.company.store.balance('disputes')).toBe(0n)
      let folded = 0n
      for await (const { kind, minor } of issuer.book(new Date(0), new Date(Date.now() + 4_000 * DAY_MS))) folded += kind === 'refund' ? minor : -minor
      expect(folded).toBe(total)
      const balances = cards.map((card) => bank.balanceOf(card))
      await bank.close()
      return { counts, balances }
    }
    const first = await play(7)
    expect(await play(7)).toEqual(first)
    expect((await play(8)).balances).not.toEqual(first.balances)
    expect(Object.keys(first.counts.byKind).length).toBeGreaterThan(16)
    expect(first.counts.faults).toBeGreaterThan(40)
  })
})

test('a refusal carries the words of the issuer', async () => {
  const { bank, issuer } = await approving()
  await expect(issuer.setCardState('card_of_nobody', 'frozen', fresh())).rejects.toBeInstanceOf(IssuerRefusal)
  await expect(issuer.transaction('txn_of_nobody')).rejects.toMatchObject({ refused: 'not_found' })
  await bank.close()
})
