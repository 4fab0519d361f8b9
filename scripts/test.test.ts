import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const { closingLine, countReport, runProject } = await import(join(root, 'scripts/test.mjs'))
const { check } = await import(join(root, 'scripts/check.mjs'))
const { findChromium } = await import(join(root, 'scripts/chromium.mjs'))

const tree = mkdtempSync(join(tmpdir(), 'mingxi-test-of-test-'))
afterAll(() => rmSync(tree, { recursive: true, force: true }))

/** A tiny package with vitest projects of its own. */
function project(name: string, source: string): void {
  mkdirSync(join(tree, name), { recursive: true })
  writeFileSync(join(tree, name, 'one.test.ts'), `import { test, expect } from 'vitest'\n${source}\n`)
}
project('good', `test('a', () => {}); test.skip('b', () => {}); test.todo('c')`)
project('bad', `test('a', () => { expect(1).toBe(2) }); test('b', () => {})`)
project('broken', `throw new Error('cannot load')`)
project(
  'loose',
  `test('a', () => { setTimeout(() => { throw new Error('outside any test') }, 10) }); test('b', () => new Promise((done) => setTimeout(done, 50)))`,
)
project('shaky', `let tries = 0; test('a', { retry: 1 }, () => { expect(++tries).toBe(2) })`)
writeFileSync(
  join(tree, 'vitest.config.mjs'),
  `export default { test: { projects: ['good', 'bad', 'broken', 'loose', 'shaky'].map((name) => ({ test: { name, include: [name + '/*.test.ts'] } })) } }`,
)
writeFileSync(join(tree, 'package.json'), '{ "type": "module" }')
symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))

const env = { ...process.env, VITEST: undefined, VITEST_POOL_ID: undefined, VITEST_WORKER_ID: undefined, TEST: undefined }

describe('the closing line', () => {
  test('says what was counted', () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
    expect(closingLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
  })
  test('a suite that could not be loaded is a failure', () => {
    expect(
      countReport({ numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] })
        .failed,
    ).toBe(1)
  })
  test.each([
    ['good', { passed: 1, failed: 0, skipped: 2 }, []],
    ['bad', { passed: 1, failed: 1, skipped: 0 }, [/^bad\/one\.test\.ts > a: .*expected 1 to be 2/]],
    ['broken', { passed: 0, failed: 1, skipped: 0 }, [/^broken\/one\.test\.ts > not loaded: .*cannot load/]],
    ['loose', { passed: 2, failed: 1, skipped: 0 }, [/^loose: an error outside any test/]],
  ])('a %s project is counted right, and says what failed', async (name, counts, said) => {
    const lines: string[] = []
    expect(await runProject(name, 1, env, tree, false, lines)).toEqual(counts)
    expect(lines).toEqual(said.map((line) => expect.stringMatching(line)))
  })
  test('a test that passed at the second try is counted as passed, and told', async () => {
    const [lines, retried]: [string[], string[]] = [[], []]
    expect(await runProject('shaky', 1, env, tree, false, lines, retried)).toEqual({ passed: 1, failed: 0, skipped: 0 })
    expect([lines, retried]).toEqual([[], [expect.stringMatching(/^shaky\/one\.test\.ts > a: .*expected 1 to be 2/)]])
  })
  test('a project that does not end is a failure', async () => {
    project('good', `test('a', () => new Promise((done) => setTimeout(done, 20_000)), 30_000)`)
    expect((await runProject('good', 0.03, env, tree, false)).failed).toBeGreaterThan(0)
  })
})

describe('check', () => {
  test('a failing step is told with its output, and counted', async () => {
    const said: string[] = []
    const result = await check({ fine: ['-e', ''], wrong: ['-e', 'console.error("the reason"); process.exit(3)'] }, (line: string) => said.push(line))
    expect(result).toEqual({ passed: 1, failed: 1 })
    expect(said.join('\n')).toMatch(/FAILED wrong[\s\S]*the reason[\s\S]*1 of 2 failed: wrong/)
  })
})

describe('the browser', () => {
  test('CHROMIUM wins, and must exist', () => {
    expect(findChromium({ CHROMIUM: process.execPath, PATH: '' })).toBe(process.execPath)
    expect(findChromium({ CHROMIUM: '/nowhere/chrome', PATH: process.env['PATH'] })).toBeUndefined()
    expect(findChromium({ PATH: '' })).toBeUndefined()
  })
})
