import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ALARMS, isNoAlarm } from '../../alarms.ts'
import { alarmTexts } from '../../alarm-texts.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const TEST_CODE = /\.test\.ts$|builders\.ts$|\/(testing|seeds|fake|fakes)\//

test('every alarm has a word in both languages and a runbook', () => {
  for (const [name, { runbook }] of Object.entries(ALARMS)) {
    expect([name, existsSync(join(ROOT, `docs/runbooks/${runbook}.md`))]).toEqual([name, true])
    for (const texts of [alarmTexts.zh, alarmTexts.en]) expect(texts).toHaveProperty([`alarm_${name}`])
  }
})

test('every event that code counts is an alarm, or is known to be none', () => {
  const files = globSync('{features,platform,apps}/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' }).filter((file) => !TEST_CODE.test(file))
  const counted = new Set(
    files.flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:countEvent|\.alarm)\(\s*'([\w.]+)'/g)].map((match) => match[1]!)),
  )
  expect(counted.size).toBeGreaterThan(50)
  expect([...counted].filter((name) => !(name in ALARMS) && !isNoAlarm(name)).toSorted()).toEqual([])
})
