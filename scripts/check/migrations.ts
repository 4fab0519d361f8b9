import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { walk } from './walk.ts'

const NAME = /^(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/

const INDEXES = 'indexes'
/** Files before this one were applied before indexes had a separate folder. */
const INDEX_LANE_FROM = 80

/**
 * One `create index concurrently` named as the file, because the catalogue is searched by that name (platform/server/database/migrate.ts).
 */
function checkIndex(path: string, text: string): string[] {
  const name = path.slice(INDEXES.length + 1)
  const statement = text.replace(/--.*$/gm, '').trim()
  const made = /^create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)\s+on\s[^;]+;?$/i.exec(statement)?.[1]
  return made !== undefined && name === `${made}.sql` ? [] : [`${path}: is one "create index concurrently NAME on ..." in NAME.sql`]
}

/** Lists tables that a file indexes but does not create. */
function listIndexedTables(text: string): string[] {
  const sql = text.replace(/--.*$/gm, '')
  const made = new Set([...sql.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map((match) => match[1]))
  const indexed = [...sql.matchAll(/\bcreate\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?\w+\s+on\s+(?:only\s+)?(\w+)/gi)].map((match) => match[1]!)
  return indexed.filter((table) => !made.has(table))
}

/**
 * Checks that migrations are plain SQL, forward only, in one order for the whole database: 0001_first.sql, 0002_second.sql ... without a
 * gap.
 */
export function checkMigrations(files: readonly (readonly [name: string, text: string])[]): string[] {
  const problems: string[] = []
  const inLane = ([name]: readonly [string, string]) => name.startsWith(`${INDEXES}/`)
  for (const [name, text] of files.filter(inLane)) problems.push(...checkIndex(name, text))
  const sorted = files.filter((file) => !inLane(file)).sort(([a], [b]) => (a < b ? -1 : 1))
  let expected = 1
  for (const [name, text] of sorted) {
    const number = NAME.exec(name)?.[1]
    if (!number) {
      problems.push(`${name}: a migration is called 0001_what_it_does.sql`)
      continue
    }
    if (Number(number) < expected) problems.push(`${name}: number ${number} is taken`)
    else if (Number(number) > expected) problems.push(`${name}: expected ${String(expected).padStart(4, '0')} next`)
    expected = Math.max(expected, Number(number)) + (Number(number) < expected ? 0 : 1)
    if (!text.replace(/--.*$/gm, '').trim()) problems.push(`${name}: is empty`)
    if (/^\s*(begin|commit|rollback)\s*;/im.test(text)) problems.push(`${name}: each file runs in one transaction already: no begin, commit or rollback`)
    if (/\bcreate\s+(unique\s+)?index\s+concurrently\b/i.test(text)) problems.push(`${name}: "concurrently" cannot run in a transaction: ${INDEXES}/ is for it`)
    if (Number(number) >= INDEX_LANE_FROM)
      for (const table of listIndexedTables(text))
        problems.push(`${name}: an index on ${table}, which is in use, locks out its writes: build it concurrently in ${INDEXES}/`)
  }
  return problems
}

if (import.meta.main) {
  const folder = join(process.cwd(), 'apps/server/migrations')
  const problems = checkMigrations(walk(folder).map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')] as const))
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
