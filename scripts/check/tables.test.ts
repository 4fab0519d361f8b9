import { describe, expect, test } from 'vitest'
import { findForeignTables, findTableOwner } from './tables.ts'

const FEATURES = ['account', 'wallet', 'payments', 'gateway', 'tool-mail', 'backoffice']
const names = (path: string, text: string) => findForeignTables(path, text, FEATURES)

describe('tables that a file names', () => {
  test.each([
    ['features/payments/server/data.ts', 'select 1 from wallet_accounts'],
    ['features/payments/server/data.ts', 'select wallet_post($1)'],
    ['features/wallet/server/data.ts', 'update tool_mail_boxes set a = 1'],
    ['features/gateway/server/keys/data.ts', 'insert into wallet_transfers values (1)'],
  ])('%s with "%s" is refused', (path, text) => {
    expect(names(path, text)).toHaveLength(1)
  })
  test.each([
    ['features/payments/server/data.ts', 'select 1 from payments_orders join audit_rows on true'],
    ['features/gateway/server/journal/leases/data-leases.ts', 'select free from wallet_accounts'],
    ['features/backoffice/server/data.ts', 'select 1 from wallet_accounts'],
    ['features/wallet/server/data.ts', 'select account_id from wallet_holds'],
    ['features/payments/server/pay.ts', `import { walletErrors } from '#features/wallet/contract.ts'`],
  ])('%s with "%s" may', (path, text) => {
    expect(names(path, text)).toEqual([])
  })
})

test.each([
  ['wallet_accounts', 'wallet'],
  ['tool_mail_boxes', 'tool-mail'],
  ['audit_rows', undefined],
  ['walletless', undefined],
])('%s belongs to %s', (table, owner) => {
  expect(findTableOwner(table, FEATURES)).toBe(owner)
})
