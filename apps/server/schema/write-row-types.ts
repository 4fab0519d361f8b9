/** `npm run db:types`: migrates an empty database and writes the row types of its tables, a file for each feature. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#platform/server/database/db.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { selectColumns } from './data.ts'
import { buildRowTypes } from './row-types.ts'

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'mingxi-schema-'))
const postgres = await startPostgres(folder, { fsync: 'off' })
try {
  await migrate(postgres.url, join(root, 'apps/server/migrations'))
  const db = connect(postgres.url, { max: 1, asOwner: true, name: 'mingxi-schema' })
  const files = buildRowTypes(await selectColumns(db), readdirSync(join(root, 'features')))
  await db.close()
  for (const [path, text] of files) writeFileSync(join(root, path), text)
  console.log(`wrote ${files.size} files`)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
