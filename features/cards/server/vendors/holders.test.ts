import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { toCardholder, findUnreadable } from '#features/identity/server/door.ts'
import { aLithicIssuer } from '../testing/play-lithic.ts'
import type { HolderCall } from './port.ts'
import { aPlayedSandbox } from '../testing/play-sandbox.ts'
import type { Played } from '../testing/played.ts'
import { aStripeIssuer } from '../testing/play-stripe.ts'

const latin = (most: number) => fc.stringMatching(/^[A-Z](?:[A-Z '-]{0,28}[A-Z])?$/).filter((text) => text.length <= most)
/** Common and rare characters, full-width digits, and signs as people type them into an address. */
const SIGNS = [...'路街道号室栋单元建国世纪大村镇乡龘靐齉爨麤〇０１２３４５６７８９ＡＢ0123456789-#、（）()·—A bC']
const text = (least: number, most: number) => fc.array(fc.constantFrom(...SIGNS), { minLength: least, maxLength: most }).map((signs) => signs.join(''))
const street = fc.oneof(fc.constantFrom('北京市朝阳区建国路88号1602室', '世纪大道100号', '88', '一号'), text(5, 200))
const mobile = fc.oneof(
  fc.stringMatching(/^1[3-9]\d{9}$/).map((number) => `+86${number}`),
  fc.stringMatching(/^[569]\d{7}$/).map((number) => `+852${number}`),
  fc.stringMatching(/^6\d{7}$/).map((number) => `+853${number}`),
)
const person = fc.record({
  firstName: latin(30),
  lastName: fc.oneof(latin(30), fc.constantFrom('OUYANG', 'DUANMU', 'TUOBA', 'LYU', 'O')),
  birthDate: fc.date({ min: new Date('1930-01-01'), max: new Date('2020-01-01'), noInvalidDate: true }).map((at) => at.toISOString().slice(0, 10)),
  province: fc.constantFrom('北京市', '广东省', '新疆维吾尔自治区', ''),
  city: fc.constantFrom('', '深圳市', '巴音郭楞蒙古自治州'),
  county: fc.constantFrom('', '朝阳区', '若羌县'),
  street,
  postalCode: fc.stringMatching(/^\d{6}$/),
})
/** A holder acceptable to an issuer in the United States, with an address as long as ours. */
const american = { city: 'Portland', state: 'OR', postalCode: '97204', country: 'US' }

const OPEN: Readonly<Record<string, () => Promise<Played>>> = { stripe: aStripeIssuer, lithic: aLithicIssuer, sandbox: aPlayedSandbox }
const RUNS = 80

describe.each(Object.entries(OPEN))('random holders at %s', (_, open) => {
  let played: Played
  beforeAll(async () => {
    played = await open()
  })
  afterAll(() => played.close())
  let counter = 0

  test('the company takes every holder that the adapter does not refuse, and a refused one is not sent', async () => {
    const seen = { taken: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(person, mobile, fc.boolean(), async (who, phone, isAmerican) => {
        const made = toCardholder(who, 'a@example.com', phone)
        if (!made) {
          // An address without any place, or with signs alone, is not sent.
          expect(!(who.province || who.city) || !/[\p{Script=Han}\w]/u.test(who.street.normalize('NFKC'))).toBe(true)
          return
        }
        const address = isAmerican ? { ...made.address, ...american } : made.address
        const call: HolderCall = { key: `holder-${++counter}`, ...made, address }
        const why = played.issuer.refuses!(call)
        const before = played.asked().length
        const outcome = await played.issuer.createHolder(call).then(
          () => 'taken',
          (error: unknown) => (asSupplierError(error).kind === 'rejected' ? asSupplierError(error).reason : String(error)),
        )
        expect(outcome).toBe(why ?? 'taken')
        if (why === undefined) seen.taken++
        else seen.refused++
        // The sandbox is called anyway: its own check must reach the same verdict.
        if (why !== undefined && played.issuer.name !== 'sandbox') expect(played.asked().length).toBe(before)
      }),
      { numRuns: RUNS, examples: [] },
    )
    expect(seen.taken).toBeGreaterThan(0)
  })
})

test('no text of a holder is empty, nothing of an address is lost without being named, and every sign is one that carriers read', () => {
  fc.assert(
    fc.property(person, mobile, (who, phone) => {
      const made = toCardholder(who, 'a@example.com', phone)
      if (!made) return
      const { address, ...rest } = made
      for (const value of [...Object.values(rest), ...Object.values(address)]) expect(value.trim()).not.toBe('')
      for (const value of Object.values(address)) expect(value).toMatch(/^[\x20-\x7e]+$/)
      const digits = (given: string) => given.normalize('NFKC').replace(/\D/g, '')
      if (who.street.length > 12) expect(digits(`${address.line1}${address.line2 ?? ''}`)).toBe(digits(who.street))
    }),
    { numRuns: 500 },
  )
  expect(findUnreadable('𠮷祥路1号')).toEqual(['𠮷'])
  expect(findUnreadable('吉祥路１号（北）—2#')).toEqual([])
})
