import { fail } from '#platform/shared/errors.ts'
import { parseWirePhone } from '../../phone.ts'

export type PayWeakness = 'pattern' | 'birthday' | 'phone'

/** Throws PAY_PASSWORD_WEAK for six digits that an acquaintance of the user would guess first (money.md A2). */
export function requireStrongPayPassword(password: string, mobile: string | null): void {
  const reason = findPayWeakness(password, mobile)
  if (reason) fail('PAY_PASSWORD_WEAK', { reason })
}

export function findPayWeakness(password: string, mobile: string | null): PayWeakness | undefined {
  if (isPattern(password)) return 'pattern'
  if (isBirthday(password)) return 'birthday'
  const national = (mobile && parseWirePhone(mobile)?.national) ?? ''
  return national.startsWith(password) || national.endsWith(password) ? 'phone' : undefined
}

/** Equal steps (123456, 864208, 000000), only two digits, pairs (112233), repeated or mirrored halves, common sequences. */
function isPattern(text: string): boolean {
  const digits = [...text].map(Number)
  const step = (digits[1]! - digits[0]! + 10) % 10
  if (digits.every((digit, at) => at === 0 || (digit - digits[at - 1]! + 10) % 10 === step)) return true
  if (new Set(digits).size <= 2) return true
  if (/^(.)\1(.)\2(.)\3$/.test(text) || /^(...)\1$/.test(text) || /^(..)\1\1$/.test(text)) return true
  return text === [...text].reverse().join('') || ['147258', '258369', '159357', '147369', '520131', '131452', '201314', '520520', '142536'].includes(text)
}

/** YYMMDD, DDMMYY, MMDDYY, and YYYYMM of 1930 to 2039. */
function isBirthday(text: string): boolean {
  const [a, b, c] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)].map(Number) as [number, number, number]
  const isDay = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!
  if (/^(19[3-9]\d|20[0-3]\d)(0[1-9]|1[0-2])$/.test(text)) return true
  return isDay(b, c) || isDay(b, a) || isDay(a, b)
}
