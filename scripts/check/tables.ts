import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { unrestricted } from './imports/allowed-imports.ts'
import { isTest, walk } from './walk.ts'

/** Files that may access another feature's tables in SQL instead of its door, with reasons. */
const PASSES: Readonly<Record<string, readonly string[]>> = {
  // A grant is one statement (docs/decisions/leases-and-group-commit.md).
  'features/gateway/server/journal/leases/data-leases.ts': ['wallet'],
}

/** Prefix of a feature's tables and functions: its name, in snake case. */
const toTablePrefix = (feature: string): string => `${feature.replaceAll('-', '_')}_`

/** Finds the feature that owns a table. Tables without a feature's prefix belong to the platform: undefined. */
export const findTableOwner = (table: string, features: readonly string[]): string | undefined => features.find((name) => table.startsWith(toTablePrefix(name)))

/** Finds uses of other features' tables and functions. */
export function findForeignTables(path: string, text: string, features: readonly string[]): string[] {
  const own = /^features\/([^/]+)\//.exec(path)?.[1] ?? ''
  if (unrestricted.includes(own)) return []
  const others = features.filter((name) => name !== own && !PASSES[path]?.includes(name)).map(toTablePrefix)
  if (!others.length) return []
  const name = `(?:${others.join('|')})[a-z_]+`
  const named = new RegExp(`\\b(?:from|join|into|update|table)\\s+(${name})|\\b(?:select|perform|call)\\s+(${name})\\s*\\(`, 'gi')
  return [...text.matchAll(named)].map((match) => `${path}: names ${match[1] ?? match[2]}, which is another feature's: ask at its door`)
}

if (import.meta.main) {
  const root = process.cwd()
  const features = readdirSync(join(root, 'features'))
  const files = walk(join(root, 'features')).filter((file) => file.endsWith('.ts') && !isTest(file) && !file.includes('/server/testing/'))
  const problems = files.flatMap((file) => findForeignTables(relative(root, file), readFileSync(file, 'utf8'), features))
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
