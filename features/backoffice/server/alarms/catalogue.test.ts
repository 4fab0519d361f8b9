import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ALARMS, isNoAlarm } from '../../alarms.ts'
import { alarmTexts } from '../../alarm-texts.ts'
import { parseRunbook } from '../../runbook-blocks.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const TEST_CODE = /\.test\.ts$|builders\.ts$|\/(testing|seeds|fake|fakes)\//

test('every alarm has a word in both languages and a runbook', () => {
  for (const [name, { runbook }] of Object.entries(ALARMS)) {
    expect([name, existsSync(join(ROOT, `docs/runbooks/${runbook}.md`))]).toEqual([name, true])
    for (const texts of Object.values(alarmTexts)) expect(texts).toHaveProperty([`alarm_${name}`])
  }
})

test('every event that code counts is an alarm or is listed as none', () => {
  const files = globSync('{features,platform,apps}/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' }).filter((file) => !TEST_CODE.test(file))
  const counted = new Set(
    files.flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:countEvent|\.alarm)\(\s*'([\w.]+)'/g)].map((match) => match[1]!)),
  )
  expect(counted.size).toBeGreaterThan(50)
  expect([...counted].filter((name) => !(name in ALARMS) && !isNoAlarm(name)).toSorted()).toEqual([])
})

const PAGES = join(ROOT, 'docs/runbooks')
const read = (page: string) => readFileSync(join(PAGES, `${page}.md`), 'utf8')
const codeOf = (text: string) => [...new Set([...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!.replaceAll(/\s+/g, ' ')))].toSorted()

test('every runbook has a Chinese version with the same commands, names and steps', () => {
  for (const page of new Set(Object.values(ALARMS).map(({ runbook }) => runbook))) {
    const [en, zh] = [read(page), read(`zh/${page}`)]
    expect([page, codeOf(zh)]).toEqual([page, codeOf(en)])
    const steps = (text: string) => text.match(/^\d+\. /gm)?.length ?? 0
    expect([page, steps(zh)]).toEqual([page, steps(en)])
  }
})

test('a runbook is parsed without its marks: a list may follow its sentence directly, and a table keeps its cells', () => {
  expect(parseRunbook('# T\n\nOf these:\n1. one\n   goes on\n2. two\n   - of two\n\n- a\n- b\n\n| h | i |\n|---|---|\n| `x` | y |')).toEqual([
    { kind: 'heading', text: 'T' },
    { kind: 'paragraph', text: 'Of these:' },
    { kind: 'steps', items: ['one goes on', 'two\n- of two'] },
    { kind: 'points', items: ['a', 'b'] },
    { kind: 'table', head: ['h', 'i'], rows: [['`x`', 'y']] },
  ])
  for (const file of globSync('{*,zh/*}.md', { cwd: PAGES }).filter((name) => !/README|secret-key/.test(name)))
    for (const block of parseRunbook(read(file.slice(0, -3))))
      if ('text' in block) expect([file, block.text]).not.toEqual([file, expect.stringMatching(/^\s*(?:\||\d+\. |- |#)/m)])
})
