import { beforeAll, expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../builders.ts'
import { listCalls, selectCall } from '../usage/data-calls.ts'
import { selectCurrentModels } from './data.ts'
import { resolveCallOutcome } from '../journal/sweeping/resolve-outcome.ts'
import type { Dialect, UsageLine } from '../hot/deps.ts'
import { createJournal } from '../journal/journal.ts'
import { unpackLines } from '../journal/lines.ts'
import { seedPrices } from './seed.ts'
import type { Upstreams } from '../upstreams/upstreams.ts'
import { toCallSummary } from '../usage/list-calls.ts'

let db: Db & { url: string; owner: Db }
beforeAll(async () => {
  db = await useTestDb()
  await seedPrices({ db })
})

test('characters, seconds, searches and pictures are written, charged and read back as they were', async () => {
  const userId = await aFundedUser(db, { purchased: parseUsd('10') })
  const { key } = await aKey(db, userId)
  const journal = await createJournal(db, createLog('silent'), { deadMs: 60_000 })
  const lines: readonly UsageLine[] = [
    { kind: 'characters', tokens: 6, unitPrice: parseUsd('15'), amount: 90_000n },
    { kind: 'seconds', tokens: 61, unitPrice: parseUsd('100'), amount: 6_100_000n },
    { kind: 'searches', tokens: 2, unitPrice: parseUsd('2500'), amount: 5_000_000n },
    { kind: 'imageOutput', tokens: 272, unitPrice: parseUsd('30'), amount: 8_160_000n },
  ]
  for (const line of lines) {
    const lease = await journal.admit(key, parseUsd('1'))
    if (!isLease(lease)) throw new Error(lease)
    const call = aReservedCall(key, lease, { held: parseUsd('1') })
    await journal.reserve(call, true)
    const tokens = line.kind === 'imageOutput' ? 272 : 0
    await journal.settle(aSettledCall(call, line.amount, { lines: [line], inputTokens: 0, cachedTokens: 0, outputTokens: tokens, provenance: 'counted' }))
    const row = (await selectCall(db, key.accountId, call.callId))!
    expect(unpackLines(row.lines)).toEqual([line])
    const measured = line.kind === 'imageOutput' ? null : { kind: line.kind, count: line.tokens }
    expect(toCallSummary(row)).toMatchObject({ measured, provenance: 'counted', outputTokens: tokens })
  }
  await journal.stop()
  expect((await readBalance(db, userId)).totalSpent).toBe(19_350_000n)
  expect(await listCalls(db, { accountId: key.accountId }, { cursor: undefined, direction: 'older', limit: 10 })).toHaveLength(lines.length)
})

test.each<[string, Dialect, object, bigint, string]>([
  ['whisper-1', 'openai-transcriptions', { type: 'duration', seconds: 7 }, 700_000n, 'seconds'],
  ['tts-1', 'openai-speech', { characters: 100 }, 1_500_000n, 'characters'],
  ['gpt-image-2', 'openai-images', { input_tokens: 10, output_tokens: 272, total_tokens: 282 }, 8_210_000n, 'imageOutput'],
  ['rerank-v4.0-pro', 'rerank', { billed_units: { search_units: 2 } }, 5_000_000n, 'searches'],
])('after a crash %s is billed by its own unit, as the vendor says', async (model, dialect, usage, amount, kind) => {
  const version = (await selectCurrentModels(db)).find((one) => one.modelId === model)!.version
  const vendor = { lookup: () => Promise.resolve({ known: true, finished: true, usage, dialect }) }
  const upstreams = { vendorOf: () => ({ vendor, baseUrl: '', key: '' }) } as unknown as Upstreams
  const call = { callId: 'c', model, upstream: 'u', priceVersion: version } as Parameters<typeof resolveCallOutcome>[2]
  const fate = await resolveCallOutcome(db, upstreams, call)
  expect(fate).toMatchObject({ kind: 'bill', bill: { dialect, amount } })
  expect(fate.kind === 'bill' && fate.bill.lines.at(-1)!.kind).toBe(kind)
})
