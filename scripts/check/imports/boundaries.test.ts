import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCycle, allowedImports, unrestricted } from './allowed-imports.ts'
import { plantedFiles, legalImports, plantPackages, boundaryPlants } from './plants.ts'

const root = join(import.meta.dirname, '../../..')
const ORPHANS = { lonely: 'features/wallet/server/lonely.ts', test: 'features/wallet/server/lonely.test.ts' }

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
  readonly cycle?: readonly { readonly name: string }[]
}

let tree = ''
let found: readonly Violation[] = []

const toTwinPath = (file: string) => file.replace(/(\.test)?(\.tsx?)$/, '-twin$1$2')
const refusals = (file: string) =>
  [...new Set(found.filter((one) => one.from === file || one.cycle?.some((step) => step.name === file)).map((one) => one.rule.name))].sort()

function write(file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true })
  writeFileSync(join(tree, file), `${text}\n`)
}

const buildImport = (what: string) =>
  what.startsWith('type ')
    ? `import type { log } from '${what.slice('type '.length)}'\nexport const planted = 1\nexport type Log = typeof log`
    : `import ${what.endsWith('.json') ? `text from '${what}' with { type: 'json' }\nexport { text }` : `'${what}'`}\nexport const planted = 1`

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'mingxi-boundaries-'))
  const listed = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']))
  write(
    'package.json',
    JSON.stringify({
      name: 'fixture',
      type: 'module',
      imports: { '#apps/*': './apps/*', '#features/*': './features/*', '#platform/*': './platform/*', '#stand-ins/*': './stand-ins/*', '#ui/*': './ui/*' },
      dependencies: listed(plantPackages.dependencies),
      devDependencies: listed(plantPackages.devDependencies),
    }),
  )
  for (const name of [...plantPackages.dependencies, ...plantPackages.devDependencies]) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'index.js' }))
    write(`node_modules/${name}/index.js`, 'export const Pool = 1, request = 1, z = 1')
  }
  for (const [file, text] of Object.entries(plantedFiles)) write(file, text)
  for (const { file, bad, good } of boundaryPlants) {
    write(file, buildImport(bad))
    write(toTwinPath(file), buildImport(good))
  }
  for (const [file, imported] of legalImports) write(file, buildImport(imported))
  for (const file of Object.values(ORPHANS)) write(file, 'export const alone = 1')
  for (const folder of ['bench', 'e2e']) mkdirSync(join(tree, folder), { recursive: true })
  cpSync(join(root, '.dependency-cruiser.mjs'), join(tree, '.dependency-cruiser.mjs'))
  write('scripts/check/imports/allowed-imports.ts', '')
  cpSync(join(root, 'scripts/check/imports/allowed-imports.ts'), join(tree, 'scripts/check/imports/allowed-imports.ts'))
  const cli = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const done = spawnSync(
    process.execPath,
    [cli, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'apps', 'features', 'platform', 'stand-ins', 'ui', 'e2e'],
    {
      cwd: tree,
      encoding: 'utf8',
      maxBuffer: 64e6,
    },
  )
  if (!done.stdout) throw new Error(done.stderr)
  found = (JSON.parse(done.stdout) as { summary: { violations: readonly Violation[] } }).summary.violations
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

describe('import rules', () => {
  test.each(boundaryPlants)('$rule refuses $file -> $bad', ({ rule, file }) => {
    expect(refusals(file)).toContain(rule)
  })

  test.each(boundaryPlants)('and allows $good beside $file', ({ file }) => {
    expect(refusals(toTwinPath(file))).toEqual([])
  })

  test.each(legalImports)('%s may import %s', (file) => {
    expect(refusals(file)).toEqual([])
  })

  test('a file that no other imports is refused, unless it is a test', () => {
    expect(refusals(ORPHANS.lonely)).toEqual(['no-orphans'])
    expect(refusals(ORPHANS.test)).toEqual([])
  })

  test('every rule has its plant', async () => {
    const { default: config } = (await import(join(root, '.dependency-cruiser.mjs'))) as { default: { forbidden: readonly { name: string }[] } }
    const planted = new Set([...boundaryPlants.map((one) => one.rule), 'no-orphans'])
    const names = config.forbidden.map((rule) => rule.name).filter((name) => !name.startsWith('knock-') || name === 'knock-unlisted')
    expect(names.filter((name) => !planted.has(name))).toEqual([])
  })
})

describe('the graph of allowed imports', () => {
  test('has no cycle and names no unknown feature', () => {
    expect(findCycle(allowedImports)).toBeUndefined()
    expect(
      Object.values(allowedImports)
        .flat()
        .filter((name) => !(name in allowedImports)),
    ).toEqual([])
  })

  test('a planted cycle is found', () => {
    expect(findCycle({ a: ['b'], b: ['c'], c: ['b'] })).toEqual(['b', 'c', 'b'])
  })

  test('knows every feature', () => {
    const folders = existsSync(join(root, 'features')) ? readdirSync(join(root, 'features')) : []
    expect(folders.filter((name) => !(name in allowedImports) && !unrestricted.includes(name))).toEqual([])
  })
})
