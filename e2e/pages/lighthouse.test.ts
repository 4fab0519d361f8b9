import { availableParallelism, loadavg } from 'node:os'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findInstalledChromium } from '#platform/testing/browser.ts'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'

// A mid-range phone on slow 4G, with real throttling: under simulated throttling a server-rendered page scores like one that is not.
// Deterministic metrics are asserted exactly; times are the median of the runs (three with LOOKS=all), with a limit slightly below the goal
// on a quiet machine (performance 95, largest paint 1.8 s). The output lists the figures.
const RUNS = process.env['LOOKS'] === 'all' ? 3 : 1
/**
 * Benchmark index of the emulated phone. Lighthouse slows every machine down four times, which is right for a desktop of index 1500 (its
 * page on throttling); the slowdown that reaches 375 gives the same phone on this machine too.
 */
const PHONE_INDEX = 375
/** Waiting processes per core above which times are printed but not asserted. */
const BUSY = 2
let server: TestServer
let browser: Browser
let port: number

beforeAll(async () => {
  server = await startTestServer({ env: { WARM_PAGES: 'true', STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail,sms,google' } })
  port = await reserveFreePort()
  browser = await chromium.launch({
    // the shell has no back/forward cache to measure
    executablePath: findInstalledChromium({ windows: true }),
    // playwright's own default, which would make every page ineligible
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

const audit = async (path: string, categories: readonly string[], slowdown?: number) => {
  const result = await lighthouse(`${server.baseUrl}${path}`, {
    ...{ port, logLevel: 'silent', onlyCategories: [...categories] },
    ...(slowdown ? { throttlingMethod: 'devtools', throttling: { cpuSlowdownMultiplier: slowdown } } : { throttlingMethod: 'provided' }),
  })
  return result!.lhr
}

test.each(['/', '/en', '/pricing', '/help'])('%s on a phone', async (path) => {
  const rules = await audit(path, ['accessibility', 'best-practices', 'seo'])
  const lost = Object.values(rules.categories).flatMap((category) =>
    category.score === 1
      ? []
      : [category.id, ...category.auditRefs.filter(({ id, weight }) => weight && (rules.audits[id]?.score ?? 1) < 1).map(({ id }) => id)],
  )
  expect([path, lost]).toEqual([path, []])
  const runs: Awaited<ReturnType<typeof audit>>[] = []
  const slowdown = Math.min(4, Math.max(1, Math.round((10 * rules.environment.benchmarkIndex) / PHONE_INDEX) / 10))
  for (let run = 0; run < RUNS; run++) runs.push(await audit(path, ['performance'], slowdown))
  const value = (name: string) => median(runs.map((lhr) => lhr.audits[name]?.numericValue ?? Number.NaN))
  const figures = {
    performance: Math.round(100 * median(runs.map((lhr) => lhr.categories['performance']?.score ?? 0))),
    lcp: Math.round(value('largest-contentful-paint')),
    cls: Math.round(1000 * value('cumulative-layout-shift')) / 1000,
    tbt: Math.round(value('total-blocking-time')),
    kB: Math.round(value('total-byte-weight') / 1024),
    slowdown,
    load: Math.round(loadavg()[0]! * 10) / 10,
  }
  console.log(path, JSON.stringify(figures))
  expect(figures.cls).toBeLessThan(0.02)
  expect(runs.map((lhr) => lhr.audits['bf-cache']?.score)).toContain(1)
  expect(figures.kB).toBeLessThan(400)
  // times are meaningless while other work uses the processors
  if (loadavg()[0]! > availableParallelism() * BUSY) return
  expect(figures.performance).toBeGreaterThanOrEqual(90)
  expect(figures.lcp).toBeLessThan(2500)
})
