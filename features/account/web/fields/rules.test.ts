import { expect, test } from 'vitest'
import { checkCode, checkConfirmation, checkEmail, checkNewPassword, checkPassword, checkPhone, checkSettingsPassword } from './rules.ts'

const wide = (text: string) => [...text].map((sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).join('')

test('a missing e-mail is reported otherwise than a wrong one', () => {
  expect(checkEmail('  ')).toBe('auth_email_required')
  for (const bad of ['a', 'a@b', 'a@@b.c', 'a b@c.de', '<script>@x.y', `${'x'.repeat(260)}@b.cd`]) expect(checkEmail(bad)).toBe('auth_email_invalid')
  expect(checkEmail(' Wang.Xiaoming+1@example.co ')).toBeUndefined()
})

test('mobile: each region says how many digits it wants', () => {
  expect(checkPhone({ region: '86', number: '' })).toBe('auth_phone_required')
  expect(checkPhone({ region: '86', number: '12800138000' })).toBe('phoneValidate')
  expect(checkPhone({ region: '852', number: '1234567' })).toBe('phoneValidate1')
  expect(checkPhone({ region: '86', number: '13800138000' })).toBeUndefined()
  expect(checkPhone({ region: '853', number: '61234567' })).toBeUndefined()
})

test('code: six ASCII digits', () => {
  for (const bad of ['', '12345', '1234567', 'abcdef', '１２３４５６']) expect(checkCode(bad)).toBe('auth_code_required')
  expect(checkCode('012345')).toBeUndefined()
})

test('password: required and at most 50 at login, 8 to 50 when new', () => {
  expect(checkPassword(' ')).toBe('auth_password_required')
  expect(checkPassword('x'.repeat(51))).toBe('auth_password_max')
  expect(checkPassword('x')).toBeUndefined()
  expect(checkNewPassword('1234567')).toBe('auth_password_length')
  expect(checkNewPassword('x'.repeat(51))).toBe('auth_password_max')
  expect(checkNewPassword(wide('12345678'))).toBeUndefined()
  expect(checkNewPassword('👩‍🚀👩‍🚀👩‍🚀')).toBeUndefined()
  expect(checkConfirmation('a', 'b')).toBe('passwordMismatch')
})

test('a password in the settings has 12 characters, not digits alone, and not the user’s own number in any width', () => {
  expect(checkSettingsPassword('12345678901', undefined)).toBe('auth_password_length_12')
  expect(checkSettingsPassword('123456789012', undefined)).toBe('auth_password_digits')
  expect(checkSettingsPassword(wide('123456789012'), undefined)).toBe('auth_password_digits')
  expect(checkSettingsPassword(`horse ${wide('13800138000')}`, '13800138000')).toBe('auth_password_mobile')
  expect(checkSettingsPassword('correct horse', '13800138000')).toBeUndefined()
})
