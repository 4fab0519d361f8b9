import { expect, expectTypeOf, test } from 'vitest'
import { namesOf, pick } from './pick.ts'

const row = { keyId: 'key_1', keyName: 'a', secretHash: 'x', usedAt: null as Date | null }

test('pick copies the named properties and no other, with their types', () => {
  const picked = pick(row, 'keyId', 'usedAt')
  expect(picked).toEqual({ keyId: 'key_1', usedAt: null })
  expectTypeOf(picked).toEqualTypeOf<{ keyId: string; usedAt: Date | null }>()
  expect(pick(row, 'keyId', ...namesOf({ keyName: 0 }))).toEqual({ keyId: 'key_1', keyName: 'a' })
})
