import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { billsContract } from '../../contract-bills.ts'
import { EVIDENCE_TYPES } from '#features/identity/contract-words.ts'
import { holderCall as bankHolder } from '#stand-ins/card-network/bank/wire.ts'
import { DECLINE_CODES } from '#stand-ins/card-network/model.ts'
import { LITHIC_ASA, LITHIC_ASA_RESULTS, LITHIC_CARD_MONTHS, LITHIC_COUNTRIES, LITHIC_EVIDENCE_TYPES, LITHIC_NOTE_LENGTH } from '#stand-ins/lithic/rules.ts'
import {
  ISSUING_AGE,
  ISSUING_DECISION,
  ISSUING_EXPLANATION_LENGTH,
  ISSUING_KEY_LENGTH,
  ISSUING_METADATA,
  ISSUING_SUBMIT_DAYS,
} from '#stand-ins/stripe/issuing/rules.ts'
import { DEADLINE_MS } from '../authorisations/decide.ts'
import { cardYears } from '../settings.ts'
import { aLithicIssuer } from '../testing/play-lithic.ts'
import type { Played } from '../testing/played.ts'
import { aStripeIssuer } from '../testing/play-stripe.ts'
import { DISPUTE_DAYS } from '../views/bill-view.ts'
import { DECLINE_REASONS, IssuerRefusal } from './port.ts'
import type { HolderCall } from './port.ts'
import { holderCall } from './sandbox/wire.ts'

// Limits that the product states itself, beside the rules of the vendors: lists every difference.

const HOLDER: HolderCall = {
  key: 'holder:1',
  firstName: 'XIUWEN',
  lastName: 'OUYANG',
  email: 'a@example.com',
  phone: '+15035550100',
  birthDate: '1990-02-03',
  address: { line1: '8200 Demo St', line2: 'Suite 410B', city: 'Portland', state: 'OR', postalCode: '97204', country: 'US' },
}
const withAddress = (over: Partial<HolderCall['address']>): HolderCall => ({ ...HOLDER, address: { ...HOLDER.address, ...over } })
const yearsAgo = (years: number, days: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate() + days)).toISOString().slice(0, 10)
}
/** Each breaks one rule of some vendor, or stands at its edge. */
const EDGES: Readonly<Record<string, HolderCall>> = {
  'as it should be': HOLDER,
  'no second line': { ...HOLDER, address: (({ line2: _, ...rest }) => rest)(HOLDER.address) },
  'an empty second line': withAddress({ line2: '' }),
  'a ZIP of nine digits': withAddress({ postalCode: '97204-1234' }),
  'a ZIP of six digits': withAddress({ postalCode: '100022' }),
  'no street': withAddress({ line1: '' }),
  'a street of blanks': withAddress({ line1: '  ' }),
  'no city': withAddress({ city: '' }),
  'a state in full': withAddress({ state: 'Oregon' }),
  'a post office box': withAddress({ line1: 'P.O. Box 12' }),
  'in China': withAddress({ country: 'CN', state: 'Bei Jing Shi', city: 'Bei Jing Shi', postalCode: '100022' }),
  'in Canada': withAddress({ country: 'CA', state: 'ON', city: 'Ottawa', postalCode: 'K1A 0B1' }),
  'no telephone': (({ phone: _, ...rest }) => rest)(HOLDER),
  'a telephone without its country': { ...HOLDER, phone: '5035550100' },
  'a name of 24 characters': { ...HOLDER, firstName: 'ABCDEFGHIJKL', lastName: 'ABCDEFGHIJK' },
  'a name of 25 characters': { ...HOLDER, firstName: 'ABCDEFGHIJKL', lastName: 'ABCDEFGHIJKL' },
  'a name with a digit': { ...HOLDER, firstName: 'XIUWEN2' },
  'a name in Chinese': { ...HOLDER, firstName: '秀文' },
  'no last name': { ...HOLDER, lastName: ' ' },
  'thirteen today': { ...HOLDER, birthDate: yearsAgo(ISSUING_AGE, 0) },
  'thirteen tomorrow': { ...HOLDER, birthDate: yearsAgo(ISSUING_AGE, 1) },
}

/** Holders that a vendor accepts and we do not offer it, each with its reason. */
const STRICTER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lithic: { 'in Canada': 'the programme is for the United States' },
  stripe: {},
}
const OPEN: Readonly<Record<string, () => Promise<Played>>> = { stripe: aStripeIssuer, lithic: aLithicIssuer }

describe.each(Object.entries(OPEN))('%s', (name, open) => {
  let played: Played
  beforeAll(async () => {
    played = await open()
  })
  afterAll(() => played.close())

  test('a holder is refused before the payment exactly where the vendor refuses', async () => {
    const differences: string[] = []
    for (const [what, call] of Object.entries(EDGES)) {
      const before = played.issuer.refuses!(call)
      const outcome = await played.issuer.createHolder({ ...call, key: what }).then(
        () => undefined,
        (error: unknown) => (error instanceof IssuerRefusal ? error.reason : String(error)),
      )
      if (before !== outcome) differences.push(`${what}: ${before} before, ${outcome} at the vendor`)
    }
    expect(differences).toEqual([])
  })

  test('a card ends in the month that was asked for, whatever its number', async () => {
    const { holderRef } = await played.issuer.createHolder({ ...HOLDER, key: 'months' })
    const now = new Date()
    for (let months = 1; months <= 12; months++) {
      const ends = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
      const card = await played.issuer.createCard({ key: `months-${months}`, holderRef, type: 'standard', months, monthlyCeiling: 100n })
      expect(card).toMatchObject({ expMonth: ends.getUTCMonth() + 1, expYear: ends.getUTCFullYear() })
    }
  })

  test('a card whose ceiling is nothing pays nothing', async () => {
    const { holderRef } = await played.issuer.createHolder({ ...HOLDER, key: 'ceiling' })
    const call = { key: 'ceiling', holderRef, type: 'standard', months: 12, monthlyCeiling: 0n } as const
    const card = await played.issuer.createCard(call).catch((error: unknown) => error)
    if (card instanceof IssuerRefusal) return
    played.hear(() => ({ approved: true }))
    const { ref } = await played.bank.authorize({ card: (card as { cardRef: string }).cardRef, minor: 2n })
    expect(await played.issuer.authorization(ref)).toMatchObject({ approved: false, reason: 'issuer_rule' })
  })
})

/** The vendor's own check, without the adapter's: the stand-in is called directly. */
test('holders whom Lithic would take and its adapter refuses are listed', async () => {
  const { findBrokenLithicRule } = await import('#stand-ins/lithic/rules.ts')
  const played = await aLithicIssuer()
  const country = (text: string) => ({ US: 'USA', CA: 'CAN', CN: 'CHN' })[text]!
  const stricter = Object.entries(EDGES).filter(([, { firstName, lastName, email, phone, address }]) => {
    const { line1, line2, city, state, postalCode } = address
    const body = {
      ...{ workflow: 'KYC_EXEMPT', kyc_exemption_type: 'PREPAID_CARD_USER', first_name: firstName, last_name: lastName, email, phone_number: phone },
      address: { address1: line1, ...(line2 ? { address2: line2 } : {}), city, state, postal_code: postalCode, country: country(address.country) },
    }
    const broken = findBrokenLithicRule('POST /v1/account_holders', { body, query: new URLSearchParams(), headers: {}, now: 0 })
    return !broken && played.issuer.refuses!({ ...HOLDER, firstName, lastName, phone: phone!, address }) !== undefined
  })
  expect(stricter.map(([what]) => what)).toEqual(Object.keys(STRICTER['lithic']!))
  expect(LITHIC_COUNTRIES).toContain('CAN')
  await played.close()
})

test('a country outside the programme is refused as such, by the parameter that Stripe names', async () => {
  const played = await aStripeIssuer({ countries: ['US'] })
  const refused = await played.issuer.createHolder(EDGES['in China']!).catch((error: unknown) => error)
  expect(refused).toMatchObject({ reason: 'country', refused: 'country_unsupported' })
  await played.close()
})

test('the sandbox bank and its adapter state the same limits of a holder', () => {
  const length = fc.constantFrom(0, 1, 2, 3, 19, 20, 21, 79, 80, 81, 99, 100, 101, 199, 200, 201)
  const text = length.map((size) => 'a'.repeat(size))
  const address = fc.record({ line1: text, city: text, state: text, postalCode: text, country: text, line2: text }, { requiredKeys: ['line1', 'city'] })
  const holder = fc.record(
    { firstName: text, lastName: text, email: text, phone: text, birthDate: fc.constantFrom('1990-01-01', '1990-1-1', ''), address, billing: address },
    { requiredKeys: ['firstName', 'lastName', 'email', 'address'] },
  )
  const seen = { taken: 0 }
  const whole = { ...HOLDER, key: undefined }
  fc.assert(
    fc.property(holder, fc.boolean(), (drawn, isWhole) => {
      const given = isWhole ? { ...whole, firstName: drawn.firstName, address: { ...HOLDER.address, city: drawn.address.city } } : drawn
      const [ours, theirs] = [holderCall.safeParse(given), bankHolder.safeParse(given)]
      if (ours.success) seen.taken++
      expect(ours.success).toBe(theirs.success)
      expect(ours.error?.issues.map(({ path }) => path.join('.'))).toEqual(theirs.error?.issues.map(({ path }) => path.join('.')))
    }),
    { numRuns: 500, seed: 7 },
  )
  expect(seen.taken).toBeGreaterThan(0)
})

test('the decline reasons of the bank are ours', () => {
  expect([...DECLINE_CODES]).toEqual([...DECLINE_REASONS])
})

test('an answer to Lithic is always one of its results', async () => {
  const played = await aLithicIssuer()
  const answers = [{ approved: true } as const, ...DECLINE_REASONS.map((reason) => ({ approved: false, reason }) as const)]
  for (const answer of answers) {
    const { result, ...rest } = JSON.parse(String(played.issuer.answer(answer).body)) as { result: string }
    expect(LITHIC_ASA_RESULTS, JSON.stringify(answer)).toContain(result)
    expect([result === 'APPROVED', rest]).toEqual([answer.approved, {}])
  }
  await played.close()
})

test('times: we decide and file within the bounds of every issuer', () => {
  expect(DEADLINE_MS).toBeLessThan(Math.min(LITHIC_ASA.withinMs, ISSUING_DECISION.withinMs))
  expect(DISPUTE_DAYS).toBeLessThanOrEqual(ISSUING_SUBMIT_DAYS.days)
  const years = Object.values(cardYears.fallback)
  expect(Math.max(...years) * 12).toBeLessThanOrEqual(LITHIC_CARD_MONTHS)
})

test('texts: what a customer may write fits into a dispute, our keys into metadata and Idempotency-Key', () => {
  const longest = { billId: 'b', reason: 'other', words: 'w'.repeat(2000) }
  expect(billsContract.disputeBill.input.safeParse(longest).success).toBe(true)
  expect(billsContract.disputeBill.input.safeParse({ ...longest, words: 'w'.repeat(2001) }).success).toBe(false)
  const key = `dsp_${'k'.repeat(60)}`
  expect(longest.words.length + ` [${key}]`.length).toBeLessThanOrEqual(LITHIC_NOTE_LENGTH)
  expect(longest.words.length).toBeLessThanOrEqual(ISSUING_EXPLANATION_LENGTH)
  expect(`dispute.${key}.submit`.length).toBeLessThanOrEqual(ISSUING_KEY_LENGTH)
  expect([key.length <= ISSUING_METADATA.value, 'frozen_by_us'.length <= ISSUING_METADATA.key]).toEqual([true, true])
  // evidence is stored as a JPEG or a PDF, whatever was uploaded (identity/server/door.ts, readEvidence)
  expect(EVIDENCE_TYPES).toContain('application/pdf')
  expect(LITHIC_EVIDENCE_TYPES).toEqual(expect.arrayContaining(['jpg', 'pdf']))
})
