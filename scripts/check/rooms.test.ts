import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { walk } from './walk.ts'

const root = join(import.meta.dirname, '../..')
const HOMES = ['apps', 'features', 'platform', 'ui', 'scripts', 'e2e', 'bench', 'stand-ins']
const MOST = 25

/** Folders with too many source files to survey at a glance: they need subfolders. */
function listCrowdedFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const file of files) if (/\.(?:tsx?|mjs)$/.test(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > MOST).map(([folder, count]) => `${folder}: ${count} files`)
}

test('no folder holds more than 25 source files', () => {
  const files = HOMES.flatMap((home) => walk(join(root, home)))
  expect(files.length).toBeGreaterThan(1000)
  expect(listCrowdedFolders(files.map((file) => relative(root, file)))).toEqual([])
})

test('a folder with one more is reported; pictures and texts do not count', () => {
  const room = Array.from({ length: MOST }, (_, at) => `ui/part-${at}.tsx`)
  expect(listCrowdedFolders([...room, 'ui/mark.svg', 'ui/time/countdown.tsx'])).toEqual([])
  expect(listCrowdedFolders([...room, 'ui/one-more.ts'])).toEqual(['ui: 26 files'])
})
