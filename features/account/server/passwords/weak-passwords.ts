import { fail } from '#platform/shared/errors.ts'
import { parseWirePhone } from '../../phone.ts'
import { COMMON_PASSWORDS, COMMON_WORDS } from './common-passwords.ts'

export type PasswordWeakness = 'common' | 'pattern' | 'personal'

/** Throws PASSWORD_WEAK for a password that a guesser tries first (money.md A9, ASVS 6.2.4). `contacts`: e-mail keys and E.164 numbers. */
export function requireStrongPassword(password: string, contacts: readonly string[]): void {
  const reason = findPasswordWeakness(password, contacts)
  if (reason) fail('PASSWORD_WEAK', { reason })
}

export function findPasswordWeakness(password: string, contacts: readonly string[]): PasswordWeakness | undefined {
  const text = password.toLowerCase()
  if (COMMON_PASSWORDS.has(text) || isDecoratedWord(text, COMMON_WORDS)) return 'common'
  if (isPattern(text)) return 'pattern'
  return contacts.some((contact) => containsContact(text, contact)) ? 'personal' : undefined
}

function containsContact(text: string, contact: string): boolean {
  const phone = parseWirePhone(contact)
  if (phone) return text.includes(phone.national)
  const [local = '', domain = ''] = contact.split('@')
  const own = new Set([contact, local, local.replace(/\W/g, ''), ...local.split(/[^a-z]+/), domain.split('.')[0]!].filter((part) => part.length >= 4))
  return text.includes(contact) || isDecoratedWord(text, own)
}

const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', '$': 's', '!': 'i' }
const MAX_DECORATION = 6

/** A word (once or twice, in capitals, in leet) with up to six characters or a plain row of digits around it. */
function isDecoratedWord(text: string, words: ReadonlySet<string>): boolean {
  const bare = (word: string) => words.has(word) || (words.has(word.slice(0, word.length / 2)) && word.slice(0, word.length / 2).repeat(2) === word)
  const [, before = '', core = '', after = ''] = /^([^a-z]*)(.*?)([^a-z]*)$/s.exec(text) ?? []
  if (bare(core) && (before.length + after.length <= MAX_DECORATION || isPattern(before + after))) return true
  for (let cut = 0; cut <= Math.min(MAX_DECORATION, after.length); cut++) {
    if (bare(text.slice(0, text.length - cut).replace(/[0134578@$!]/g, (char) => LEET[char] ?? char))) return true
  }
  return false
}

const FORWARD = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  '!@#$%^&*()',
  '~!@#$%^&*()_+',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '!qaz@wsx#edc$rfv',
  'qweasdzxc',
  '147258369',
  '159357',
  '741852963',
  '789456123',
  '13579',
  '24680',
  'a1b2c3d4e5f6',
  'a1s2d3f4g5h6',
  'azertyuiop',
  'qwertzuiop',
]
const ROWS = FORWARD.flatMap((row) => [row, [...row].reverse().join('')])

/** Rows of the keyboard or the alphabet, repetitions, two characters only, a date, a mobile number. */
function isPattern(text: string): boolean {
  if (new Set(text).size <= 2) return true
  if (/^(.{1,4})\1+(.{0,3})$/s.test(text)) return true
  if (/^(19|20)\d\d[-./]?(0?\d|1[0-2])[-./]?\d{1,2}$|^\d{1,2}[-./]?\d{1,2}[-./]?(19|20)\d\d$/.test(text)) return true
  if (/^1[3-9]\d{9}$/.test(text)) return true
  return countOutsideRows(text) <= 2
}

/** How many characters are not part of a row of at least three neighbours (or three equal ones). */
function countOutsideRows(text: string): number {
  let outside = 0
  for (let at = 0; at < text.length;) {
    let end = at + 1
    while (end < text.length && ROWS.some((row) => row.includes(text.slice(at, end + 1)))) end++
    let same = at + 1
    while (same < text.length && text[same] === text[at]) same++
    const size = Math.max(end, same) - at
    if (size < 3) outside += 1
    at += size < 3 ? 1 : size
  }
  return outside
}
