import { expect, it } from 'vitest'
import { findMessageCode } from './find-message-code.ts'

it.each([
  ['Your OpenAI code is: 739204. Don’t share it.', '739204'],
  ['G-482913 is your Google verification code.', '482913'],
  ['【Telegram】验证码 508116，5 分钟内有效。', '508116'],
  ['123-456 is your WhatsApp code', '123456'],
  ['123 456 ist Ihr Code', '123456'],
  ['Use 4821 to sign in. Reply STOP or call +18005550100', '4821'],
  ['Call +1 800 555 0100 or 18005550100', ''],
  ['Hello there', ''],
  ['Code 2026-11-23', ''],
  ['', ''],
])('%s → %s', (text, code) => {
  expect(findMessageCode(text)).toBe(code)
})

it('a hostile text is searched within a second', () => {
  const before = performance.now()
  findMessageCode('code '.repeat(200_000))
  findMessageCode('1-'.repeat(500_000))
  expect(performance.now() - before).toBeLessThan(1000)
})
