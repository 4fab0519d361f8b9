import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { walk } from './walk.ts'

const NAME = /^(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/

/** Plain SQL, forward only, one order for the whole database: 0001_first.sql, 0002_second.sql ... without a gap. */
export function checkMigrations(files: readonly (readonly [name: string, text: string])[]): string[] {
  const problems: string[] = []
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
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
    if (/\bcreate\s+(unique\s+)?index\s+concurrently\b/i.test(text)) problems.push(`${name}: "concurrently" cannot run in a transaction`)
  }
  return problems
}

if (import.meta.main) {
  const folder = join(process.cwd(), 'apps/server/migrations')
  const problems = checkMigrations(walk(folder).map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')] as const))
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
