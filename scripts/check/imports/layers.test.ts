import { expect, test } from 'vitest'
import { listFolderImports, findFolderCycles, findMisplacedImports, findUnlistedRooms } from './layers.ts'

const buildArrows = (...pairs: readonly string[]) => pairs.map((pair) => ({ file: pair.split(' ')[0]!, target: pair.split(' ')[1]! }))

test('imports of other folders are arrows; those of its own, of what is below and above are none', () => {
  const text = `import { a } from './own.ts'\nimport type { b } from '../beside/b.ts'\nexport { c } from '../up.ts'\nimport './below/d.ts'
const e = await import('#features/other/e.ts')\nnew Worker(new URL('../thread/f.ts', import.meta.url))\nimport pg from 'pg'\nimport g from '../beside/g.svg?raw'`
  expect(listFolderImports('features/one/server/here/x.ts', text).map(({ target }) => target)).toEqual([
    'features/one/server/beside/b.ts',
    'features/other/e.ts',
    'features/one/server/thread/f.ts',
    'features/one/server/beside/g.svg',
  ])
})

test('folders that import each other are a circle, also by way of a third', () => {
  expect(findFolderCycles(buildArrows('a/x.ts b/x.ts', 'b/y.ts c/x.ts', 'c/y.ts d/x.ts'))).toEqual([])
  expect(findFolderCycles(buildArrows('a/x.ts b/x.ts', 'b/y.ts c/x.ts', 'c/y.ts a/x.ts', 'd/x.ts a/x.ts'))).toEqual([['a', 'b', 'c']])
})

test('an import to a room that stands above is refused, and so is a room that is not listed', () => {
  const folders = new Set(['f/server', 'f/server/a', 'f/server/b', 'f/server/c'])
  const list = (rooms: string) => `- **Rooms of \`server/\`, from the top down**: ${rooms}`
  const down = buildArrows('f/server/a/x.ts f/server/b/x.ts')
  const told = (rooms: string) => findMisplacedImports('f/README.md', list(rooms), { arrows: down, folders })
  expect(told('a > b > c.')).toEqual([])
  expect(told('b > a > c.')).toEqual(['f/server/a/x.ts imports f/server/b/x.ts, which stands above it in f/README.md'])
  expect(told('a, b. Beside them: c.')).toEqual([])
  expect(told('a > b')).toEqual(['f/README.md: f/server/c is missing in the rooms of server/'])
  expect(told('a > b > c > d')).toEqual(['f/README.md: there is no room d in server/'])
})

test('a part of a feature with several rooms lists them', () => {
  const folders = new Set(['features/f/server', 'features/f/server/a', 'features/f/server/b', 'features/f/web', 'features/f/web/a'])
  expect(findUnlistedRooms(folders, () => '- **Rooms of `server/`, from the top down**: a > b.')).toEqual([])
  expect(findUnlistedRooms(folders, () => '')).toEqual(['features/f/README.md does not list the rooms of server/'])
})
