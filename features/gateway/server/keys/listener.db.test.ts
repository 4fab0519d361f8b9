import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, test } from 'vitest'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { openListenConnection } from './data.ts'

let db: Db & { url: string; owner: Db }
beforeAll(async () => {
  db = await useTestDb()
})

test('pings do not leak memory: a process sends five a second for as long as it lives', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const connection = await openListenConnection(db, ['gateway_keys'], () => {})
  const used = async (pings: number) => {
    for (let n = 0; n < pings; n++) await connection.ping(60_000)
    collect()
    return process.memoryUsage().heapUsed
  }
  // A leak of a hundred bytes per ping would be 300 kB each round; other growth in the process does not recur three times.
  const figures = [await used(500)]
  for (let round = 0; round < 3; round++) figures.push(await used(3000))
  const growth = figures.slice(1).map((figure, at) => figure - figures[at]!)
  expect(Math.min(...growth)).toBeLessThan(100_000)
  await connection.close()
})

test('a ping ends within its timeout, and with its connection at the latest', async () => {
  const connection = await openListenConnection(db, ['gateway_keys'], () => {})
  await connection.ping(60_000)
  const [{ pid }] = (await db.owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'mingxi-gateway-news' and datname = current_database()`,
  )) as [{ pid: number }]
  process.kill(pid, 'SIGSTOP')
  let waiting: Promise<void>
  try {
    await expect(connection.ping(50)).rejects.toThrow('no answer')
    waiting = connection.ping(60_000)
  } finally {
    // A stopped backend would keep its server from exiting.
    process.kill(pid, 'SIGCONT')
  }
  // The reply to the first ping came too late and is not mistaken for the second's.
  await waiting
  await db.owner.query('select pg_terminate_backend($1)', [pid])
  await expect(connection.ping(60_000)).rejects.toThrow()
  await expect(connection.ping(60_000)).rejects.toThrow()
  await connection.close()
})

test('an answer that arrives while the event loop is blocked counts', async () => {
  const connection = await openListenConnection(db, ['gateway_keys'], () => {})
  await connection.ping(60_000)
  const answered = connection.ping(20)
  for (const end = performance.now() + 300; performance.now() < end;);
  await answered
  await connection.close()
})
