import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { GUESSED_KINDS, findSecrets } from './secret-rules.ts'

/** By path, `*` for any run of letters: what may stand there, by mark (`secret-rules.ts`) or `guessed` (never a known form of a key), and why. */
interface AllowedSecret {
  readonly path: string
  readonly marks: readonly string[] | 'guessed'
  readonly why: string
}

const MAX_BYTES = 4_000_000
const BINARY_FILES = /\.(?:png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|wav|mp3|m4a|ogg|webm|mp4|pdf|gz|br|zip)$/i

const matchesPattern = (pattern: string, path: string) => new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(path)

/** Lines that name what is not allowed, and entries of the list that nothing needs any more. */
export function checkSecrets(files: Iterable<readonly [path: string, text: string]>, allowed: readonly AllowedSecret[]): string[] {
  const problems: string[] = []
  const unused = new Set(allowed.flatMap(({ path, marks }) => (marks === 'guessed' ? [path] : marks.map((mark) => `${path} ${mark}`))))
  for (const [path, text] of files) {
    for (const { line, what, shown, mark } of findSecrets(text)) {
      const entry = allowed.find(
        (one) => matchesPattern(one.path, path) && (one.marks === 'guessed' ? GUESSED_KINDS.some((guess) => guess === what) : one.marks.includes(mark)),
      )
      if (entry) unused.delete(entry.marks === 'guessed' ? entry.path : `${entry.path} ${mark}`)
      else
        problems.push(`${path}:${line}: ${what} ${shown} (mark ${mark}): take it out and revoke it; a made-up one goes to scripts/check/secrets-allowed.json`)
    }
  }
  return [...problems, ...[...unused].map((entry) => `scripts/check/secrets-allowed.json: nothing needs ${entry}`)]
}

/** Every file that is tracked or could be: text of bearable size. */
function* trackedFiles(root: string): Iterable<readonly [string, string]> {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, maxBuffer: 64_000_000 }).toString()
  for (const path of new Set(listed.split('\0'))) {
    if (!path || BINARY_FILES.test(path)) continue
    const file = join(root, path)
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat?.isFile() || stat.size > MAX_BYTES) continue
    const text = readFileSync(file, 'utf8')
    if (!text.includes('\0')) yield [path, text]
  }
}

if (import.meta.main) {
  const root = process.cwd()
  const allowed = JSON.parse(readFileSync(join(root, 'scripts/check/secrets-allowed.json'), 'utf8')) as AllowedSecret[]
  const problems = checkSecrets(trackedFiles(root), allowed)
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
