import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { createLog } from '#platform/server/log.ts'
import { createSettings } from '#platform/server/settings.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createAccountShare } from './account-share.ts'
import { accountAtOnce, accountAtRisk, accountRequestsMinute } from '../settings.ts'

const db = await useTestDb()
const log = createLog('silent')
const settings = createSettings(db, 0)
const aNode = (name: string) => db.query('insert into gateway_nodes (node) values ($1)', [name])

test('each living process has an equal part of a limit; a changed setting takes effect, 0 is no limit', async () => {
  await aNode('node_a')
  const share = await createAccountShare(db, log, 10_000)
  try {
    expect(share.now()).toEqual({ nodes: 1, requestsMinute: 30_000, atOnce: 1_000, atRisk: 1_000_000_000_000n })
    await aNode('node_b')
    await aNode('node_c')
    await db.owner.query(`insert into gateway_nodes (node, beat_at) values ('node_dead', now() - interval '1 minute')`)
    await vi.waitFor(() => expect(share.now()).toEqual({ nodes: 3, requestsMinute: 10_000, atOnce: 334, atRisk: 333_333_333_334n }), { timeout: PATIENCE_MS })
    await transact(db, SYSTEM, async (tx) => {
      await settings.set(tx, accountRequestsMinute, 5)
      await settings.set(tx, accountAtOnce, 0)
      await settings.set(tx, accountAtRisk, 0)
    })
    await vi.waitFor(() => expect(share.now()).toEqual({ nodes: 3, requestsMinute: 2, atOnce: Infinity, atRisk: undefined }), { timeout: PATIENCE_MS })
  } finally {
    share.stop()
  }
})
