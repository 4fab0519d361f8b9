import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const REPOSITORY_ROOT = join(import.meta.dirname, '../..')

/** Folders that the server reads at run time, at the same place in the release. */
export const DATA_FOLDERS = ['apps/server/migrations', 'apps/extension'] as const

/** How a program is started: as a thread, as a parser of hostile files in a limited process, or as another process. */
export type ChildKind = 'worker' | 'parser' | 'process'
const CHILD_PATTERNS = [/new URL\('(\.\/[^']+\.ts)', import\.meta\.url\)/g, /join\(import\.meta\.dirname, '([^']+\.ts)'\)/g] as const
/** Source files of the server; tests, test tools, builders and benches never ship. */
export const SERVER_SOURCES = ['apps/server/**/*.ts', 'features/*/server/**/*.ts', 'platform/server/**/*.ts', 'platform/shared/**/*.ts']
const isShipped = (file: string): boolean => !/\.test\.ts$|\.bench\.ts$|\/testing\/|\/builders\.ts$/.test(file)

export const toReleaseBundleName = (file: string): string => file.replace(/\.ts$/, '').replaceAll(/[/.]/g, '-')

/** Finds the workers and child processes that a source file starts, relative to the repository. */
export function findChildPrograms(file: string, code: string): [source: string, kind: ChildKind][] {
  const process: ChildKind = code.includes('createParserPool({') ? 'parser' : 'process'
  return CHILD_PATTERNS.flatMap((pattern, at) =>
    [...code.matchAll(pattern)].map((match): [string, ChildKind] => [join(dirname(file), match[1]!), at === 0 ? 'worker' : process]),
  )
}

/** Matches every start of a worker or child process, and those whose program is a literal. */
const START = /\bnew Worker\(|(?<![\w.])fork\(|\b(?:createParserPool|limitedCommand)\((?=\{)/g
const NAMED =
  /^(?:new Worker\(new URL\('\.\/[^']+\.ts', import\.meta\.url\)|fork\(join\(import\.meta\.dirname, '[^']+\.ts'\)|\w+\(\{[^}]*?\bentry: join\(import\.meta\.dirname, '[^']+\.ts'\))/

/** Finds starts whose program is not a literal: a release would lack it. `platform/server/parsing` passes on its callers' programs. */
export function findUnreadableStarts(file: string, code: string): string[] {
  if (file.startsWith('platform/server/parsing/')) return []
  return [...code.matchAll(START)]
    .filter(({ index }) => !NAMED.test(code.slice(index)))
    .map(({ index }) => `${file}:${code.slice(0, index).split('\n').length} starts a program that is not named by a literal`)
}

/** Lists every worker and child process of the server. Throws if one cannot be found, or if its file is missing. */
export function listChildPrograms(root = REPOSITORY_ROOT): ReadonlyMap<string, ChildKind> {
  const files = globSync(SERVER_SOURCES, { cwd: root }).filter(isShipped).toSorted()
  const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
  const problems = texts.flatMap(([file, code]) => findUnreadableStarts(file, code))
  if (problems.length) throw new Error(`The release cannot find every worker and child process:\n  ${problems.join('\n  ')}`)
  const children = new Map(texts.flatMap(([file, code]) => findChildPrograms(file, code)))
  const missing = [...children.keys()].filter((source) => !existsSync(join(root, source)))
  if (missing.length) throw new Error(`The server starts programs that are not there: ${missing.join(', ')}`)
  return children
}
