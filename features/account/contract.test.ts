import { expect, test } from 'vitest'
import { accountContract, accountErrors, email, normalizeEmail, payPasswordField, settingsPassword, verifyCode } from './contract.ts'
import { payPasswordContract } from './contract-pay-password.ts'
import { invoiceDetails, profileContract } from './contract-profile.ts'
import { securityContract } from './contract-security.ts'

test.each(['a@b.c', 'Wang.Wei+tag@Mail.Example.CN', " o'neil@x-y.co "])('an e-mail: %s', (text) => {
  expect(email.safeParse(text).success).toBe(true)
})

test.each([
  '',
  'a',
  'a@b',
  '@b.c',
  'a@.',
  'a b@c.d',
  'a@b.c,d@e.f',
  '<a@b.c>',
  'a@b.c\r\nBcc: d@e.f',
  'ａ@b.c',
  '\u212A@b.c',
  'a@b@c.d',
  'a@b.',
  `${'a'.repeat(250)}@b.cd`,
])('not an e-mail: %j', (text) => {
  expect(email.safeParse(text).success).toBe(false)
})

// a pattern that backtracks would take hours
test('a hostile e-mail is refused quickly', () => {
  for (const text of [`a@${'a.'.repeat(400_000)}`, `${'a'.repeat(800_000)}@`, `a@${'a'.repeat(800_000)}`]) expect(email.safeParse(text).success).toBe(false)
})

test('accounts are found without regard to capitals and spaces', () => {
  expect(normalizeEmail(' Wang@X.CN ')).toBe('wang@x.cn')
})

test.each(['12345', '1234567', '12345a', '１２３４５６', ' 123456', '-12345', '1e5000'])('not a code: %s', (text) => {
  expect(verifyCode.safeParse(text).success).toBe(false)
})

test('error numbers are unique and 1005 stays free for the transport', () => {
  const codes = Object.values(accountErrors).map((spec) => spec.code as number)
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).not.toContain(1005)
  expect(accountErrors.CODE_WRONG.code).toBe(1009)
})

test('an invite code that cannot be one does not stop a registration', () => {
  const input = { email: 'a@b.c', password: 'correct horse', verifyCode: '123456' }
  expect(accountContract.register.input.parse({ ...input, inviteCode: 'AbC-1_2' }).inviteCode).toBe('AbC-1_2')
  expect(accountContract.register.input.parse({ ...input, inviteCode: '<script>' }).inviteCode).toBeUndefined()
})

test('a call is for an e-mail or a mobile, never for both or none', () => {
  const login = accountContract.passwordLogin.input
  expect(login.safeParse({ email: 'a@b.c', password: 'x' }).success).toBe(true)
  expect(login.parse({ mobile: '852 9876 5432', password: 'x' }).mobile).toBe('+85298765432')
  expect(login.safeParse({ email: 'a@b.c', mobile: '13800138000', password: 'x' }).error?.issues[0]?.path).toEqual(['email'])
  expect(login.safeParse({ password: 'x' }).success).toBe(false)
  expect(login.safeParse({ mobile: '98765432', password: 'x' }).error?.issues[0]?.path).toEqual(['mobile'])
})

test('with an e-mail a password is required at register, with a mobile it may follow', () => {
  const register = accountContract.register.input
  expect(register.safeParse({ mobile: '13800138000', verifyCode: '123456' }).success).toBe(true)
  expect(register.safeParse({ email: 'a@b.c', verifyCode: '123456' }).error?.issues[0]?.path).toEqual(['password'])
})

test.each(['short one', '123456789012', '１２３４５６７８９０１２', 'x'.repeat(51), ' '.repeat(20)])('not a password for the settings: %j', (text) => {
  expect(settingsPassword.safeParse(text).success).toBe(false)
})

test.each(['12345', '1234567', '１２３４５６', '12345a', ' 123456', ''])('not a payment password: %j', (text) => {
  expect(payPasswordField.safeParse(text).success).toBe(false)
})

test('invoice details: all required, at most 50, the name in letters and spaces', () => {
  const good = { userName: '王 Wei', email: 'a@b.co', country: '中国', state: '广东', city: '深圳', addressLine: '某路 1 号', postalCode: '518000' }
  expect(invoiceDetails.safeParse(good).success).toBe(true)
  for (const field of Object.keys(good)) expect(invoiceDetails.safeParse({ ...good, [field]: ' ' }).success, field).toBe(false)
  for (const userName of ['W4ng', 'Wang_Wei', '<b>Wei</b>', 'Wei 😀', 'W'.repeat(51)])
    expect(invoiceDetails.safeParse({ ...good, userName }).success).toBe(false)
  for (const city of ['深圳\u202egnp', 'a\u0007b', 'x'.repeat(51), 'two\nlines']) expect(invoiceDetails.safeParse({ ...good, city }).success).toBe(false)
})

test('every endpoint of the feature has its own method and path', () => {
  const endpoints = [accountContract, securityContract, profileContract, payPasswordContract].flatMap((contract) => Object.values(contract))
  const names = endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`)
  expect(new Set(names).size).toBe(names.length)
})
