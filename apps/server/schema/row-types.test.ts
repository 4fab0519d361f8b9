import { expect, test } from 'vitest'
import type { ColumnShape } from './data.ts'
import { buildRowTypes, parseEnumeration } from './row-types.ts'

const column = (given: Partial<ColumnShape>): ColumnShape => ({ table: 'wallet_holds', name: 'id', type: 'text', isNullable: false, checks: [], ...given })
const format = (given: Partial<ColumnShape>) => /readonly (.*)\n/.exec([...buildRowTypes([column(given)], ['wallet']).values()].join(''))?.[1]

test.each([
  [`(state = ANY (ARRAY['new'::text, 'done'::text]))`, ['new', 'done']],
  [`(note = ANY (ARRAY['it''s, fine'::text]))`, [`it's, fine`]],
  ['(threshold = ANY (ARRAY[50, 80, 100]))', undefined],
  [`(length(state) < 10)`, undefined],
  [`((state = ANY (ARRAY['new'::text])) OR paid)`, undefined],
])('literals of the check %s', (check, literals) => {
  expect(parseEnumeration(check)).toEqual(literals)
})

test.each([
  [{ name: 'order_no' }, 'orderNo: string'],
  [{ name: 'paid_at', type: 'timestamptz', isNullable: true }, 'paidAt: Date | null'],
  [{ name: 'data', type: 'jsonb', isNullable: true }, 'data: unknown'],
  [{ name: 'lang', isNullable: true }, 'lang: Lang | null'],
  [{ name: 'state', checks: [`(length(state) < 9)`, `(state = ANY (ARRAY['new'::text, 'done'::text]))`] }, `state: 'new' | 'done'`],
])('%j becomes %s', (given, property) => {
  expect(format(given)).toBe(property)
})

test('each table is an interface in the file of its feature, or in that of the platform', () => {
  const files = buildRowTypes([column({}), column({ table: 'audit_rows' })], ['wallet'])
  expect([...files].map(([path, text]) => [path, /interface \w+/.exec(text)?.[0]])).toEqual([
    ['features/wallet/server/tables.ts', 'interface WalletHoldsRow'],
    ['platform/server/database/tables.ts', 'interface AuditRowsRow'],
  ])
})

test('a column of a type without an entry is refused', () => {
  expect(() => format({ type: 'circle' })).toThrow("wallet_holds.id: add the driver's type for circle to DRIVER_TYPES")
})
