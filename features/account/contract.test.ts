import { expect, test } from 'vitest'
import { accountContract, accountErrors, email, emailKey, verifyCode } from './contract.ts'

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

test('a hostile e-mail is refused quickly', () => {
  const start = performance.now()
  for (const text of [`a@${'a.'.repeat(400_000)}`, `${'a'.repeat(800_000)}@`, `a@${'a'.repeat(800_000)}`]) expect(email.safeParse(text).success).toBe(false)
  expect(performance.now() - start).toBeLessThan(1000)
})

test('accounts are found without regard to capitals and spaces', () => {
  expect(emailKey(' Wang@X.CN ')).toBe('wang@x.cn')
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
