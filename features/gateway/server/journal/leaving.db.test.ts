import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey } from '../builders.ts'
import { selectKeysByHash, recordReadOn } from '../keys/data.ts'
import { TEST_KEY } from '../hot/testing/fake-deps.ts'
import { SSE_HEAD } from '../hot/testing/fake-upstream.ts'
import { openLab, rawSocket, waitForCondition } from '../hot/testing/lab.ts'
import { createJournal } from './journal.ts'
import { createKeyCache } from '../keys/cache/key-cache.ts'
import { startListener } from '../keys/listener.ts'

const log = createLog('silent')
const DOLLAR = 1_000_000_000n
let db: Db & { url: string; owner: Db }
const stops: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  db = await useTestDb({ max: 10 })
})
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

test('a client that opens calls and leaves them has as many under way as the balance covers, and pays the hold of each', async () => {
  const userId = await aFundedUser(db, { purchased: DOLLAR })
  const { key } = await aKey(db, userId)
  const journal = await createJournal(db, log, { deadMs: 10_000 })
  const lab = await openLab({ limits: { drainMs: 4_000 } })
  stops.push(
    () => journal.stop(),
    () => lab.close(),
  )
  Object.assign(lab.deps, { journal, findKey: (secret: string) => (secret === TEST_KEY ? key : undefined) })
  // The vendor sends nothing more: each call is read until its time is over.
  lab.upstream.answer = (_seen, socket) => {
    socket.write(`${SSE_HEAD}\r\n`)
  }
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: true, max_tokens: 500, tools: [{ type: 'function' }] })
  let refused = 0
  const opened = 200
  for (let n = 0; n < opened; n++) {
    const client = rawSocket(lab)
    client.on('data', (data) => {
      if (data.toString().includes('credit_balance_exhausted')) refused++
    })
    client.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    await waitForCondition(() => lab.upstream.seen.length + refused > n)
    client.destroy()
  }
  const dialled = lab.upstream.seen.length
  expect(dialled + refused).toBe(opened)
  expect(dialled).toBeGreaterThan(5)
  expect(refused).toBeGreaterThan(0)
  await waitForCondition(() => lab.relay.openCalls() === 0)
  await journal.post()
  const rows = await db.query<{ amount: bigint; held: bigint; provenance: string }>(
    'select amount, provenance from gateway_usage where account_id = $1 and amount > 0',
    [key.accountId],
  )
  expect(rows).toHaveLength(dialled)
  expect(new Set(rows.map((row) => row.provenance))).toEqual(new Set(['held']))
  expect(rows.reduce((sum, row) => sum + row.amount, 0n)).toBeLessThanOrEqual(DOLLAR)
  expect((await readBalance(db, userId)).available).toBeGreaterThanOrEqual(0n)
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

test('an account whose estimates fell short is read to the end by every process', async () => {
  const userId = await aFundedUser(db, {})
  const { key, secret } = await aKey(db, userId)
  const cache = createKeyCache({ load: (hashes) => selectKeysByHash(db, hashes), pushed: () => listener.sure(), capacity: 100 })
  const listener = startListener(db, { gateway_keys: cache.forget }, { onGap: cache.forgetAll, log })
  stops.push(listener.stop)
  await waitForCondition(() => listener.sure())
  expect(await cache.find(secret)).toMatchObject({ keyId: key.keyId, readsOn: false })
  const found = { accountId: key.accountId, callId: `call_${randomBytes(6).toString('hex')}`, estimated: 5n, billed: 9n }
  await recordReadOn(db, found)
  await recordReadOn(db, { ...found, billed: 10n })
  for (let tries = 0; (await cache.find(secret))?.readsOn !== true; tries++) {
    expect(tries).toBeLessThan(500)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(await db.query('select billed from gateway_read_on where account_id = $1', [key.accountId])).toEqual([{ billed: 9n }])
})
