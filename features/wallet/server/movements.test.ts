import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  CATEGORY_TEXTS,
  FUNDS_CATEGORIES,
  findMovement,
  MOVEMENTS,
  movementTexts,
  formatMovementTitle,
  PLACE_TEXTS,
  toShownKind,
} from '../contract-movements.ts'

const ROOT = join(import.meta.dirname, '../../..')
const files = (folder: string, fits: (name: string) => boolean) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(fits)
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))

const isServer = (name: string) => /(^|\/)server\/.*\.ts$/.test(name) && !/\.(test|bench)\.ts$|\/testing\/|builders\.ts$/.test(name)
/** Code that can post: it imports the wallet's door or belongs to the wallet's server. */
const posting = files('features', isServer).filter((text) => /#features\/wallet\/server\/door\.ts|insertPosting|from '\.\.\/accounts\.ts'/.test(text))
const sql = files('apps/server/migrations', (name) => name.endsWith('.sql'))

/** Kinds that SQL writes: the second value of an insert into wallet_transactions, or of a call of a capture. */
function kindsOfSql(text: string): string[] {
  const made = [...text.matchAll(/v_made := \([\w.]+, '([a-z][a-z0-9._-]*)'/g)]
  const captured = [...text.matchAll(/'([a-z][a-z0-9._-]*)', 'revenue', 'system'/g)]
  const posted = [...text.matchAll(/wallet_post\('([a-z][a-z0-9._-]*)'/g)]
  return [...made, ...captured, ...posted].map((match) => match[1]!)
}

test('every kind that SQL writes has an entry', () => {
  const written = [...new Set(sql.flatMap(kindsOfSql))].toSorted()
  expect(written).toEqual(expect.arrayContaining(['gateway.usage', 'wallet.breakage', 'wallet.repay']))
  expect(written.filter((kind) => !findMovement(kind))).toEqual([])
})

test('every entry is written by some code, unless it is marked as historical', () => {
  const code = [...posting, ...sql].join('\n')
  const isWritten = (kind: string) => code.includes(`'${kind}'`)
  const wrong = Object.entries(MOVEMENTS).filter(([kind, { historical }]) => isWritten(kind) === (historical === true))
  expect(wrong.map(([kind]) => kind)).toEqual([])
})

test('every kind that changes the balance has a category, and no other has', () => {
  for (const [kind, entry] of Object.entries(MOVEMENTS)) expect({ kind, has: entry.category !== null }).toEqual({ kind, has: entry.ledger === 'balance' })
})

test('direction and route agree: what comes into the balance ends in it', () => {
  for (const [kind, { ledger, direction, from, to }] of Object.entries(MOVEMENTS)) {
    if (ledger !== 'balance' || direction === 'both') continue
    expect({ kind, end: direction === 'in' ? to : from }).toEqual({ kind, end: 'balance' })
  }
})

test('a refund that an older version posted as a top-up is shown as a refund', () => {
  expect(toShownKind('topup', 'R20260101-0123456789AB')).toBe('refund.credited')
  expect(toShownKind('topup', 'R20260101-0123456789AB:fee')).toBe('refund.credited')
  expect(toShownKind('topup', 'back:R20260101-0123456789AB')).toBe('refund.credited')
  expect(toShownKind('topup', 'order:20260101-0123456789AB')).toBe('topup')
  expect(toShownKind('topup', 'resolved:1:txn')).toBe('topup')
})

test('titles name the subject where there is one', () => {
  expect(formatMovementTitle('zh', 'topup', { isIn: true, subject: '支付宝' })).toBe('支付宝充值')
  expect(formatMovementTitle('zh', 'topup', { isIn: true })).toBe('充值')
  expect(formatMovementTitle('en', 'card.recharge', { isIn: false, subject: 'Standard 4829' })).toBe('Moved to Standard 4829')
  expect(formatMovementTitle('zh', 'dispute', { isIn: true })).toBe('拒付撤销，已退回')
  expect(formatMovementTitle('zh', 'no.such', { isIn: false })).toBe('其他收支')
})

test('every place and category has words in both languages', () => {
  for (const key of [...Object.values(PLACE_TEXTS), ...FUNDS_CATEGORIES.map((category) => CATEGORY_TEXTS[category])])
    expect(Object.values(movementTexts).every((texts) => texts[key])).toBe(true)
})
