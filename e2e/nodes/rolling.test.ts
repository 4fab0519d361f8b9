import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { startBalancer } from './balancer.ts'
import { AT_REST, settledBooks, walletAtRest } from './books.ts'
import { startLoad } from './load.ts'
import { aPayer, portOf, startStage } from './stage.ts'
import type { Stage } from './stage.ts'

/** Each of three nodes is restarted so often while the load goes on; ROLLS=10 is the count of a release. */
const ROLLS = Number(process.env['ROLLS'] ?? 1)

let stage: Stage
beforeAll(async () => {
  stage = await startStage(3, { DRAIN_NOTICE_MS: '1000', DRAIN_MS: '60000' })
})
afterAll(async () => {
  if (process.env['SHOW']) console.log(stage?.nodes.map((node) => node.output().slice(-3000)).join('\n----\n'))
  await stage?.stop()
})

test('three nodes restarted in turn behind a balancer: no request fails, JSON or stream', { timeout: 600_000 }, async () => {
  const { secret } = await aPayer(stage.db, 1000n * NANO_PER_USD)
  const balancer = await startBalancer(stage.nodes.map(portOf))
  const load = startLoad({ url: balancer.url, secret: () => secret, workers: 8, longest: 1200 })
  const pids = stage.nodes.map((node) => node.pid())
  for (let roll = 0; roll < ROLLS; roll++) {
    for (const node of stage.nodes) {
      await node.kill('SIGTERM')
      await node.restart()
      await expect.poll(() => balancer.ready(), { timeout: 60_000 }).toBe(3)
    }
  }
  const seen = await load.stop()
  await balancer.stop()
  expect(stage.nodes.every((node, n) => node.pid() !== pids[n])).toBe(true)
  console.log(`${seen.length} requests during ${ROLLS * 3} restarts, ${seen.filter((one) => one.kind.endsWith('stream')).length} of them streams`)
  expect(seen.filter((one) => one.status !== 200 || one.end !== 'whole')).toEqual([])
  expect(seen.length).toBeGreaterThan(100)

  for (const node of stage.nodes) await node.kill('SIGTERM')
  const books = await settledBooks(stage)
  expect(books.rows.size).toBe(seen.length)
  expect([...books.rows].filter(([id, row]) => books.vendor.get(id) !== row.amount)).toEqual([])
  expect([...books.vendor.keys()].filter((id) => !books.rows.has(id))).toEqual([])
  expect(await walletAtRest(stage.db)).toEqual(AT_REST)
  expect((await verifyLedger(stage.db)).problems).toEqual([])
})
