import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createHash } from 'node:crypto'

/** Key formats that an attacker would also recognise. */
const FORMS: Readonly<Record<string, RegExp>> = {
  'private key': /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[\s\\n]*[A-Za-z0-9+/=\s\\]{64,}/g,
  'Anthropic key': /\bsk-ant-[\w-]{20,}/g,
  'OpenAI or Mingxi key': /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}/g,
  'Google key': /\bAIza[\w-]{35}\b/g,
  'Google secret': /\bGOCSPX-[\w-]{20,}/g,
  'AWS key id': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  'Aliyun key id': /\bLTAI[A-Za-z0-9]{16,}\b/g,
  'Stripe key': /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  'webhook secret': /\bwhsec_[A-Za-z0-9+/=_-]{24,}/g,
  'GitHub token': /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,})/g,
  'npm token': /\bnpm_[A-Za-z0-9]{36}\b/g,
  'Slack token': /\bxox[abprs]-[\w-]{20,}/g,
  'JSON web token': /\beyJ[\w-]{16,}\.eyJ[\w-]{16,}\.[\w-]{16,}/g,
  'password in a URL': /\b[a-z][a-z0-9+]{2,}:\/\/[^\s/:@'"`${}<>]{1,60}:[^\s/:@'"`${}<>]{6,}@[\w.-]+/g,
}

/** Heuristic findings: the allow-list may exempt a whole folder of recorded responses from them. */
const GUESSED_KINDS = ['value of a secret', 'random text'] as const

/** A name that suggests a secret, with a value on the same line. */
const NAMED = /(?:secret|token|passw(?:or)?d|api[_-]?key|private[_-]?key|credential|pepper)\w*['"]?\s*(?:[:=]|=>)\s*['"`]?([A-Za-z0-9+/_=-]{20,})/gi
/** Runs of letters and digits longer than any word, path or name. */
const RUN = /[A-Za-z0-9+/_-]{40,}={0,2}/g

/** Entropy in bits per character; random base64 has about 5 over forty characters, hex 3.7, English in camelCase 3.9. */
function measureEntropy(text: string): number {
  const counts = new Map<string, number>()
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  return [...counts.values()].reduce((bits, n) => bits - (n / text.length) * Math.log2(n / text.length), 0)
}

const HEX = /^[0-9a-f]+$/i
function isRandom(text: string): boolean {
  if (HEX.test(text)) return text.length >= 32 && measureEntropy(text) > 3.3
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(text)).length
  return kinds === 3 && measureEntropy(text) > (text.length < 40 ? 4 : 4.5)
}

interface SuspectedSecret {
  readonly line: number
  readonly what: string
  /** The first letters: enough to find the value, too few to use it. */
  readonly shown: string
  /** Hash that identifies the value on the allow-list, so that the list does not contain it. */
  readonly mark: string
}

export const computeSecretMark = (value: string) => createHash('sha256').update(value).digest('hex').slice(0, 16)

/** Checksums of packages: public, with hundreds of occurrences. */
const INTEGRITY = /\bsha(?:1|256|384|512)-[A-Za-z0-9+/]{20,}={0,2}/g

/** Finds suspected secrets in a text, at most one per line. */
export function findSecrets(text: string): SuspectedSecret[] {
  const plain = text.replace(INTEGRITY, (sum) => ' '.repeat(sum.length))
  const found = new Map<number, SuspectedSecret>()
  const lineOf = lineFinder(plain)
  const add = (what: string, value: string, at: number) => {
    const line = lineOf(at)
    if (!found.has(line)) found.set(line, { line, what, shown: `${value.slice(0, 8)}…`, mark: computeSecretMark(value) })
  }
  for (const [what, form] of Object.entries(FORMS)) for (const match of plain.matchAll(form)) add(what, match[0], match.index)
  for (const match of plain.matchAll(NAMED)) if (isRandom(match[1]!)) add(GUESSED_KINDS[0], match[1]!, match.index)
  for (const match of plain.matchAll(RUN)) if (isRandom(match[0])) add(GUESSED_KINDS[1], match[0], match.index)
  return [...found.values()].sort((a, b) => a.line - b.line)
}

/** Returns the line number of an offset. */
function lineFinder(text: string): (at: number) => number {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at)
  return (at) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! < at) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

/**
 * An allowed finding. `path`: `*` for any run of letters. `marks`: the allowed marks (`secrets.ts`), or `guessed` (never a known key
 * format). `why`: the reason.
 */
interface AllowedSecret {
  readonly path: string
  readonly marks: readonly string[] | 'guessed'
  readonly why: string
}

const MAX_BYTES = 4_000_000
const BINARY_FILES = /\.(?:png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|wav|mp3|m4a|ogg|webm|mp4|pdf|gz|br|zip)$/i

const matchesPattern = (pattern: string, path: string) => new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(path)

/** Reports findings that are not allowed, and unused entries of the list. */
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

/** Reads every file that is tracked or could be, if it is text of moderate size. */
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
