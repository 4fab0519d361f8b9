import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { walk } from '../walk.ts'

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
/** A comment names its subject first; a question may begin with one of these. */
const RIDDLE = /^(What|Who|Whoever|Where|Whether)\b[^?]*$/
/** Stand-ins for vendors will leave the product. */
const LATER = 'features/gateway/server/vendors/sandbox/'

export interface Comment {
  /** Line of its first word, from 1. */
  readonly line: number
  readonly text: string
}

/** Comments of TypeScript or JavaScript by their lines: a block, consecutive lines of `//`, or the end of a line of code. */
export function commentsOf(source: string): Comment[] {
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

/** Faults of the comments in a source file, for a reader. */
export function dialectIn(path: string, source: string): string[] {
  return commentsOf(source).flatMap(({ line, text }) => {
    const word = WORD.exec(text)?.[1]?.toLowerCase()
    const riddle = RIDDLE.exec(text)?.[1]
    return [
      ...(word === undefined ? [] : [`${path}:${line}: "${word}": write ${WORDS[word]}`]),
      ...(riddle === undefined ? [] : [`${path}:${line}: begins with "${riddle}": name the thing, then say what it does`]),
    ]
  })
}

if (import.meta.main) {
  const root = process.cwd()
  const paths = ['apps', 'bench', 'e2e', 'features', 'platform', 'scripts', 'ui'].flatMap((room) => walk(join(root, room)))
  const problems = paths
    .map((path) => relative(root, path))
    .filter((path) => /\.(tsx?|mts|mjs)$/.test(path) && !path.startsWith(LATER))
    .flatMap((path) => dialectIn(path, readFileSync(join(root, path), 'utf8')))
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
