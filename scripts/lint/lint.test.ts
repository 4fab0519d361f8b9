import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lintPlants } from './lint-plants.ts'

const root = join(import.meta.dirname, '../..')

interface Case {
  readonly rule: string
  readonly source: string
  readonly kind: 'bad' | 'good'
  readonly tree: string
  readonly file: string
}

/** Every case has a numbered tree, so that its relative path matches .oxlintrc.json. */
const cases = lintPlants
  .flatMap(({ rule, file, bad, good }) => [
    ...bad.map((source) => ({ rule, file, source, kind: 'bad' as const })),
    ...good.map((source) => ({ rule, file, source, kind: 'good' as const })),
  ])
  .reduce<Case[]>((all, one) => [...all, { ...one, tree: String(all.filter((other) => other.file === one.file).length) }], [])
const trees = [...new Set(cases.map((one) => one.tree))]

let home = ''
const found = new Map<string, Set<string>>()

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'mingxi-lint-'))
  for (const tree of trees) {
    const base = join(home, tree)
    cpSync(join(root, 'scripts/lint'), join(base, 'scripts/lint'), { recursive: true })
    cpSync(join(root, '.oxlintrc.json'), join(base, '.oxlintrc.json'))
    for (const one of cases.filter((other) => other.tree === tree)) {
      mkdirSync(dirname(join(base, one.file)), { recursive: true })
      writeFileSync(join(base, one.file), `${one.source.replace(/\n$/, '')}\n`)
    }
    const done = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '-f', 'json'], { cwd: base, encoding: 'utf8', maxBuffer: 64e6 })
    if (!done.stdout.startsWith('{')) throw new Error(done.stderr + done.stdout)
    const { diagnostics } = JSON.parse(done.stdout) as { diagnostics: readonly { filename: string; code?: string }[] }
    for (const { filename, code = 'syntax(error)' } of diagnostics) {
      const key = `${tree}/${filename}`
      found.set(key, (found.get(key) ?? new Set()).add(/\((.+)\)/.exec(code)?.[1] ?? code))
    }
  }
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

const refusals = (one: Case) => [...(found.get(`${one.tree}/${one.file}`) ?? [])]

describe('our lint rules', () => {
  test.each(cases.filter((one) => one.kind === 'bad'))('$rule refuses $source', (one) => {
    expect(refusals(one)).toContain(one.rule)
  })

  test.each(cases.filter((one) => one.kind === 'good'))('$rule allows $source in $file', (one) => {
    expect(refusals(one)).not.toContain(one.rule)
    expect(refusals(one)).not.toContain('error')
  })

  test('every rule has a plant', async () => {
    const { rules } = (await import(join(root, 'scripts/lint/plugin.mjs'))) as { rules: object }
    const planted = new Set(lintPlants.filter((one) => one.bad.length).map((one) => one.rule))
    expect(Object.keys(rules).filter((name) => !planted.has(name))).toEqual([])
  })
})
