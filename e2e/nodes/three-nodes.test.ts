import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/server/clock.ts'
import { SYSTEM } from '#platform/server/database/transact.ts'
import { freezeAccount, thawAccount } from '#features/account/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { NANO_PER_USD, sumNano, multiplyNano } from '#platform/shared/money.ts'
import { PATIENCE_MS, scaleTimeout } from '#platform/testing/patience.ts'
import { startBalancer, startHaproxy } from './haproxy.ts'
import type { Balancer } from './haproxy.ts'
import { WALLET_AT_REST, readSettledBooks, readWalletFigures } from './books.ts'
import { killForSeconds } from './chaos.ts'
import { buildLoadRequest, startConstantLoad } from './load.ts'
import type { LoadReply } from './load.ts'
import { listCostliestStatements, isKnownUnkeyed, listUnkeyedStatements } from './unkeyed-statements.ts'
import { insertUserRow, pickQuantile, measureRevocation } from './revocation.ts'
import { aKeyPayer, readServerPort, startNodesStage } from './stage.ts'
import type { NodesStage } from './stage.ts'

// Three gateway processes on one database: keys, money, restarts and kills. The counts of a release:
/** Number of rolling restarts. */
const ROLLS = Number(process.env['ROLLS'] ?? 1)
/** Duration of the chaos: a random node is killed every second, and PostgreSQL twice. */
const SECONDS = Number(process.env['CHAOS_SECONDS'] ?? 5)
const WORKERS = Number(process.env['CHAOS_WORKERS'] ?? 8)
const REVOCATIONS = Number(process.env['REVOCATIONS'] ?? 8)
/** Path of a real HAProxy to run in front of the nodes with the configuration of `deploy/`. */
const HAPROXY = process.env['HAPROXY']

let stage: NodesStage
let balancer: Balancer
beforeAll(async () => {
  stage = await startNodesStage(3, { DRAIN_NOTICE_MS: HAPROXY ? '3000' : '1000', DRAIN_MS: '60000' })
  const ports = stage.nodes.map(readServerPort)
  balancer = HAPROXY ? await startHaproxy(HAPROXY, ports) : await startBalancer(ports)
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.log([stage.outside, ...stage.nodes].map((node) => node.output().slice(-2000)).join('\n----\n'))
})
afterAll(async () => {
  await balancer?.stop()
  await stage?.stop()
})

test('M8: a deleted key is refused by every node within a second, its running stream comes to its end', async () => {
  const heard = await measureRevocation(stage, REVOCATIONS, { news: 'heard' })
  const lost = await measureRevocation(stage, Math.ceil(REVOCATIONS / 4), { news: 'lost' })
  const stuck = await measureRevocation(stage, Math.ceil(REVOCATIONS / 8), { news: 'stuck' })
  const say = (name: string, sorted: readonly number[]) =>
    `${name} p50 ${pickQuantile(sorted, 0.5).toFixed(0)} p99 ${pickQuantile(sorted, 0.99).toFixed(0)} ms (${sorted.length})`
  console.log(`refused after: ${say('news heard', heard)}, ${say('connection cut', lost)}, ${say('connection stuck', stuck)}`)
  // exact figures come from the bench; this only fails a node that receives no notification
  for (const sorted of [heard, lost, stuck]) expect(sorted.at(-1)).toBeLessThan(scaleTimeout(3_000))

  const { secret, key } = await aKeyPayer(stage.db, NANO_PER_USD)
  const [path, body] = buildLoadRequest('claude-haiku-5-5', true, { prompt: '[[sandbox:tokens=600]]', cap: 700 })
  const headers = { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const reply = await fetch(`${stage.nodes[0]!.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await stage.db.query('update gateway_keys set deleted_at = now() where key_id = $1', [key.keyId])
  expect(await reply.text()).toContain('message_stop')
  const [row] = await stage.db.query(`select outcome, amount > 0 as charged from gateway_usage where key_id = $1`, [key.keyId])
  expect(row).toEqual({ outcome: 'completed', charged: true })
})

test('a frozen user: every node refuses the keys within a second, a running stream comes to its end, sockets close, thawed keys work again', async () => {
  for (const [news, share, end] of [
    ['heard', 1, 'frozen'],
    ['lost', 4, 'frozen'],
    ['stuck', 8, 'frozen'],
    ['heard', 4, 'calls'],
    ['lost', 8, 'calls'],
  ] as const) {
    const sorted = await measureRevocation(stage, Math.ceil(REVOCATIONS / share), { news, end })
    console.log(`${end}, news ${news}: refused after p50 ${pickQuantile(sorted, 0.5).toFixed(0)} worst ${sorted.at(-1)!.toFixed(0)} ms`)
    expect(sorted.at(-1)).toBeLessThan(scaleTimeout(3_000))
  }
  const { secret, key } = await aKeyPayer(stage.db, NANO_PER_USD)
  await insertUserRow(stage, key.userId)
  const [path, body] = buildLoadRequest('claude-haiku-5-5', true, { prompt: '[[sandbox:tokens=600]]', cap: 700 })
  const headers = { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const [node] = stage.nodes
  const socket = new WebSocket(`${node!.baseUrl.replace('http', 'ws')}/v1/responses`, ['realtime', `openai-insecure-api-key.${secret}`])
  await new Promise((done, failed) => {
    socket.onopen = done
    socket.onerror = failed
  })
  const closed = new Promise<number>((done) => {
    socket.onclose = ({ code }) => done(code)
  })
  const reply = await fetch(`${node!.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const deps = { db: stage.db, clock: systemClock }
  await freezeAccount(deps, SYSTEM, { userId: key.userId, reason: 'test' })
  expect(await reply.text()).toContain('message_stop')
  expect(await closed).toBe(1008)
  expect(await stage.db.query(`select outcome, amount > 0 as charged from gateway_usage where key_id = $1`, [key.keyId])).toEqual([
    { outcome: 'completed', charged: true },
  ])
  await thawAccount(deps, SYSTEM, { userId: key.userId, reason: 'a mistake' })
  const again = async (base: string) => (await fetch(`${base}/v1/models`, { headers })).status
  for (const { baseUrl } of stage.nodes) await vi.waitFor(async () => expect(await again(baseUrl)).toBe(200), { timeout: PATIENCE_MS })
})

test('M1: two hundred streams over three nodes on money for ten: never a nano-dollar too much', async () => {
  const [path, body] = buildLoadRequest('gpt-6-luna', true, { prompt: '[[sandbox:tokens=100]] hello', cap: 100 })
  const probe = await aKeyPayer(stage.db, NANO_PER_USD)
  const call = async (base: string, secret: string) => {
    const headers = { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' }
    const reply = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const callId = (reply.headers.get('x-mingxi-request-id') ?? '').replace(/^req_/, 'call_')
    return { status: reply.status, text: await reply.text(), callId, retry: reply.headers.get('x-should-retry') }
  }
  const one = await call(stage.nodes[0]!.baseUrl, probe.secret)
  const [{ amount }] = (await stage.db.query<{ amount: bigint }>('select amount from gateway_usage where call_id = $1', [one.callId])) as [{ amount: bigint }]
  const money = multiplyNano(amount, 10)
  const poor = await aKeyPayer(stage.db, money)
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => call(stage.nodes[n % 3]!.baseUrl, poor.secret)))
  const served = answers.filter((answer) => answer.status === 200)
  const refused = answers.filter((answer) => answer.status !== 200)
  expect(served.length).toBeGreaterThan(0)
  expect(served.length).toBeLessThanOrEqual(10)
  // A process with a late heartbeat reserves no money: its refusal is acceptable too, and unrelated to the balance.
  expect(refused.filter((answer) => !(answer.status === 429 && answer.retry === 'false') && !answer.text.includes('cannot be checked'))).toEqual([])
  const books = await readSettledBooks(stage)
  const rows = served.map((answer) => books.rows.get(answer.callId)!)
  expect(rows.every((row) => books.vendor.get(row.callId) === row.amount)).toBe(true)
  expect(refused.filter((answer) => books.dialled.has(answer.callId))).toEqual([])
  const [account] = await stage.db.query('select posted >= 0 and spent <= $2 as sound, spent from wallet_accounts where id = $1', [poor.key.accountId, money])
  expect(account).toEqual({ sound: true, spent: sumNano(rows.map((row) => row.amount)) })
})

test('restarted in turn behind a balancer: no request fails, JSON or stream', async () => {
  const { secret } = await aKeyPayer(stage.db, 1000n * NANO_PER_USD)
  const load = startConstantLoad({ url: balancer.url, secret: () => secret, workers: WORKERS, longest: 1200 })
  const pids = stage.nodes.map((node) => node.pid())
  for (let roll = 0; roll < ROLLS; roll++) {
    for (const node of stage.nodes) {
      await node.kill('SIGTERM')
      await node.restart()
      await expect.poll(() => balancer.ready()).toBe(3)
    }
  }
  const seen = await load.stop()
  expect(stage.nodes.every((node, n) => node.pid() !== pids[n])).toBe(true)
  console.log(`${seen.length} requests during ${ROLLS * 3} restarts, ${seen.filter((one) => one.kind.endsWith('stream')).length} of them streams`)
  // a late heartbeat, as in M1, makes the node request a retry; a fast enough machine has none of these
  const isLate = (one: (typeof seen)[number]) => one.status === 503 && one.retryAfter === '1' && one.text.includes('cannot be checked')
  expect(seen.filter(isLate).length).toBeLessThanOrEqual(scaleTimeout(10) > 15 ? 2 : 0)
  expect(seen.filter((one) => !isLate(one) && (one.status !== 200 || one.end !== 'whole'))).toEqual([])
  expect(seen.length).toBeGreaterThan(50)
  const books = await readSettledBooks(stage)
  expect(seen.filter((one) => books.vendor.get(one.callId) !== books.rows.get(one.callId)?.amount)).toEqual([])
})

test('statements that name no account are those listed in docs/scale.md, so that the other tables can be sharded by account', async () => {
  const found = await listUnkeyedStatements(stage.db)
  console.log((await listCostliestStatements(stage.db)).join('\n'))
  expect(found.filter((one) => !isKnownUnkeyed(one))).toEqual([])
  // Verifies the detection itself: the same operation by the hold's id alone is reported.
  await stage.db.query(`select wallet_capture_many(array['none'], array[1]::bigint[], array['none'], 'test')`)
  const more = (await listUnkeyedStatements(stage.db)).filter((one) => !isKnownUnkeyed(one))
  expect(more.flatMap((one) => one.tables)).toContain('wallet_holds')
})

test('killed every second, PostgreSQL twice, under load: the books equal the vendor’s to the nano-dollar', async () => {
  const rich = 1000n * NANO_PER_USD
  const payers = [
    await aKeyPayer(stage.db, rich),
    await aKeyPayer(stage.db, rich, { onDisconnect: 'drain' }),
    await aKeyPayer(stage.db, rich, { onDisconnect: 'drain' }),
  ]
  let turn = 0
  // Clients that leave a stream of the first payer are charged an estimate of what they read; all others pay the vendor's figure.
  const load = startConstantLoad({ url: balancer.url, secret: () => payers[turn++ % 3]!.secret, workers: WORKERS, faults: 5, leavers: 10, longest: 600 })
  const kills = await killForSeconds(stage, balancer.url, SECONDS)
  const seen = await load.stop()
  await Promise.all(stage.nodes.map((node) => node.kill('SIGTERM')))
  const books = await readSettledBooks(stage)

  const served = seen.filter((one) => one.status === 200)
  /** Refused by a node, not by the balancer: its database or its upstream was down. */
  const refused = seen.filter((one) => one.callId && one.status !== 200)
  const estimated = [...books.rows.values()].filter((row) => row.provenance === 'estimated')
  const exact = [...books.rows.values()].filter((row) => row.provenance !== 'estimated' && row.amount > 0n)
  /** Billed by the vendor but charged to no customer: dialled by a process that was killed before its row was durable, or without a database. */
  const borne = [...books.vendor.keys()].filter((id) => !books.rows.get(id)?.amount)
  console.log(
    `${kills.nodes} nodes and ${kills.postgres} databases killed; ${seen.length} requests: ${served.length} answered, ${seen.filter((one) => one.end === 'left').length} left, ` +
      `${seen.filter((one) => one.end === 'broken').length} broken, ${seen.filter((one) => one.status >= 400).length} refused (${tallyOf(refused)}); ` +
      `${exact.length} rows at the vendor's figure, ${estimated.length} estimated, ${borne.length} calls at our cost; served again ${kills.backMs.join(' and ')} ms after the database`,
  )
  // Every call with a response head has one row, and its charge equals the vendor's bill.
  expect(served.filter((one) => !books.rows.has(one.callId))).toEqual([])
  expect(exact.filter((row) => books.vendor.get(row.callId) !== row.amount)).toEqual([])
  expect(sumNano(exact.map((row) => row.amount))).toBe(sumNano(exact.map((row) => books.vendor.get(row.callId)!)))
  const charged = new Set([...exact, ...estimated].map((row) => row.callId))
  expect(served.filter((one) => one.end === 'whole' && !one.faulty && !charged.has(one.callId))).toEqual([])
  // Only streams that their client left and that stop with it, or that broke in the middle, are estimated.
  const whole = new Set(served.filter((one) => one.end === 'whole' && !one.faulty).map((one) => one.callId))
  expect(estimated.filter((row) => whole.has(row.callId))).toEqual([])
  // No client received bytes of a call whose cost we absorb, and no refused call was charged.
  expect(borne.filter((id) => served.some((one) => one.callId === id && one.bytes > 0 && !one.faulty))).toEqual([])
  expect(refused.filter((one) => charged.has(one.callId))).toEqual([])
  // A refusal without a database carries Retry-After; a call whose balance could not be checked never reached the vendor.
  const calm = refused.filter((one) => !one.faulty)
  expect(calm.filter((one) => one.status !== 503 || !one.retryAfter)).toEqual([])
  expect(calm.filter((one) => one.text.includes('balance cannot be checked') && books.dialled.has(one.callId))).toEqual([])
  expect(served.length).toBeGreaterThan(20)
  expect(kills.nodes).toBeGreaterThan(1)
  // The sweeper does not yet count a node killed in the last second as dead.
  await expect.poll(() => readWalletFigures(stage.db)).toEqual(WALLET_AT_REST)
  expect((await verifyLedger(stage.db)).problems).toEqual([])
})

const tallyOf = (seen: readonly LoadReply[]) => {
  const names = seen.map((one) => `${one.status}${one.faulty ? ' by a fault' : ''}`)
  return [...new Set(names)].map((name) => `${names.filter((one) => one === name).length} x ${name}`).join(', ')
}
