import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEST_ROOT, listTestFiles } from './parts.ts'
import type { PartName } from './parts.ts'

/** Files to run, part by part, and what the tests' titles must contain. */
export interface TestChoice {
  readonly files: ReadonlyMap<PartName, readonly string[]>
  readonly title: string | undefined
}

/**
 * Test files for the given words: a feature's tests and the journeys that import it; else files whose path contains a word; else tests whose title
 * does. Without words, all files.
 */
export function chooseTests(words: readonly string[], parts: readonly PartName[], root = TEST_ROOT): TestChoice {
  const all = parts.map((name) => [name, listTestFiles(name, root)] as const)
  if (words.length === 0) return { files: new Map(all), title: undefined }
  const keep = (fits: (file: string) => boolean) =>
    new Map(all.map(([name, files]) => [name, files.filter(fits)] as const).filter(([, files]) => files.length > 0))
  const byPath = keep((file) => words.some((word) => isOfWord(file, word, root)))
  if (byPath.size > 0) return { files: byPath, title: undefined }
  const title = words.join(' ')
  return { files: keep((file) => readFileSync(join(root, file), 'utf8').includes(title)), title }
}

function isOfWord(file: string, word: string, root: string): boolean {
  const path = word.replace(/^\.\//, '').replace(/\/$/, '')
  if (!existsSync(join(root, 'features', path))) return file.includes(path)
  return file.startsWith(`features/${path}/`) || (file.startsWith('e2e/') && readFileSync(join(root, file), 'utf8').includes(`'#features/${path}/`))
}
