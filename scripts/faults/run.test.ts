import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FAULT_FEATURES } from './fault.ts'
import type { InjectedFault } from './fault.ts'
import { injectedFaults, measureFault, judgeReport, resolveProject, listLostFaults, mergeReports } from './run.ts'
import { injectFault, explainUninjectable } from './plant.ts'
import type { FaultReportLine } from './run.ts'

const root = join(import.meta.dirname, '../..')
const BEFORE = 'if (amount > left) refuse()\nif (amount > most) refuse()\n'
const fault: InjectedFault = {
  id: 'no-bound',
  feature: 'wallet',
  file: 'pay.ts',
  find: 'amount > left',
  put: "amount > left && $& === '$1'",
  harm: 'spends what is not there',
  tests: ['pay.test.ts'],
}
let tree = ''
const readSource = () => readFileSync(join(tree, 'pay.ts'), 'utf8')

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'mingxi-faults-test-'))
  writeFileSync(join(tree, 'pay.ts'), BEFORE)
  writeFileSync(join(tree, 'pay.test.ts'), '')
})
afterEach(() => rmSync(tree, { recursive: true, force: true }))

test('a fault is planted letter by letter and put back', () => {
  const restore = injectFault(tree, fault)
  expect(readSource()).toBe(BEFORE.replace('amount > left', () => fault.put))
  restore()
  expect(readSource()).toBe(BEFORE)
})

test.each([
  ['its text is gone', { find: 'amount >= left' }],
  ['its text is there twice', { find: 'refuse()' }],
  ['its file is gone', { file: 'paid.ts' }],
  ['its test is gone', { tests: ['pay.test.ts', 'pay.db.test.ts'] }],
])('%s: it does not apply any more, and that is an error', async (_, changed) => {
  const other = { ...fault, ...changed }
  expect(explainUninjectable(tree, other)).toBeDefined()
  expect(() => injectFault(tree, other)).toThrow('no-bound does not apply any more')
  const told = await measureFault(tree, other, () => Promise.reject(new Error('nothing is run')))
  expect(told).toMatchObject({ id: 'no-bound', outcome: 'does not apply any more' })
  expect(readSource()).toBe(BEFORE)
})

test('the file is put back also when the tests cannot be run', async () => {
  let planted = ''
  const broken = () => {
    planted = readSource()
    return Promise.reject(new Error('no vitest'))
  }
  await expect(measureFault(tree, fault, broken)).rejects.toThrow('no vitest')
  expect(planted).toContain(fault.put)
  expect(readSource()).toBe(BEFORE)
})

describe('the outcome of a report', () => {
  const one = (status: string, assertions: { status: string; fullName: string; failureMessages: string[] }[], message = '') => ({
    name: 'pay.test.ts',
    status,
    message,
    assertionResults: assertions,
  })
  const passed = { status: 'passed', fullName: ' pays', failureMessages: [] }
  const failed = { status: 'failed', fullName: ' refuses', failureMessages: ['AssertionError: no\n  at pay.ts'] }

  test('a failed test catches; tests that pass do not', () => {
    expect(judgeReport({ testResults: [one('passed', [passed]), one('failed', [passed, failed])] })).toEqual({
      outcome: 'caught',
      why: 'refuses: AssertionError: no',
    })
    expect(judgeReport({ testResults: [one('passed', [passed])] })).toEqual({ outcome: 'not caught', why: '' })
  })
  test('a test that timed out is no catch, unless another one failed', () => {
    const late = { status: 'failed', fullName: ' waits', failureMessages: ['TestTimeoutError: Test timed out in 600000ms.'] }
    expect(judgeReport({ testResults: [one('failed', [late])] }).outcome).toBe('timed out')
    expect(judgeReport({ testResults: [one('failed', [late]), one('failed', [failed])] }).outcome).toBe('caught')
  })
  test('a file that does not load, a hook that throws and a run without tests catch nothing', () => {
    expect(judgeReport({ testResults: [one('failed', [], 'SyntaxError: x')] })).toEqual({ outcome: 'did not load', why: 'SyntaxError: x' })
    expect(judgeReport({ testResults: [one('failed', [{ ...passed, status: 'skipped' }], 'Error: in a hook')] }).outcome).toBe('did not load')
    expect(judgeReport({ testResults: [] }).outcome).toBe('did not load')
    expect(judgeReport({ testResults: [one('passed', [{ ...passed, status: 'skipped' }])] }).outcome).toBe('did not load')
  })
})

test('a comparison with before lists faults that are no longer caught, not those that were left out', () => {
  const told = (id: string, outcome: FaultReportLine['outcome']): FaultReportLine => ({ id, outcome, feature: 'wallet', why: '', seconds: 1 })
  const before = [told('a', 'caught'), told('b', 'caught'), told('c', 'not caught'), told('d', 'caught')]
  const now = [told('a', 'caught'), told('b', 'did not load'), told('c', 'not caught')]
  expect(listLostFaults(before, now)).toEqual(['b'])
  expect(mergeReports(before, now, ['a', 'b', 'd']).map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(['a caught', 'b did not load', 'd caught'])
})

test('each test file goes to the project that has it', () => {
  expect(
    ['features/a/x.test.ts', 'features/a/x.db.test.ts', 'e2e/crash/x.test.ts', 'e2e/journeys/x.test.ts', 'e2e/pages/looks.test.ts', 'e2e/pages/x.test.ts'].map(
      resolveProject,
    ),
  ).toEqual(['unit', 'db', 'e2e', 'pages', 'pages', 'wide'])
})

test('forty faults, each applies to this tree, all features have some', () => {
  expect(injectedFaults.map((each) => `${each.id}: ${explainUninjectable(root, each) ?? ''}`).filter((line) => !line.endsWith(': '))).toEqual([])
  expect(new Set(injectedFaults.map(({ id }) => id)).size).toBe(40)
  expect(new Set(injectedFaults.map(({ feature }) => feature))).toEqual(new Set(FAULT_FEATURES))
  expect(injectedFaults.filter(({ find, put, tests }) => find === put || tests.length < 1 || tests.length > 3)).toEqual([])
})
