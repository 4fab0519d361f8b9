import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { walk } from './walk.ts'

const NAME = /^(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/

const INDEXES = 'indexes'
/** The head of a file that replaces older ones. Only a database without tables runs it, so its indexes lock out no writes. */
const FOLDS_LINE = /^-- folds (\d{4})\w*\.sql \(release [\d.]+\)\n/

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
 * gap. After the files that fold 0001 to 0075 comes 0076, so that no name of a folded file is used again.
 */
export function checkMigrations(files: readonly (readonly [name: string, text: string])[]): string[] {
  const problems: string[] = []
  const inLane = ([name]: readonly [string, string]) => name.startsWith(`${INDEXES}/`)
  for (const [name, text] of files.filter(inLane)) problems.push(...checkIndex(name, text))
  const sorted = files.filter((file) => !inLane(file)).sort(([a], [b]) => (a < b ? -1 : 1))
  let expected = 1
  let last = 0
  for (const [name, text] of sorted) {
    const number = NAME.exec(name)?.[1]
    if (!number) {
      problems.push(`${name}: a migration is called 0001_what_it_does.sql`)
      continue
    }
    const folded = FOLDS_LINE.exec(text)?.[1]
    if (folded !== undefined) last = Math.max(last, Number(folded))
    else expected = Math.max(expected, last + 1)
    if (Number(number) < expected) problems.push(`${name}: number ${number} is taken`)
    else if (Number(number) > expected) problems.push(`${name}: expected ${String(expected).padStart(4, '0')} next`)
    expected = Math.max(expected, Number(number)) + (Number(number) < expected ? 0 : 1)
    if (!text.replace(/--.*$/gm, '').trim()) problems.push(`${name}: is empty`)
    if (/^\s*(begin|commit|rollback)\s*;/im.test(text)) problems.push(`${name}: each file runs in one transaction already: no begin, commit or rollback`)
    if (/\bcreate\s+(unique\s+)?index\s+concurrently\b/i.test(text)) problems.push(`${name}: "concurrently" cannot run in a transaction: ${INDEXES}/ is for it`)
    if (folded === undefined)
      for (const table of listIndexedTables(text))
        problems.push(`${name}: an index on ${table}, which is in use, locks out its writes: build it concurrently in ${INDEXES}/`)
  }
  return problems
}

export type MigrationHashes = Readonly<Record<string, string>>

const hashText = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** Compares migrations with their recorded hashes: since 0.2.0 a file is only added, never changed or removed. */
export function checkHashes(files: readonly (readonly [name: string, text: string])[], hashes: MigrationHashes): string[] {
  const found = new Map(files.map(([name, text]) => [name, hashText(text)]))
  const changed = Object.keys(hashes).flatMap((name) => {
    // A dropped index must not be built again.
    if (!found.has(name) && name.startsWith(`${INDEXES}/`)) return []
    if (!found.has(name)) return [`${name}: was removed; databases have it, and migrations only grow`]
    return found.get(name) === hashes[name] ? [] : [`${name}: has changed; databases have it as it was: write a new migration`]
  })
  const added = [...found.keys()].filter((name) => hashes[name] === undefined)
  return [...changed, ...added.map((name) => `${name}: is not recorded; run "node scripts/check/migrations.ts --record" when it is finished`)]
}

/** Adds the hashes of new files; keeps those of all others. */
export function recordHashes(files: readonly (readonly [name: string, text: string])[], hashes: MigrationHashes): MigrationHashes {
  const all = { ...Object.fromEntries(files.map(([name, text]) => [name, hashText(text)])), ...hashes }
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

if (import.meta.main) {
  const folder = join(process.cwd(), 'apps/server/migrations')
  const record = join(import.meta.dirname, 'migration-hashes.json')
  const files = walk(folder).map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')] as const)
  let hashes = JSON.parse(readFileSync(record, 'utf8')) as MigrationHashes
  if (process.argv.includes('--record')) {
    hashes = recordHashes(files, hashes)
    writeFileSync(record, `${JSON.stringify(hashes, null, 2)}\n`)
  }
  const problems = [...checkMigrations(files), ...checkHashes(files, hashes)]
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
