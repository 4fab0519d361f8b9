import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { formatClosingLine } from './record.ts'
import type { RunEvent } from './record.ts'
import { TEST_ROOT } from './parts.ts'
import { openRunFolder } from './run-folder.ts'
import { runPart, computeCountedMs } from './run-part.ts'

const tree = mkdtempSync(join(tmpdir(), 'mingxi-test-of-test-'))
const run = openRunFolder()
afterAll(async () => {
  await run.remove()
  rmSync(tree, { recursive: true, force: true })
})

/** A tiny package with its own Vitest projects. */
const SOURCES = {
  good: `test('a', () => {}); test.skip('b', () => {}); test.todo('c')`,
  bad: `test('a', () => { expect(1).toBe(2) }); test('b', () => {})`,
  broken: `throw new Error('cannot load')`,
  hooked: `import { beforeAll } from 'vitest'; beforeAll(() => { throw new Error('no ground') }); test('a', () => {})`,
  loose: `test('a', () => { setTimeout(() => { throw new Error('outside any test') }, 10) }); test('b', () => new Promise((done) => setTimeout(done, 50)))`,
  endless: `test('ends', () => {}); test('waits for ever', () => new Promise(() => { setInterval(() => {}, 1000) }))`,
}
for (const [name, source] of Object.entries(SOURCES)) {
  mkdirSync(join(tree, name))
  writeFileSync(join(tree, name, 'one.test.ts'), `import { test, expect } from 'vitest'\n${source}\n`)
}
writeFileSync(
  join(tree, 'vitest.config.mjs'),
  `export default { test: { projects: ${JSON.stringify(Object.keys(SOURCES))}.map((name) => ({ test: { name, testTimeout: 0, include: [name + '/*.test.ts'] } })) } }`,
)
writeFileSync(join(tree, 'package.json'), '{ "type": "module" }')
symlinkSync(join(TEST_ROOT, 'node_modules'), join(tree, 'node_modules'))

const env = { ...process.env, VITEST: undefined, VITEST_POOL_ID: undefined, VITEST_WORKER_ID: undefined, TEST: undefined }
const runFixture = async (name: string, more: { stuckMs?: number; title?: string } = {}) => {
  const said: string[] = []
  const events: RunEvent[] = []
  const counts = await runPart(name, { run, pace: 1, env, cwd: tree, said, onEvent: (event) => events.push(event), ...more })
  return { counts, said, events }
}

test('the closing line says what was counted', () => {
  expect(formatClosingLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
  expect(formatClosingLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
})

test.each([
  ['good', { passed: 1, failed: 0, skipped: 2 }, []],
  ['bad', { passed: 1, failed: 1, skipped: 0 }, [/^bad\/one\.test\.ts > a: .*expected 1 to be 2/]],
  ['broken', { passed: 0, failed: 1, skipped: 0 }, [/^broken\/one\.test\.ts > not run: .*cannot load/]],
  ['hooked', { passed: 0, failed: 1, skipped: 1 }, [/^hooked\/one\.test\.ts > not run: .*no ground/]],
  ['loose', { passed: 2, failed: 1, skipped: 0 }, [/^loose: outside any test: .*outside any test/]],
])('a %s part is counted right, and says what failed', async (name, counts, said) => {
  expect(await runFixture(name)).toMatchObject({ counts, said: said.map((line) => expect.stringMatching(line)) })
})

test('a title chooses tests; the others are skipped', async () => {
  expect((await runFixture('bad', { title: 'b' })).counts).toEqual({ passed: 1, failed: 0, skipped: 1 })
})

test('a run reports its files, tests begun and ended, and its end', async () => {
  const { events } = await runFixture('bad')
  expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['files', 'collected', 'begun', 'test', 'file', 'ended']))
  expect(events.find((event) => event.kind === 'test' && event.state === 'failed')).toMatchObject({ problems: [expect.stringContaining('expected 1 to be 2')] })
})

test('a part in which nothing ends any more is ended, and says which test it was in', async () => {
  const { counts, said } = await runFixture('endless', { stuckMs: 3_000 })
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 })
  expect(said).toEqual([expect.stringMatching(/^endless: nothing ended for .* minutes; under way: endless\/one\.test\.ts > waits for ever$/)])
})

test('a part that computes is given the time it computes; one that waits, the time that passes', () => {
  expect(computeCountedMs(2_000, 0)).toBe(2_000)
  expect(computeCountedMs(2_000, 20)).toBe(2_000)
  expect(computeCountedMs(2_000, 900)).toBe(900) // Other processes used the rest.
  expect(computeCountedMs(3_000, 300)).toBe(1_000) // An idle browser and servers.
  expect(computeCountedMs(2_000, 4_000)).toBe(2_000) // two cores
})
