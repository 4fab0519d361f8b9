import { expect, test, vi } from 'vitest'
import type { RefusedCallRecord } from '../hot/deps.ts'
import { createRefusalRecorder, MAX_NAMES_PER_HOUR, MAX_ROWS_PER_HOUR, MAX_ROWS_PER_MINUTE } from './recorder.ts'
import type { RefusedBatch } from './recorder.ts'

const AT = Date.parse('2026-11-22T10:00:00Z')
const call = (more: Partial<RefusedCallRecord> = {}): RefusedCallRecord => ({
  accountId: 1n,
  keyId: 'key_a',
  requestId: 'req_1',
  at: AT,
  totalMs: 2,
  cause: 'no_money',
  status: 429,
  surface: 'openai',
  path: '/v1/chat/completions',
  model: 'gpt-6-luna',
  asked: 'gpt-6-luna',
  message: 'no',
  field: undefined,
  ...more,
})

function recorder(write: (batch: RefusedBatch) => Promise<void> = async () => {}) {
  const batches: RefusedBatch[] = []
  const warn = vi.fn<(data: object, text: string) => void>()
  const made = createRefusalRecorder({
    write: async (batch) => {
      await write(batch)
      batches.push(batch)
    },
    log: { warn: warn as never },
  })
  return { ...made, batches, warn }
}

test('a million refused calls of a key write a bounded number of rows a minute, and all are counted', async () => {
  const { note, stop, batches } = recorder()
  for (let i = 0; i < 1_000_000; i++) note(call())
  note(call({ at: AT + 60_000 }))
  await stop()
  expect(batches).toHaveLength(1)
  expect(batches[0]!.rows).toHaveLength(MAX_ROWS_PER_MINUTE + 1)
  expect(batches[0]!.counts).toEqual([{ accountId: 1n, hour: AT, keyId: 'key_a', model: 'gpt-6-luna', calls: 1_000_001, kept: MAX_ROWS_PER_MINUTE + 1 }])
})

test('an account with many keys fills its hour, another account is not touched by it', async () => {
  const { note, stop, batches } = recorder()
  for (let key = 0; key < 100; key++) for (let i = 0; i < MAX_ROWS_PER_MINUTE; i++) note(call({ keyId: `key_${key}` }))
  note(call({ accountId: 2n, keyId: 'key_other' }))
  await stop()
  const rows = batches.flatMap((batch) => batch.rows)
  expect(rows.filter((row) => row.accountId === 1n)).toHaveLength(MAX_ROWS_PER_HOUR)
  expect(rows.filter((row) => row.accountId === 2n)).toHaveLength(1)
})

test('trying every model with every key fills no table and displaces no other account, and all is counted', async () => {
  const { note, stop, batches } = recorder()
  for (let key = 0; key < 100; key++) for (let model = 0; model < 80; model++) note(call({ keyId: `key_${key}`, model: `model-${model}` }))
  note(call({ accountId: 2n, keyId: 'key_other' }))
  await stop()
  const { counts } = batches[0]!
  expect(counts.filter((count) => count.accountId === 1n).length).toBeLessThanOrEqual(MAX_NAMES_PER_HOUR + 100)
  expect(counts.reduce((sum, count) => sum + count.calls, 0)).toBe(8_001)
  expect(counts.filter((count) => count.accountId === 2n)).toHaveLength(1)
})

test('an unavailable database loses the waiting rows and takes no more memory', async () => {
  const { note, stop, warn, batches } = recorder(() => Promise.reject(new Error('away')))
  for (let i = 0; i < 50_000; i++) note(call({ keyId: `key_${i}`, accountId: BigInt(i) }))
  await stop()
  expect(batches).toEqual([])
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ rows: 2_000 }), expect.any(String))
})
