import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkMigrations } from '../check/migrations.ts'
import { checkTexts } from '../check/texts.ts'
import { writePlan, buildMigrationPath, planFiles } from '../new.ts'

const root = join(import.meta.dirname, '../..')
const COPIED = [
  'platform',
  'scripts/check',
  'scripts/lint',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.server.json',
  'tsconfig.web.json',
  'tsconfig.console.json',
  '.oxlintrc.json',
  '.oxfmtrc.json',
  '.dependency-cruiser.mjs',
]
let tree = ''

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'mingxi-new-'))
  for (const path of COPIED) cpSync(join(root, path), join(tree, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  mkdirSync(join(tree, 'apps/server/migrations'), { recursive: true })
  writeFileSync(join(tree, 'apps/server/migrations/0001_platform.sql'), 'select 1;')
  for (const words of [
    ['feature', 'cards-two'],
    ['verb', 'cards-two', 'freeze-card'],
    ['vendor', 'cards-two', 'some-bank'],
    ['migration', 'card-limits'],
  ])
    writePlan(tree, planFiles(tree, words))
  // Carries out the printed manual steps.
  writeFileSync(join(tree, 'apps/server/features.ts'), `import { cardsTwo } from '#features/cards-two/server/index.ts'\n\nexport const features = [cardsTwo]\n`)
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

const run = (script: string, ...args: string[]) => {
  const done = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: tree, encoding: 'utf8' })
  return `${done.stdout}${done.stderr}`.split('\n').filter((line) => /features\/cards-two/.test(line))
}

describe('a scaffolded feature', () => {
  test('keeps the boundaries', () => {
    expect(run('dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.mjs', 'apps', 'features', 'platform')).toEqual([])
  })
  test('passes the linter', () => {
    expect(run('oxlint/bin/oxlint', '-f', 'unix', 'features')).toEqual([])
  })
  test('is formatted', () => {
    expect(run('oxfmt/bin/oxfmt', '--check', 'features')).toEqual([])
  })
  test.each(['server', 'web'])('passes the type checker: %s', (half) => {
    expect(run('typescript7/bin/tsc', '-p', `tsconfig.${half}.json`)).toEqual([])
  })
  test('has its texts', () => {
    expect(checkTexts(tree).filter((line) => line.includes('cards-two'))).toEqual([])
  })
  test('a planted breach is found', () => {
    const file = join(tree, 'features/cards-two/web/index.tsx')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `import '../server/routes.ts'\n${text}`)
    expect(run('dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.mjs', 'apps', 'features', 'platform').join()).toContain(
      'browser-not-server',
    )
    writeFileSync(file, text)
  })
})

describe('scaffolded files', () => {
  test('a migration takes the next number', () => {
    expect(existsSync(join(tree, 'apps/server/migrations/0002_card_limits.sql'))).toBe(true)
    expect(buildMigrationPath(['0001_a.sql', '0009_b.sql'], 'more')).toBe('apps/server/migrations/0010_more.sql')
    expect(
      checkMigrations([
        ['0001_a.sql', 'select 1;'],
        ['0002_card_limits.sql', readFileSync(join(tree, 'apps/server/migrations/0002_card_limits.sql'), 'utf8')],
      ]),
    ).toEqual(['0002_card_limits.sql: is empty'])
  })
  test('a vendor of a known kind implements the port that is there', () => {
    expect(planFiles(root, ['vendor', 'account', 'apple']).files['features/account/server/vendors/apple/index.ts']).toContain('Partial<SignInProvider>')
    expect(Object.keys(planFiles(root, ['vendor', 'account', 'apple']).files)).toHaveLength(1)
  })

  test('a verb is put into its folder, or into verbs', () => {
    const made = (name: string) => Object.keys(planFiles(root, ['verb', 'gateway', name]).files)
    expect(made('keys/pause-key')).toEqual(['features/gateway/server/keys/pause-key.ts', 'features/gateway/server/keys/pause-key.db.test.ts'])
    expect(made('pause-key')[0]).toBe('features/gateway/server/verbs/pause-key.ts')
    expect(() => made('../pause-key')).toThrow('kebab-case')
  })

  test('a payment channel is called as its port calls it', () => {
    const { files } = planFiles(root, ['vendor', 'payments', 'paypal'])
    expect(files['features/payments/server/vendors/paypal/index.ts']).toMatch(/name: 'paypal',\n {2}sandbox: false,/)
  })

  test('a model vendor comes with what pages show of it, and with no flag that its port does not know', () => {
    const { files, steps } = planFiles(root, ['vendor', 'gateway', 'mistral'])
    expect(Object.keys(files)).toEqual(['features/gateway/server/vendors/mistral/shown.ts', 'features/gateway/server/vendors/mistral/index.ts'])
    expect(files['features/gateway/server/vendors/mistral/index.ts']).toMatch(/: ModelVendor = \{\n {2}id: shown\.id,/)
    const taken = ['anthropic', 'cohere', 'google', 'openai'].map(
      (id) => /color: (\d)/.exec(readFileSync(join(root, `features/gateway/server/vendors/${id}/shown.ts`), 'utf8'))?.[1],
    )
    expect(taken).not.toContain(/color: (\d)/.exec(files['features/gateway/server/vendors/mistral/shown.ts']!)![1])
    expect(steps.join('\n')).toContain('catalogue/prices')
  })
  test('nothing is overwritten', () => {
    expect(() => writePlan(tree, planFiles(tree, ['feature', 'cards-two']))).toThrow('already there')
  })
  test.each([
    [['feature', 'Cards']],
    [['feature', '../cards']],
    [['verb', 'nowhere', 'go']],
    [['verb', 'cards-two', 'freezeCard']],
    [['migration', 'a b']],
    [['something']],
    [[]],
  ])('%j is refused', (words) => {
    expect(() => planFiles(tree, words)).toThrow()
  })
})
