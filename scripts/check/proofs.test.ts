import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Rows of `docs/proofs.md` whose second column names a missing test file. */
function listMissingProofs(text: string): string[] {
  const rows = text.split('\n').flatMap((line) => {
    const [, , file, title] = line.split(' | ').length === 3 ? ['', ...line.replace(/^\| | \|$/g, '').split(' | ')] : []
    return file?.endsWith('.test.ts') && title ? [{ file, title }] : []
  })
  if (rows.length < 30) throw new Error(`only ${rows.length} rows were understood`)
  return rows.filter(({ file, title }) => !read(file).includes(title)).map(({ file, title }) => `${file}: ${title}`)
}

test('every test that docs/proofs.md names is there', () => {
  expect(listMissingProofs(read('docs/proofs.md'))).toEqual([])
})

test('a missing test is reported', () => {
  expect(listMissingProofs(read('docs/proofs.md').replace('M5: after a crash too', 'M5: nowhere'))).toEqual([
    'features/gateway/server/catalogue/price-change.db.test.ts: M5: nowhere',
  ])
})
