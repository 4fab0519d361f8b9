import { expect, test } from 'vitest'
import { newPassword, normalizePassword } from '../../contract.ts'
import { COMMON_PASSWORDS, COMMON_WORDS, findPasswordWeakness } from './weak-passwords.ts'

const MAIL = ['alice.smith@wonder.com', '+8613912345678']

test('the lists hold more than a thousand and every one is refused, in capitals too', () => {
  expect(COMMON_PASSWORDS.size + COMMON_WORDS.size).toBeGreaterThan(1500)
  for (const password of COMMON_PASSWORDS) expect([password, findPasswordWeakness(password.toUpperCase(), MAIL)]).toEqual([password, 'common'])
})

test.each(['Password2024!', 'P@55w0rd!!', 'Mingxi2026!', 'dragon1999', '123456dragon', 'lovelove', 'Woaini1314', 'monkey12345678'])(
  'a dressed word: %s',
  (text) => {
    expect(findPasswordWeakness(text, MAIL)).toBe('common')
  },
)

test.each([
  'qweasd789',
  'abc123xyz',
  'aaaaaaab',
  '12341234a',
  '19901212',
  '1990-12-12',
  '13800138000',
  '!@#$%^&*',
  '87654321a',
  'zaqxswcde',
  '11112222',
  'asdQWE123',
])('a pattern: %s', (text) => {
  expect(findPasswordWeakness(text, MAIL)).toMatch(/pattern|common/)
})

test.each(['alice.smith1', 'alicesmith', 'Wonder2024', 'xx alice.smith@wonder.com', 'call 13912345678 now'])('their own name: %s', (text) => {
  expect(findPasswordWeakness(text, MAIL)).toBe('personal')
})

test.each([
  'correct horse battery',
  '床前明月光疑是地上霜',
  'Tr0ub4dor&3x',
  'zq81kd0v',
  '83920174',
  'correct horse battery staple for the whole family',
  '🦊🐻🍀 sits in a tree',
])('accepted: %s', (text) => {
  expect(findPasswordWeakness(text, MAIL)).toBeUndefined()
  expect(newPassword.safeParse(text).success).toBe(true)
})

test('one password has one form: width, composition and outer spaces do not matter', () => {
  expect(normalizePassword(' Ｃｏｒｒｅｃｔ　horse ')).toBe('Correct horse')
  expect(normalizePassword('cafe\u0301 au lait')).toBe('café au lait')
})

test('8 to 50 characters, counted as people do', () => {
  expect(newPassword.safeParse('🦊'.repeat(7)).success).toBe(false)
  expect(newPassword.safeParse('🦊'.repeat(50)).success).toBe(true)
  expect(newPassword.safeParse('x'.repeat(51)).success).toBe(false)
  expect(newPassword.safeParse('       x       ').success).toBe(false)
})
