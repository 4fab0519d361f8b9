import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'

/** The repository's files, and the codes that each page of docs/rules defines in a heading or at the head of a list item. */
export interface RepositoryIndex {
  readonly files: ReadonlySet<string>
  readonly rules: ReadonlyMap<string, ReadonlySet<string>>
}

const DEFINED = /^(?:#{2,4} |- )\**([A-Z]\d{1,2}|\d(?:\.\d{1,2})?)\b/gm
/** A capital of a family that docs/rules has or may get, and a number; not part of a name, a path or a version. */
const CODE = /(?<![\w./:#'’-])[ACHIKLMPRSTVWXZ]\d{1,2}(?![\w'’]|[.-]\d)/g
const ONE = String.raw`(?:[A-Z]\d{1,2}|\d(?:\.\d{1,2})?)\b`
const CITED = new RegExp(String.raw`\b([a-z]+\.md)((?:,? ${ONE}(?:(?:, | and | to )${ONE})*)?)`, 'g')
const FILE = /(?<![\w@*/.-])(?:\.{0,2}\/)?(?:[\w.-]+\/)*\w[\w.-]*\.(?:md|ts|tsx|mjs|sql)\b(?!\/)/g
const OUTSIDE = /\bspecifications?(?: \d|’s\b|'s\b)|\b[12]§\d/gi
/** A link from a page to a file or a folder; links in the site's own texts lead to addresses. */
const LINK = /\]\((?!https?:|mailto:|[#/])([^)#\s]+)/g
/** Number of a decision record; records now have names, and applied migrations keep the old numbers. */
const DECISION = /\bdecisions? \d{4}\b/g
const MOST_DECISIONS = 30

/** Words that are not references, by the file or file pattern that contains them. */
const NON_REFERENCES: readonly (readonly [file: RegExp, words: RegExp])[] = [
  [/./, /^V8$/], // the engine
  [/^docs\/security\.md$/, /^V\d+$/], // Chapters of OWASP ASVS.
  [/aliyun|sign-acs3/, /^V3$/], // A version of Aliyun's interface.
  [/identity|s3|settings|test-runs/, /^S3$/], // The store with Amazon's protocol.
  [/^features\/site\/help\/vite\.ts$/, /^x\.md$/], // an example
  [/^scripts\/check\/migrations\.ts$/, /^000\d_\w+\.sql$/], // examples
  [/^bench\/notes\/|^apps\/server\/migrations\/|^CHANGELOG(?:\.zh)?\.md$/, /\.(?:ts|tsx|mjs|sql)$/], // History keeps the names of its time.
]

export function parseDefinedCodes(text: string): Set<string> {
  return new Set([...text.matchAll(DEFINED)].map((match) => match[1]!))
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ')
const COMMENTS = [/(?<=^|[\s{(,])\/\*[*\s][\s\S]*?\*\//gm, /(?<=^|\s)\/\/ .*$/gm]
const TITLES = [/(?<=\b(?:test|describe|it)\b[^'"`\n]*['"`]).*$/gm, /(?<=['"`])[A-Z]\d{1,2}(?:, [A-Z]\d{1,2})*(?=: )/g]

/** Keeps the matches of these patterns and blanks the rest, so that line and column numbers stay the same. */
function keepMatches(text: string, patterns: readonly RegExp[]): string {
  const said = new Array<boolean>(text.length).fill(false)
  for (const pattern of patterns) for (const match of text.matchAll(pattern)) said.fill(true, match.index, match.index + match[0].length)
  return text.replace(/[^\n]/g, (sign, at: number) => (said[at] ? sign : ' '))
}

/** Extracts the prose of a file: all of a page, the comments of code; with `titles`, test titles as well. */
export function extractProse(path: string, text: string, titles = false): string {
  const urls = (prose: string) => prose.replace(/\bhttps?:\/\/[^\s)|]+/g, blank)
  if (path.endsWith('.md')) return urls(text.replace(/^```[\s\S]*?^```/gm, blank))
  if (path.endsWith('.sql')) return urls(keepMatches(text, [/--.*$/gm]))
  return urls(keepMatches(text, titles ? [...COMMENTS, ...TITLES] : COMMENTS).replace(/^(\s*)\*(?=\s)/gm, '$1 '))
}

/** Expands the codes of a list; "I1 to I5" includes those between. */
function expandCodes(list: string): string[] {
  return [...list.matchAll(/([A-Z])(\d+) to \1(\d+)|[A-Z]\d+|\d(?:\.\d+)?/g)].flatMap(([one, family, from, to]) =>
    family ? Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => `${family}${Number(from) + at}`) : [one],
  )
}

function exists(from: string, name: string, files: ReadonlySet<string>): boolean {
  const path = name.replace(/^\/|^(?:\.\/)+/, '')
  return files.has(path) || files.has(posix.normalize(join(dirname(from), name))) || [...files].some((file) => file.endsWith(`/${path}`))
}

/** Finds references of one file to missing targets, as `path:line: what`. */
export function findDanglingReferences(path: string, text: string, { files, rules }: RepositoryIndex): string[] {
  const [prose, withTitles] = [extractProse(path, text), extractProse(path, text, true)]
  const others = NON_REFERENCES.filter(([file]) => file.test(path))
  const codes = new Set([...rules.values()].flatMap((page) => [...page]))
  const tell = (index: number, what: string) => `${path}:${prose.slice(0, index).split('\n').length}: ${what}`
  const look = (at: string, pattern: RegExp, wrong: (match: RegExpMatchArray) => string | undefined) =>
    [...at.matchAll(pattern)].flatMap((match) => {
      const what = others.some(([, words]) => words.test(match[0])) ? undefined : wrong(match)
      return what ? [tell(match.index, what)] : []
    })
  return [
    ...look(withTitles, CODE, ([code]) => (codes.has(code) ? undefined : `${code} stands in no page of docs/rules`)),
    ...look(prose, CITED, ([, page, list]) => {
      const defined = rules.get(page!)
      if (!defined) return undefined
      if (!list && !path.endsWith('.md')) return `${page} without the code of a rule`
      const unknown = expandCodes(list!).filter((code) => !defined.has(code))
      return unknown.length ? `docs/rules/${page} has no ${unknown.join(', ')}` : undefined
    }),
    ...look(prose, FILE, ([name]) => (exists(path, name, files) ? undefined : `there is no ${name}`)),
    ...look(path.endsWith('.md') ? prose : '', LINK, ([, to]) => {
      const there = posix.normalize(join(dirname(path), to!)).replace(/\/$/, '')
      return files.has(there) || [...files].some((file) => file.startsWith(`${there}/`)) ? undefined : `the link to ${to} leads nowhere`
    }),
    ...look(prose, OUTSIDE, ([words]) => `"${words}" is not in the repository: name a line of docs/rules`),
    ...look(path.endsWith('.sql') ? '' : prose, DECISION, ([words]) => `"${words}": decisions have names, not numbers`),
  ]
}

/** Finds records missing from the index of decisions, and reports too many records. */
export function findUnlistedDecisions(files: Iterable<string>, index: string): string[] {
  const records = [...files].filter((path) => /^docs\/decisions\/(?!README\.md$)[\w-]+\.md$/.test(path))
  return [
    ...records.filter((path) => !index.includes(`(${basename(path)})`)).map((path) => `docs/decisions/README.md: has no line for ${basename(path)}`),
    ...(records.length > MOST_DECISIONS ? [`docs/decisions: ${records.length} records, at most ${MOST_DECISIONS}: one subject, one file`] : []),
  ]
}

function checkRules(root: string): string[] {
  const listing = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const files = new Set(listing.split('\n').filter((path) => path && existsSync(join(root, path))))
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const pages = [...files].filter((path) => /^docs\/rules\/[a-z]+\.md$/.test(path))
  const house = { files, rules: new Map(pages.map((path) => [basename(path), parseDefinedCodes(read(path))])) }
  return [
    ...[...files].filter((path) => /\.(?:md|[cm]?tsx?|mjs|sql|css)$/.test(path)).flatMap((path) => findDanglingReferences(path, read(path), house)),
    ...findUnlistedDecisions(files, read('docs/decisions/README.md')),
  ]
}

if (import.meta.main) {
  const problems = checkRules(process.cwd())
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
