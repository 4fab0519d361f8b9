import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey } from '../builders.ts'
import { createCatalogue } from './catalogue.ts'
import type { ApiKey, GatewayModel } from '../hot/deps.ts'
import { aModel, anUpstream } from '../hot/testing/fake-deps.ts'
import { callLab, openLab, waitForCondition } from '../hot/testing/lab.ts'
import type { Lab } from '../hot/testing/lab.ts'
import { buildOrdinaryCall } from '../hot/testing/ordinary.ts'
import { createJournal } from '../journal/journal.ts'
import type { RunningJournal } from '../journal/journal.ts'
import { seedPrices } from './seed.ts'

/** Runs every model of the catalogue through the relay and the real journal; the vendor does not respond while calls are counted. */
const USD = 1_000_000_000n
const log = createLog('silent')
let db: Db & { url: string }
let lab: Lab
let journal: RunningJournal
let models: readonly GatewayModel[] = []
let key: ApiKey

beforeAll(async () => {
  db = await useTestDb()
  await seedPrices({ db })
  lab = await openLab()
  journal = await createJournal(db, log, { deadMs: 10_000 })
  const route = { upstream: anUpstream(lab.upstream.origin), upstreamModel: 'm' }
  const catalogue = await createCatalogue(db, () => [route], { log })
  models = catalogue.list()
  catalogue.stop()
  for (const model of models) lab.models.set(model.id, aModel(model.id, [route], model))
  Object.assign(lab.deps, { journal, findKey: () => key })
})
afterAll(async () => {
  await lab.close()
  await journal.stop()
})

/** Counts how many of `calls` concurrent calls reach the vendor on that balance. */
async function countCallsReachingVendor(model: GatewayModel, calls: number, dollars: bigint): Promise<number> {
  const ordinary = buildOrdinaryCall(model)!
  key = (await aKey(db, await aFundedUser(db, { purchased: dollars * USD }))).key
  const before = lab.upstream.seen.length
  const waiting: (() => void)[] = []
  lab.upstream.answer = (_seen, socket) => {
    waiting.push(() => socket.destroy())
  }
  let over = 0
  const answers = Array.from({ length: calls }, () => callLab(lab, ordinary).finally(() => over++))
  await waitForCondition(() => waiting.length + over >= calls)
  const reached = lab.upstream.seen.length - before
  for (const end of waiting) end()
  await Promise.all(answers)
  return reached
}

describe('an ordinary call without a cap', () => {
  test('goes through with one dollar, and eight at once with five, at every model of the catalogue', async () => {
    expect(models.length).toBeGreaterThan(60)
    const refused: string[] = []
    for (const model of models) {
      if (buildOrdinaryCall(model) === undefined) continue
      if ((await countCallsReachingVendor(model, 1, 1n)) !== 1) refused.push(`${model.id} with $1`)
      if ((await countCallsReachingVendor(model, 8, 5n)) !== 8) refused.push(`${model.id} eight at once with $5`)
    }
    expect(refused).toEqual([])
  })
})
