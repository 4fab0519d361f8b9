import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { useTestDb } from '#platform/testing/db.ts'
import type { Deps } from './feature.ts'
import { createJobs } from './jobs.ts'
import { createLog } from './log.ts'
import { SYSTEM, transact } from './database/transact.ts'

const db = await useTestDb()

test('waiting jobs of one group do not hold up another’s', async () => {
  const running: string[] = []
  const began: string[] = []
  let release: (() => void) | undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  let most = 0
  const spec = {
    name: 'test.groups',
    atOnce: { jobs: 3, ofGroup: 1 },
    handle: async (_deps: Deps, { of }: { readonly of: string }) => {
      began.push(of)
      running.push(of)
      most = Math.max(most, running.filter((one) => one === 'hostile').length)
      if (of === 'hostile') await held
      running.splice(running.indexOf(of), 1)
    },
  }
  const jobs = createJobs(db.owner.pool.options.connectionString ?? db.url, createLog('silent'))
  await jobs.start([spec], {} as Deps, true)
  try {
    const send = (of: string) =>
      transact(db, SYSTEM, async (tx) => {
        await tx.audit('test.sent', of)
        await jobs.send(tx, { name: spec.name, group: of }, { of })
      })
    await send('hostile')
    await vi.waitFor(() => expect(running).toEqual(['hostile']), { timeout: PATIENCE_MS })
    // Two workers that poll at the same moment may both start a job, so the limit holds from the first running job on.
    for (let n = 0; n < 5; n++) await send('hostile')
    await send('honest')
    await vi.waitFor(() => expect(began).toContain('honest'), { timeout: PATIENCE_MS })
    expect(running).toEqual(['hostile'])
    expect(most).toBe(1)
    release!()
    await vi.waitFor(() => expect(began).toHaveLength(7), { timeout: PATIENCE_MS })
  } finally {
    release!()
    await jobs.stop()
  }
})

test('a queue is emptied without a pause between its jobs, and a later job runs when it is due', async () => {
  const done: number[] = []
  const spec = { name: 'test.many', handle: async (_deps: Deps, { no }: { readonly no: number }) => void done.push(no) }
  const jobs = createJobs(db.owner.pool.options.connectionString ?? db.url, createLog('silent'))
  await jobs.start([spec], {} as Deps, true)
  try {
    await transact(db, SYSTEM, async (tx) => {
      await tx.audit('test.sent', 'many')
      await jobs.send(tx, { name: spec.name, startAfterSeconds: 1 }, { no: -1 })
      for (let no = 0; no < 40; no++) await jobs.send(tx, spec.name, { no })
    })
    await vi.waitFor(() => expect(done).toHaveLength(41), { timeout: PATIENCE_MS })
    expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 41 }, (_, at) => at - 1))
  } finally {
    await jobs.stop()
  }
})

test('a second start creates no queue and no schedule twice', async () => {
  const spec = { name: 'test.nightly', cron: '5 4 * * *', handle: async () => {} }
  const rows = () =>
    db.owner.query(`select q.xmin::text as queue, s.xmin::text as schedule from jobs.queue q join jobs.schedule s using (name) where name = 'test.nightly'`)
  const start = async (cron: string) => {
    const jobs = createJobs(db.owner.pool.options.connectionString ?? db.url, createLog('silent'))
    await jobs.start([{ ...spec, cron }], {} as Deps, true)
    await jobs.stop()
    return rows()
  }
  const first = await start(spec.cron)
  expect(await start(spec.cron)).toEqual(first)
  expect(await start('5 5 * * *')).not.toEqual(first)
})

test('a scheduled time that passed while no process ran is made up for once', async () => {
  let runs = 0
  const spec = { name: 'test.missed', cron: '0 5 1 1 *', handle: async () => void runs++ }
  const url = db.owner.pool.options.connectionString ?? db.url
  const before = createJobs(url, createLog('silent'))
  await before.start([spec], {} as Deps, true)
  await before.stop()
  // Long enough ago to span two New Years.
  await db.owner.query(`update jobs.version set cron_on = now() - interval '800 days'`)
  await db.owner.query(`update jobs.schedule set created_on = now() - interval '800 days'`)
  const jobs = createJobs(url, createLog('silent'), { cronSeconds: 1 })
  await jobs.start([spec], {} as Deps, true)
  try {
    await vi.waitFor(() => expect(runs).toBe(1), { timeout: PATIENCE_MS })
    const rows = await db.owner.query(`select state from jobs.job where name = 'test.missed' and state <> 'completed'`)
    expect(rows).toEqual([])
  } finally {
    await jobs.stop()
  }
})
