import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { openRawClient } from '../sdk/sockets-lab.ts'
import type { RawClient } from '../sdk/sockets-lab.ts'

// Gateway processes on PostgreSQL, and the sandbox vendor in a separate process, as a vendor is.
const SESSIONS = Number(process.env['SOCKETS'] ?? 6)
const ENV = { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail', GATEWAY_NODE_DEAD_MS: '8000', GATEWAY_SILENT_MS: '12000' }
const REALTIME = 'gpt-realtime-2.1-mini'
const LIVE = 'gemini-2.5-flash-native-audio-preview-12-2025'

let platform: TestServer
let gateway: TestServer
let db: Db
beforeAll(async () => {
  platform = await startTestServer({ roles: 'worker,sandbox', env: ENV })
  gateway = await startTestServer({
    roles: 'gateway',
    databaseUrl: platform.databaseUrl,
    env: { ...ENV, SANDBOX_UPSTREAM_URL: `${platform.baseUrl}/sandbox/upstream` },
  })
  db = connect(platform.databaseUrl, { max: 4 })
})
afterAll(async () => {
  if (process.env['SHOW']) console.log(platform?.output().slice(-4000), gateway?.output().slice(-4000))
  await Promise.all([gateway?.stop(), platform?.stop()])
  await db?.close()
})

const port = () => Number(new URL(gateway.baseUrl).port)
const toUserItem = (text: string) => ({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] } })

/** Opens a session of each kind in turn, in the middle of a response. */
async function openMidAnswer(n: number, secret: string): Promise<RawClient> {
  const text = `${n} [[sandbox:tokens=150,chunk=${20 + n}]]`
  const headers = { authorization: `Bearer ${secret}` }
  if (n % 3 === 0) {
    const client = await openRawClient(port(), `/v1/realtime?model=${REALTIME}`, { headers })
    client.say(toUserItem(text))
    client.say({ type: 'response.create' })
    await client.heard('response.output_audio.delta')
    return client
  }
  if (n % 3 === 1) {
    const client = await openRawClient(port(), '/v1/responses', { headers })
    // a starved process refuses, so the request is repeated
    const counted = (type: string) => client.frames.filter((frame) => frame['type'] === type).length
    for (let refused = 0; counted('response.output_text.delta') === 0; refused = counted('error')) {
      client.say({ type: 'response.create', model: 'gpt-6-luna', input: text, max_output_tokens: 400, store: false })
      await expect.poll(() => counted('response.output_text.delta') > 0 || counted('error') > refused).toBe(true)
    }
    return client
  }
  const client = await openRawClient(port(), `/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=${secret}`, { headers: {} })
  client.say({ setup: { model: `models/${LIVE}`, generationConfig: { responseModalities: ['AUDIO'] } } })
  client.say({ clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true } })
  await client.heard('serverContent')
  return client
}

interface Entry {
  callId: string
  status: string
  billed: { input: number; output: number }
}

/** Every call that the vendor billed has its row with the same figures, no hold remains, and the ledger verifies. */
async function expectSettledBooks(): Promise<number> {
  await expect
    .poll(
      async () =>
        (
          await db.query(`select (select count(*)::int from gateway_calls) as open, (select count(*)::int from gateway_unposted) as unposted,
            (select count(*)::int from wallet_holds where status = 'pending') as holds`)
        )[0],
      { interval: 500 },
    )
    .toEqual({ open: 0, unposted: 0, holds: 0 })
  const reply = await fetch(`${platform.baseUrl}/sandbox/upstream/book?since=0&limit=50000`, { headers: { authorization: 'Bearer sandbox' } })
  const { entries } = (await reply.json()) as { entries: Entry[] }
  expect(entries.filter((entry) => entry.status === 'running')).toEqual([])
  const rows = await db.query<{ callId: string; amount: bigint; input: number; output: number }>(
    'select call_id, amount, input_tokens::int as input, output_tokens::int as output from gateway_usage where amount > 0',
  )
  const billed = entries.filter((entry) => entry.billed.input + entry.billed.output > 0).map((entry) => [entry.callId, entry.billed.input, entry.billed.output])
  expect(rows.map((row) => [row.callId, row.input, row.output]).toSorted()).toEqual(billed.toSorted())
  const [{ spent }] = (await db.query<{ spent: bigint }>(`select sum(spent)::bigint as spent from wallet_accounts where kind = 'customer'`)) as [
    { spent: bigint },
  ]
  expect(spent).toBe(rows.reduce((sum, row) => sum + row.amount, 0n))
  expect((await verifyLedger(db)).problems).toEqual([])
  return rows.length
}

test('kill -9 in the middle of every kind of session: holds resolve, and what the vendor billed is what was charged', async () => {
  const { secret } = await aKey(db, await aFundedUser(db, { userId: createId('user') }))
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, (_, n) => openMidAnswer(n, secret)))
  await gateway.kill('SIGKILL')
  await expect.poll(() => sessions.every((session) => session.closed?.code === 1006)).toBe(true)
  await gateway.restart()
  expect(await expectSettledBooks()).toBe(SESSIONS)
})

test('twenty sessions at once on money for five: five speak, the others get a 429, no balance goes below zero', async () => {
  // A session holds the price of a response of 4,096 tokens at 20 dollars a million, plus a little for its input.
  const userId = await aFundedUser(db, { userId: createId('user'), purchased: 450_000_000n })
  const { secret } = await aKey(db, userId)
  const doors = await Promise.allSettled(
    Array.from({ length: 20 }, () => openRawClient(port(), `/v1/realtime?model=${REALTIME}`, { headers: { authorization: `Bearer ${secret}` } })),
  )
  const inside = doors.flatMap((door) => (door.status === 'fulfilled' ? [door.value] : []))
  const outside = doors.flatMap((door) => (door.status === 'rejected' ? [String(door.reason)] : []))
  expect(inside.length).toBeGreaterThanOrEqual(4)
  expect(inside.length).toBeLessThanOrEqual(5)
  for (const words of outside) expect(words).toMatch(/429 .*credit_balance_exhausted/)
  // The sessions continue until the balance is used up; a client that cannot continue gets the reason and is closed.
  const talk = async (client: RawClient): Promise<void> => {
    for (let n = 1; client.closed === undefined && n <= 12; n++) {
      client.say(toUserItem('[[sandbox:tokens=100]]'))
      client.say({ type: 'response.create' })
      await expect.poll(() => client.closed !== undefined || client.frames.filter((frame) => frame['type'] === 'response.done').length >= n).toBe(true)
    }
    client.ws.close()
  }
  await Promise.all(inside.map(talk))
  for (const client of inside.filter((one) => one.closed?.code === 1008))
    expect(client.frames.at(-1)).toMatchObject({ error: { code: 'credit_balance_exhausted' } })
  expect(inside.some((client) => client.closed?.code === 1008)).toBe(true)
  await expectSettledBooks()
  const accounts = await db.query<{ kind: string; available: bigint }>(
    `select kind, (posted - held)::bigint as available from wallet_accounts where owner = $1`,
    [`user:${userId}`],
  )
  expect(accounts.find((account) => account.kind === 'customer')!.available).toBeGreaterThanOrEqual(0n)
  expect(accounts.filter((account) => account.available < 0n)).toEqual([])
})
