import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#platform/testing/db.ts'
import { connect } from '../database/db.ts'
import { hasTestClock, installTestClock, setTestClock } from './data.ts'

const DAY_MS = 86_400_000
const { url } = await createTestDatabase()

test('a database whose clock is moved answers, fills in and computes with the moved time', async () => {
  const before = connect(url, { max: 1 })
  expect(await hasTestClock(before)).toBe(false)
  await before.close()
  await installTestClock(url)
  await installTestClock(url)
  const owner = connect(url, { max: 1, asOwner: true })
  const app = connect(url, { max: 1 })
  expect(await hasTestClock(app)).toBe(true)
  await setTestClock(owner, 30 * DAY_MS)
  const [row] = await app.query<Record<string, Date>>('select now() as a, clock_timestamp() as b, statement_timestamp() as c, pg_catalog.now() as real')
  for (const name of ['a', 'b', 'c']) expect(Math.round((row![name]!.getTime() - row!['real']!.getTime()) / DAY_MS)).toBe(30)
  // A column's default, and a function with its own search path.
  const [job] = await owner.query<{ createdAt: Date; real: Date }>(
    `insert into outbox (event, payload) values ('test.clock', '{}') returning created_at, pg_catalog.now() as real`,
  )
  expect(Math.round((job!.createdAt.getTime() - job!.real.getTime()) / DAY_MS)).toBe(30)
  const paths = await owner.query<{ path: string }>(
    `select c as path from pg_proc p cross join unnest(p.proconfig) as c where c like 'search_path=%' and p.pronamespace = 'public'::regnamespace`,
  )
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter(({ path }) => !path.startsWith('search_path=test_clock, pg_catalog'))).toEqual([])
  await expect(app.query('update test_clock.moved set ms = 0')).rejects.toThrow(/permission denied/)
  await Promise.all([owner.close(), app.close()])
})

test('a process follows the file, and a file that is not there changes nothing', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'clock-')), 'clock')
  writeFileSync(file, String(5 * DAY_MS))
  const program = `
    const wall = Date.now
    const { followTestClock, writeTestClock, CLOCK_POLL_MS } = await import(${JSON.stringify(join(import.meta.dirname, 'follow.ts'))})
    const { rmSync } = await import('node:fs')
    const days = () => Math.round((Date.now() - wall()) / ${DAY_MS})
    followTestClock(${JSON.stringify(file)})
    const first = days()
    writeTestClock(${JSON.stringify(file)}, ${20 * DAY_MS})
    await new Promise((done) => setTimeout(done, 10 * CLOCK_POLL_MS))
    const second = [days(), Math.round((new Date().getTime() - wall()) / ${DAY_MS}), new Date(0).getTime(), new Date() instanceof Date]
    rmSync(${JSON.stringify(file)})
    await new Promise((done) => setTimeout(done, 10 * CLOCK_POLL_MS))
    console.log(JSON.stringify([first, second, days()]))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect([JSON.parse(stdout || '[]'), stderr]).toEqual([[5, [20, 20, 0, true], 20], ''])
})
