import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names in backticks that look like code: `createRelay`, `ModelVendor.traits`, `postedOf()`, `GATEWAY_RETURN_MS`, `payments_orders`. */
const QUOTED = /(?<!`)`([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?:\([^`]*\))?`(?!`)/g
const IS_NAME = /^(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}_\w+|[a-z]+(?:_[a-z]+)+)$/
/** External names, with their owners. */
const FOREIGN = new Set([
  ...['process_resident_memory_bytes'], // prom-client
  ...['open_sync', 'open_datasync', 'current_timestamp', 'pg_total_relation_size', 'create_distributed_function'], // PostgreSQL, Citus
  ...['TCP_CORK', 'apparmor_restrict_unprivileged_userns'], // Linux
  ...['SECRET_KEYS_OTHER_FILE'], // Any setting with the ending _FILE (platform/server/config.ts).
])
const SOURCES = /\.(?:tsx?|mts|mjs|sql|json|ya?ml|css|html|sh|service|cfg|conf|toml)$/
/**
 * Skips history, which keeps the names of its time; pages about vendors and for customers, which use external names; and generated
 * settings.
 */
const UNCHECKED = /^(?:CHANGELOG(?:\.zh)?\.md|bench\/notes\/|docs\/vendors\/|docs\/settings\.md|features\/site\/help\/)/

/** Finds names quoted by a page that no source file contains. */
export function findUnknownNames(path: string, text: string, known: ReadonlySet<string>): string[] {
  return [...text.matchAll(QUOTED)].flatMap((match) =>
    match[1]!
      .split('.')
      .filter((name) => IS_NAME.test(name) && !known.has(name) && !FOREIGN.has(name))
      .map((name) => `${path}:${text.slice(0, match.index).split('\n').length}: no source file has \`${name}\``),
  )
}

/** All words of the sources. */
export const collectWords = (sources: Iterable<string>): Set<string> => {
  const words = new Set<string>()
  for (const source of sources) for (const [word] of source.matchAll(/[A-Za-z_$][\w$]*/g)) words.add(word)
  return words
}

if (import.meta.main) {
  const root = process.cwd()
  const listing = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const files = listing.split('\n').filter(Boolean)
  const read = (path: string): string => {
    try {
      return readFileSync(join(root, path), 'utf8')
    } catch {
      return '' // Deleted and not yet committed.
    }
  }
  const known = collectWords(files.filter((path) => SOURCES.test(path) && path !== 'package-lock.json').map(read))
  const problems = files.filter((path) => path.endsWith('.md') && !UNCHECKED.test(path)).flatMap((path) => findUnknownNames(path, read(path), known))
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
