import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { useTestDb } from '#platform/testing/db.ts'
import type { Deps } from './feature.ts'
import { createJobs } from './jobs.ts'
import { createLog } from './log.ts'
import { SYSTEM, transact } from './database/transact.ts'

const db = await useTestDb()

test('what one group has waiting does not hold up another’s', async () => {
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
        await jobs.send(tx, spec.name, { of }, { group: of })
      })
    await send('hostile')
    await vi.waitFor(() => expect(running).toEqual(['hostile']), { timeout: PATIENCE_MS })
    // two workers that ask at the same moment may both begin one: a group is held back from its first job on, not to the moment
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
