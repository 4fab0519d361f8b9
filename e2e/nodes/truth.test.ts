import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { NANO_PER_USD, sum } from '#platform/shared/money.ts'
import { startBalancer } from './balancer.ts'
import type { Balancer } from './balancer.ts'
import { AT_REST, settledBooks, walletAtRest } from './books.ts'
import { startLoad } from './load.ts'
import type { Seen } from './load.ts'
import { aPayer, portOf, startStage } from './stage.ts'
import type { Stage } from './stage.ts'

/** How long a random node is killed every second, with PostgreSQL killed a third and two thirds through; 120 with a release. */
const SECONDS = Number(process.env['CHAOS_SECONDS'] ?? 8)
const WORKERS = Number(process.env['CHAOS_WORKERS'] ?? 8)

let stage: Stage
let balancer: Balancer
beforeAll(async () => {
  stage = await startStage(3)
  balancer = await startBalancer(stage.nodes.map(portOf))
})
afterAll(async () => {
  if (process.env['SHOW']) console.log([stage?.outside, ...(stage?.nodes ?? [])].map((node) => node?.output().slice(-4000)).join('\n----\n'))
  await balancer?.stop()
  await stage?.stop()
})

test('nodes killed every second and PostgreSQL twice, under load: the books equal the vendor’s', { timeout: (SECONDS + 300) * 1000 }, async () => {
  const rich = 1000n * NANO_PER_USD
  const payers = [await aPayer(stage.db, rich), await aPayer(stage.db, rich, 'drain'), await aPayer(stage.db, rich, 'drain')]
  let turn = 0
  // Clients that leave a stream of the first payer are charged an estimate of what they read; all others the vendor's figure.
  const load = startLoad({ url: balancer.url, secret: () => payers[turn++ % 3]!.secret, workers: WORKERS, faults: 5, leavers: 10, longest: 600 })
  const kills = await killForSeconds()
  const seen = await load.stop()
  for (const node of stage.nodes) await node.kill('SIGTERM')
  const books = await settledBooks(stage)

  const served = seen.filter((one) => one.status === 200)
  /** By a node, not by the balancer: its database or its upstream was away. */
  const refused = seen.filter((one) => one.callId && one.status !== 200)
  const estimated = [...books.rows.values()].filter((row) => row.provenance === 'estimated')
  const exact = [...books.rows.values()].filter((row) => row.provenance !== 'estimated' && row.amount > 0n)
  /** Billed by the vendor and charged to nobody: dialled by a process that did not live to promise it, or without a database. */
  const borne = [...books.vendor.keys()].filter((id) => !books.rows.get(id)?.amount)
  console.log(
    `${kills.nodes} nodes and ${kills.postgres} databases killed; ${seen.length} requests: ${served.length} answered, ${seen.filter((one) => one.end === 'left').length} left, ` +
      `${seen.filter((one) => one.status === 0 || one.end === 'broken').length} broken, ${seen.filter((one) => one.status >= 400).length} refused (${tallyOf(refused.map((one) => `${one.status}${one.faulty ? ' fault' : ''}`))}); ` +
      `rows ${books.rows.size}, of them ${exact.length} at the vendor's figure and ${estimated.length} estimated; ${borne.length} borne by the house; back after a database: ${kills.backMs.join(', ')} ms`,
  )
  // Every call of which a client saw the head is one row, and what was charged for it is what the vendor billed.
  expect(served.filter((one) => !books.rows.has(one.callId))).toEqual([])
  expect(exact.filter((row) => books.vendor.get(row.call_id) !== row.amount)).toEqual([])
  expect(sum(exact.map((row) => row.amount))).toBe(sum(exact.map((row) => books.vendor.get(row.call_id)!)))
  const charged = new Set([...exact, ...estimated].map((row) => row.call_id))
  const wholeAndCalm = served.filter((one) => one.end === 'whole' && !one.faulty)
  expect(wholeAndCalm.filter((one) => !charged.has(one.callId))).toEqual([])
  // An estimate is only for who left a stream that stops with its reader, or for a fault in the middle of one.
  const left = new Set(seen.filter((one) => one.end === 'left' || one.faulty || one.end === 'broken').map((one) => one.callId))
  expect(estimated.filter((row) => served.some((one) => one.callId === row.call_id) && !left.has(row.call_id))).toEqual([])
  // Nobody got anything of a call that the house bears, and nothing was done for who was refused.
  expect(borne.filter((id) => wasServed(served, id))).toEqual([])
  expect(refused.filter((one) => charged.has(one.callId))).toEqual([])
  // A refusal for want of a database names when to come back; where no money was promised nobody was asked.
  const calm = refused.filter((one) => !one.faulty)
  expect(calm.filter((one) => one.status !== 503 || !one.retryAfter)).toEqual([])
  expect(calm.filter((one) => one.text.includes('balance cannot be checked') && books.dialled.has(one.callId))).toEqual([])
  expect(served.length).toBeGreaterThan(SECONDS * 5)
  expect(kills.nodes).toBeGreaterThan(1)
  expect(kills.postgres).toBe(2)
  expect(await walletAtRest(stage.db)).toEqual(AT_REST)
  expect((await verifyLedger(stage.db)).problems).toEqual([])
})

const tallyOf = (names: readonly string[]) => [...new Set(names)].map((name) => `${names.filter((one) => one === name).length} x ${name}`).join(', ')
const wasServed = (served: readonly Seen[], callId: string) => served.some((one) => one.callId === callId && one.bytes > 0 && !one.faulty)

async function killForSeconds(): Promise<{ nodes: number; postgres: number; backMs: number[] }> {
  const until = Date.now() + SECONDS * 1000
  const databaseAt = [Date.now() + (SECONDS * 1000) / 3, Date.now() + (SECONDS * 2000) / 3]
  const starting = new Map<number, Promise<void>>()
  const backMs: number[] = []
  let nodes = 0
  while (Date.now() < until || databaseAt.length) {
    if (databaseAt.length && Date.now() > databaseAt[0]!) {
      databaseAt.shift()
      await stage.killPostgres()
      backMs.push(await backAfter())
    }
    const n = Math.floor(Math.random() * 3)
    if (!starting.has(n)) {
      await stage.nodes[n]!.kill('SIGKILL')
      nodes++
      starting.set(
        n,
        start(n).finally(() => starting.delete(n)),
      )
    }
    await sleep(1000)
  }
  await Promise.all(starting.values())
  return { nodes, postgres: 2 - databaseAt.length, backMs }
}

/** A process that finds no database ends; its supervisor starts it again, as here. */
async function start(n: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await stage.nodes[n]!.restart()
    } catch (error) {
      if (tries > 20) throw error
      await sleep(200)
    }
  }
}

/** Milliseconds from the moment the database answers again until a call is served. */
async function backAfter(): Promise<number> {
  const { secret } = await aPayer(stage.db, NANO_PER_USD)
  const asked = Date.now()
  for (;;) {
    const reply = await fetch(`${balancer.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-6-luna', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
    }).catch(() => undefined)
    await reply?.arrayBuffer().catch(() => {})
    if (reply?.status === 200) return Date.now() - asked
    if (Date.now() - asked > 30_000) throw new Error('no call is served 30 s after the database came back')
    await sleep(20)
  }
}
