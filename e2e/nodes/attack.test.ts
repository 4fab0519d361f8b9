import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#platform/testing/db.ts'
import { closeAsking } from '../attack/ask.ts'
import { dollars, isHole, report } from '../attack/report.ts'
import { attack } from '../attack/run.ts'
import { openStage } from '../attack/stage.ts'
import type { Stage } from '../attack/stage.ts'
import { STRATEGIES } from '../attack/strategies/index.ts'

// V1: a vendor that always bills the most that a request permits, and customers with five dollars who want more. `npm run attack` gives each a minute.
let stage: Stage
beforeAll(async () => {
  stage = await openStage((await createTestDatabase()).url)
})
afterAll(async () => {
  await stage.stop()
  closeAsking()
})

test('V1: no strategy takes more than was paid', async () => {
  const verdict = await attack(stage, { strategies: STRATEGIES, seconds: 3, sideBySide: 12 })
  console.log(report(verdict).join('\n'))
  const holes = verdict.results.filter(isHole).map((one) => `${one.name}: loss ${dollars(one.loss)}, debt ${dollars(one.debt)}`)
  expect(holes, holes.join('; ')).toEqual([])
  expect(verdict.results.length).toBeGreaterThanOrEqual(30)
  expect(verdict.differing).toEqual([])
  expect(verdict.strangers).toEqual([])
  expect(verdict.problems).toEqual([])
})
