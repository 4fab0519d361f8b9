import { afterAll, expect, inject, test } from 'vitest'
import { createTestDatabase } from '#platform/testing/db.ts'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { resolveProgram } from '#platform/testing/programs.ts'
import { isPlatformHole, formatPlatformReport } from '../attack/platform/report.ts'
import { attackPlatform } from '../attack/platform/run.ts'
import { openPlatformStage } from '../attack/platform/stage.ts'
import { PLATFORM_STRATEGIES } from '../attack/platform/strategies/index.ts'

// The quick strategies against the whole platform; `npm run attack` has all of them.
const QUICK = ['passkeys', 'pay-password', 'dns-rebinding', 'odd-heads', 'open-metrics', 'gifts']

const platform = await openPlatformStage({
  databaseUrl: (await createTestDatabase()).url,
  port: await reserveFreePort(),
  pagesDir: inject('pagesDir'),
  program: await resolveProgram('apps/server/main.ts'),
})
afterAll(() => platform.stop())

test('every forbidden act is refused, and no account has more than was paid for', async () => {
  const strategies = PLATFORM_STRATEGIES.filter(({ name }) => QUICK.includes(name))
  const verdict = await attackPlatform(platform, strategies, { sideBySide: 4 })
  console.log(formatPlatformReport(verdict).join('\n'))
  expect(verdict.results.filter(isPlatformHole)).toEqual([])
  expect(verdict.results).toHaveLength(QUICK.length)
  expect(verdict.faults).toEqual([])
})
