import { readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { isTest, walk } from '../walk.ts'

/** Words of a private dialect, each with a plain English replacement. */
const WORDS: Readonly<Record<string, string>> = {
  'nobody': 'no caller, no client',
  'somebody': 'a caller, an operator',
  'whoever': 'the caller, the user',
  'anew': 'again, retried',
  'as ever': 'as before, or nothing',
  'all the same': 'still, regardless',
  "of one's own": 'an existing one',
  'goes on': 'continues',
  'is told': 'receives, is notified',
  'are told': 'receive, are notified',
  'dear': 'expensive',
  'dearer': 'more expensive',
  'dearest': 'most expensive',
  'the house': 'we, the operator',
}
const WORD = new RegExp(`\\b(${Object.keys(WORDS).join('|')})\\b`, 'i')
/** A comment or a title names its subject first; a question may begin with one of these. */
const RIDDLE = /^(What|Who|Whoever|Where|Whether)\b[^?]*$/i
export interface Comment {
  /** Line of its first word, from 1. */
  readonly line: number
  readonly text: string
}

/**
 * Parses the comments of TypeScript or JavaScript with their line numbers: a block, consecutive lines of `//`, or the end of a line of
 * code.
 */
export function parseComments(source: string): Comment[] {
  const lines = source.split('\n')
  const comments: Comment[] = []
  for (let at = 0; at < lines.length; at++) {
    const opened = /^(\s*)(\/\*\*?|\/\/)(.*)$/.exec(lines[at]!) ?? /^(.*?\S\s)(\/\/|\/\*\*?)(\s.*)$/.exec(lines[at]!)
    if (opened === null) continue
    const [, before, mark, first] = opened
    let last = at
    if (mark !== '//') while (last < lines.length - 1 && !lines[last]!.includes('*/')) last++
    else if (before!.trim() === '') while (/^\s*\/\//.test(lines[last + 1] ?? '')) last++
    const rest = lines.slice(at + 1, last + 1).map((line) => line.replace(/^\s*(?:\*(?!\/)|\/\/)? ?/, ''))
    comments.push({
      line: at + 1,
      text: [first!, ...rest]
        .join(' ')
        .replace(/\*\/.*$/, '')
        .trim(),
    })
    at = last
  }
  return comments
}

/** Parses the comments of SQL, in functions too: consecutive lines, or the end of a line of code. */
export function parseSqlComments(source: string): Comment[] {
  const comments: { line: number; text: string }[] = []
  let block: { line: number; text: string } | undefined
  for (const [at, line] of source.split('\n').entries()) {
    const [, code = '', text] = /^(.*?)-- ?(.*)$/.exec(line) ?? []
    const comment = text === undefined ? undefined : { line: at + 1, text }
    const isBlock = comment !== undefined && code.trim() === ''
    if (isBlock && block) block.text += ` ${comment.text}`
    else if (comment) comments.push(comment)
    block = isBlock ? (block ?? comment) : undefined
  }
  return comments
}

/** Parses titles of tests, log messages, and summaries of endpoints, jobs and commands, with their line numbers. */
export function parseMessages(path: string, source: string): Comment[] {
  const patterns = isTest(path) ? [TITLE, LOG, SUMMARY] : [LOG, SUMMARY]
  return source
    .split('\n')
    .flatMap((text, at) => patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, , said]) => ({ line: at + 1, text: said! }))))
}

const TITLE = /(?:^|\s|\))(?:test|it|describe)?(?:\.\w+)?\((['"`])((?:(?!\1).)+)\1, (?:async )?(?:\(|function)/g
const LOG = /\blog\.(?:trace|debug|info|warn|error|fatal)\(.*?(['"`])((?:(?!\1).)+)\1\)/g
const SUMMARY = /\bsummary: (['"`])((?:(?!\1).)+)\1/g

/** Splits a name into words: `sendToAll` is "send To All". */
const splitName = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[-_.]/g, ' ')
const DECLARED = /^\s*(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class|interface|type) [[{ ]*(\w+)/gm

const findWord = (path: string, line: number, text: string): string[] => {
  const found = WORD.exec(text)?.[1]?.toLowerCase()
  return found === undefined ? [] : [`${path}:${line}: "${found}": write ${WORDS[found]}`]
}
const findRiddle = (path: string, line: number, text: string): string[] => {
  const found = RIDDLE.exec(text)?.[1]
  return found === undefined ? [] : [`${path}:${line}: begins with "${found}": name the thing, then say what it does`]
}

/** Finds dialect in the comments of a migration. */
export const findSqlDialect = (path: string, source: string): string[] =>
  parseSqlComments(source).flatMap(({ line, text }) => [...findWord(path, line, text), ...findRiddle(path, line, text)])

/** Finds dialect in the comments, messages and names of a source file. */
export function findDialect(path: string, source: string): string[] {
  const word = (line: number, text: string): string[] => findWord(path, line, text)
  const riddle = (line: number, text: string): string[] => findRiddle(path, line, text)
  const lineAt = (index: number): number => source.slice(0, index).split('\n').length
  return [
    ...[...parseComments(source), ...parseMessages(path, source)].flatMap(({ line, text }) => [...word(line, text), ...riddle(line, text)]),
    ...[...source.matchAll(DECLARED)].flatMap((match) => word(lineAt(match.index), splitName(match[1]!))),
    ...word(1, splitName(basename(path))),
  ]
}

/** Finds dialect in a documentation page; ignores quoted code and addresses. */
export function findPageDialect(path: string, text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`|\]\([^)\n]*\)/g, '')
  return prose.split('\n').flatMap((line, at) => {
    const found = WORD.exec(line)?.[1]?.toLowerCase()
    return found === undefined ? [] : [`${path}:${at + 1}: "${found}": write ${WORDS[found]}`]
  })
}

/** Pages for customers have a separate review. */
const isCustomers = (path: string): boolean => /^features\/[^/]+\/(?:help|legal|messages)\/|\.zh\.md$/.test(path)

if (import.meta.main) {
  const root = process.cwd()
  const files = ['apps', 'bench', 'deploy', 'docs', 'e2e', 'features', 'platform', 'scripts', 'stand-ins', 'ui'].flatMap((room) => walk(join(root, room)))
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((name) => join(root, name))
  const problems = [...files, ...pages]
    .map((path) => relative(root, path))
    .filter((path) => !isCustomers(path))
    .flatMap((path) => {
      if (/\.(tsx?|mts|mjs)$/.test(path)) return findDialect(path, readFileSync(join(root, path), 'utf8'))
      if (path.endsWith('.sql')) return findSqlDialect(path, readFileSync(join(root, path), 'utf8'))
      return path.endsWith('.md') ? findPageDialect(path, readFileSync(join(root, path), 'utf8')) : []
    })
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
