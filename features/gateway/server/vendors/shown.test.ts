import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { vendors } from './index.ts'

// pages find shown.ts by its path, the relay uses the list: both must have the same vendors
test('a vendor is a folder of its name, with what pages show of it, and a line in the list', () => {
  const listed = vendors.filter(({ id }) => !id.startsWith('sandbox')).map(({ id }) => id)
  const folders = globSync('*/shown.ts', { cwd: import.meta.dirname }).map((path) => path.split('/')[0])
  expect(folders.sort()).toEqual(listed.sort())
})

test('each vendor has a sandbox with its dialects, credentials and billing', () => {
  for (const real of vendors.filter(({ id }) => !id.startsWith('sandbox'))) {
    const stand = vendors.find(({ id }) => id === `sandbox-${real.id}`)!
    expect([stand.dialects, stand.authHeaders('k'), stand.billsAfterAbort]).toEqual([real.dialects, real.authHeaders('k'), real.billsAfterAbort])
    expect(stand.baseUrl.endsWith(`/sandbox/upstream/${real.id}`)).toBe(true)
  }
})
