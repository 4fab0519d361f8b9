import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatPhone,
  maskPhone,
  parsePhone,
  PHONE_MAX,
  parseWirePhone,
  findPhoneRegion,
  PHONE_REGIONS,
  normalizePhoneInput,
  updatePhoneInput,
  toWirePhone,
} from './phone.ts'
import type { PhoneRegion } from './phone.ts'

test.each([
  ['86', '13800138000', '+8613800138000', '13800138000'],
  ['86', '+86 138-0013-8000', '+8613800138000', '13800138000'],
  ['86', '0086 13800138000', '+8613800138000', '13800138000'],
  ['86', '8613800138000', '+8613800138000', '13800138000'],
  ['86', '１３８００１３８０００', '+8613800138000', '13800138000'],
  ['86', '\u202d138 0013 8000\u202c', '+8613800138000', '13800138000'],
  ['86', '138\u00a00013\u20138000', '+8613800138000', '13800138000'],
  ['852', '98765432', '+85298765432', '85298765432'],
  ['852', '85298765432', '+85298765432', '85298765432'],
  ['853', '66123456', '+85366123456', '85366123456'],
  ['852', '+853 6612 3456', '+85366123456', '85366123456'],
  ['86', '(852) 9876-5432', '+85298765432', '85298765432'],
] as const)('under %s, %s is a mobile', (region, number, e164, wire) => {
  expect(parsePhone({ region, number })).toMatchObject({ e164, wire })
  expect(toWirePhone(e164)).toBe(wire)
})

test.each([
  ['86', ''],
  ['86', '12800138000'],
  ['86', '1380013800'],
  ['86', '138001380000'],
  ['86', '98765432'],
  ['852', '9876543'],
  ['852', '987654321'],
  ['852', '13800138000'],
  ['853', '-6612345'],
  ['86', '138001380.5e3'],
  ['86', '1３8O0138000'],
  ['86', '+1 13800138000'],
  ['86', '+44 7911 123456'],
  ['86', '😀13800138000'],
  ['86', '١٣٨٠٠١٣٨٠٠٠'],
  ['86', '13800138000; drop table'],
] as const)('under %s, %j is not a mobile', (region, number) => {
  expect(parsePhone({ region, number })).toBeUndefined()
})

test('on the wire eight bare digits have no region', () => {
  expect(parseWirePhone('98765432')).toBeUndefined()
  expect(parseWirePhone('85398765432')?.region).toBe('853')
  expect(parseWirePhone(`138${' '.repeat(100)}00138000`)).toBeUndefined()
})

test.each([
  [
    { region: '86', number: '98765432' },
    { region: '852', number: '98765432' },
  ],
  [
    { region: '853', number: '66123456' },
    { region: '853', number: '66123456' },
  ],
  [
    { region: '86', number: '85366123456' },
    { region: '853', number: '66123456' },
  ],
  [
    { region: '852', number: '13800138000' },
    { region: '86', number: '13800138000' },
  ],
  [
    { region: '853', number: '85298765432' },
    { region: '852', number: '98765432' },
  ],
  [
    { region: '86', number: '1380013' },
    { region: '86', number: '1380013' },
  ],
] as const)('on blur %j becomes %j', (typed, settled) => {
  expect(normalizePhoneInput(typed)).toEqual(settled)
})

test.each([
  ['138 0013 8000', '86', { region: '86', number: '13800138000' }],
  ['+852 9876 5432', '86', { region: '852', number: '98765432' }],
  ['0085366123456', '86', { region: '853', number: '66123456' }],
  ['+86 13800138000', '852', { region: '86', number: '13800138000' }],
  ['１３８', '86', { region: '86', number: '138' }],
  ['-13.5e', '86', { region: '86', number: '135' }],
  ['138001380001234', '86', { region: '86', number: '13800138000' }],
  ['85', '86', { region: '86', number: '85' }],
  ['电话13800138000', '86', { region: '86', number: '13800138000' }],
] as const)('typing %j under %s keeps the digits of a number', (text, region, typed) => {
  expect(updatePhoneInput(text, region)).toEqual(typed)
})

test('a number is shown in groups, or masked', () => {
  expect([formatPhone('+8613800138000'), formatPhone('85298765432')]).toEqual(['138 0013 8000', '+852 9876 5432'])
  expect([maskPhone('+8613800138000'), maskPhone('+85366123456'), maskPhone('nonsense')]).toEqual(['138****8000', '+853 66****56', '****'])
  expect([findPhoneRegion('+8613800138000'), findPhoneRegion('+85366123456'), findPhoneRegion('')]).toEqual(['86', '853', undefined])
})

const digits = (size: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: size, maxLength: size }).map((list) => list.join(''))
const national = fc.constantFrom<PhoneRegion>(...PHONE_REGIONS).chain((region) =>
  (region === '86' ? fc.tuple(fc.integer({ min: 3, max: 9 }), digits(9)).map(([second, rest]) => `1${second}${rest}`) : digits(8)).map((number) => ({
    region,
    number,
  })),
)
const spread = fc.tuple(national, fc.array(fc.constantFrom(' ', '-', '\u200e', '\u3000', '(', ')'), { minLength: 11, maxLength: 11 }))

test('any number of the three regions survives every form it travels in', () => {
  fc.assert(
    fc.property(spread, ([phone, marks]) => {
      const parsed = parsePhone(phone)!
      expect(parsed).toMatchObject({ region: phone.region, national: phone.number })
      expect(parseWirePhone(parsed.wire)).toEqual(parsed)
      expect(parseWirePhone(parsed.e164)).toEqual(parsed)
      const loose = [...phone.number].map((digit, at) => digit + (marks[at] ?? '')).join('')
      expect(parsePhone({ region: phone.region, number: loose })).toEqual(parsed)
      expect(parsePhone(updatePhoneInput(`+${phone.region} ${loose}`, '86'))).toEqual(parsed)
      expect(parsePhone(normalizePhoneInput(phone))).toEqual(parsed)
      expect(maskPhone(parsed.e164)).not.toContain(parsed.national)
    }),
    { numRuns: 2000 },
  )
})

test('whatever is typed or sent, a field holds at most 11 digits and a parsed number is one of a region', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom<PhoneRegion>(...PHONE_REGIONS), (text, region) => {
      const typed = updatePhoneInput(text, region)
      expect(typed.number).toMatch(/^\d*$/)
      expect(typed.number.length).toBeLessThanOrEqual(PHONE_MAX)
      const read = parseWirePhone(text)
      if (read) expect(read.e164).toMatch(/^\+(861[3-9]\d{9}|85[23]\d{8})$/)
    }),
    { numRuns: 5000 },
  )
})

// a reading that is quadratic would take hours
test('hostile input is refused quickly', () => {
  for (const text of ['1'.repeat(1_000_000), ' '.repeat(1_000_000), '+'.repeat(1_000_000)]) {
    expect(parseWirePhone(text)).toBeUndefined()
    expect(updatePhoneInput(text, '86').number.length).toBeLessThanOrEqual(PHONE_MAX)
  }
})
