import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#platform/testing/db.ts'
import { closeAttackAgent } from '../attack/send-request.ts'
import { formatDollarsRoundedUp, isHole, formatAttackReport } from '../attack/report.ts'
import { runAttack } from '../attack/run.ts'
import { openAttackStage } from '../attack/stage.ts'
import type { AttackStage } from '../attack/stage.ts'
import { STRATEGIES } from '../attack/strategies/index.ts'

// V1: a vendor that always bills the maximum that a request permits, and customers with five dollars who try to get more. `npm run attack`
// runs each strategy for a minute.
let stage: AttackStage
beforeAll(async () => {
  stage = await openAttackStage((await createTestDatabase()).url)
})
afterAll(async () => {
  await stage.stop()
  closeAttackAgent()
})

test('V1: no strategy takes more than was paid', async () => {
  const verdict = await runAttack(stage, { strategies: STRATEGIES, seconds: 3, sideBySide: 12 })
  console.log(formatAttackReport(verdict).join('\n'))
  const holes = verdict.results.filter(isHole).map((one) => `${one.name}: loss ${formatDollarsRoundedUp(one.loss)}, debt ${formatDollarsRoundedUp(one.debt)}`)
  expect(holes, holes.join('; ')).toEqual([])
  expect(verdict.results.length).toBeGreaterThanOrEqual(30)
  expect(verdict.differing).toEqual([])
  expect(verdict.strangers).toEqual([])
  expect(verdict.problems).toEqual([])
})
