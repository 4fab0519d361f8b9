import { afterAll, expect, inject, test } from 'vitest'
import { createTestDatabase } from '#platform/testing/db.ts'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { resolveProgram } from '#platform/testing/programs.ts'
import { endRun, startRun, withDesk } from './phases.ts'
import { formatReplayCommand, summarizeTraces } from './report.ts'
import { runPeople } from './run.ts'
import { startRobotProduct } from './stage/product.ts'

// A fixed sample of the people that `npm run robots` draws at random: limited by acts, not by time.
const SEED = 20_261_128
const [PEOPLE, ACTS] = [7, 12]

const product = await startRobotProduct({
  databaseUrl: (await createTestDatabase()).url,
  port: await reserveFreePort(),
  pagesDir: inject('pagesDir'),
  program: await resolveProgram('apps/server/main.ts'),
  // a slow machine must not cause declines
  env: { SANDBOX_DECIDE_MS: String(PATIENCE_MS), SANDBOX_CHUNK_MS: '0' },
})
afterAll(async () => {
  await product.stop()
})

test(`${PEOPLE} people with ${ACTS} acts each find nothing that is not as the books say`, async () => {
  const staffed = await startRun(product)
  const plan = { seed: SEED, people: PEOPLE, acts: ACTS, from: 0, sideBySide: 4, pagesPercent: 0, faultsPercent: 6, faults: staffed.faults }
  const all = await withDesk(staffed, SEED, runPeople(product, plan))
  const rest = await endRun(product, staffed, { seed: SEED, people: all })
  for (const told of all.filter(({ found }) => found.length)) console.log([told.who, ...told.lines, formatReplayCommand(plan, told.at)].join('\n'))
  expect(summarizeTraces(all, rest.found)).toEqual([])
})
