import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { proxy } from '#features/proxy/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { beginTask, lockTask, moveTask, selectTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { aRemoteNode } from '../builders.ts'
import { remote } from '../index.ts'
import { REMOTE_SERVICE } from '../spec.ts'
import { createRemoteHost } from './host.ts'

const db = await useTestDb({ max: 20 })
const { deps } = createTestApp({ features: [remote, proxy, services, payments, wallet, account, notices, risk, support], db, clock: createRunningClock() })
const base = mkdtempSync(join(tmpdir(), 'remote-host-'))
// A browser that keeps starting while its program exists, and then fails
const chromium = join(base, 'chromium')
let node: string

beforeAll(async () => {
  chmodSync(base, 0o711)
  writeFileSync(chromium, `#!/bin/sh\ntouch "$HOME/started"\nwhile [ -e ${chromium} ]; do sleep 0.05; done\n`)
  chmodSync(chromium, 0o755)
  await remote.start!(deps, new Set(['api']))
  node = await aRemoteNode(db)
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const queued = async () => {
  const { userId } = await aUser(deps)
  const wanted = { service: REMOTE_SERVICE, userId, product: 'session', price: 0n }
  return (await transact(db, SYSTEM, (tx) => beginTask(deps, tx, wanted))).task.id
}
const stateOf = async (id: string) => (await selectTask(db, id))!.state

/** Locks a task until the returned function is called. */
async function hold(id: string): Promise<() => Promise<void>> {
  let letGo = () => {}
  const held = new Promise<void>((done) => (letGo = done))
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const holding = transact(db, SYSTEM, async (tx) => {
    await lockTask(tx, id)
    await tx.audit('test.held', `service:${id}`)
    locked()
    await held
  })
  await isLocked
  return () => (letGo(), holding)
}

test('a session whose claim takes longer than a look is started once, known while it starts, and ends', async () => {
  const places = { node, places: 4, starts: 3, base, proxy: () => 'http://127.0.0.1:9', chromium, isOwnUser: process.getuid!() !== 0 }
  const host = createRemoteHost(deps, places)
  const [id, next] = [await queued(), await queued()]
  const letGo = await hold(id)
  await host.look()
  await host.look()
  await letGo()
  for (const one of [id, next]) await waitForValue(() => existsSync(join(base, one, 'home', 'started')) || undefined, 'the browser')
  // Both claims are settled: another check changes nothing
  await host.look()
  expect([await stateOf(id), host.find(id)?.slot, host.find(next)?.slot]).toEqual(['starting', 0, 1])
  await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: ['starting'], to: { to: 'failed', cause: 'given_up' } }))
  await host.look()
  rmSync(chromium)
  await waitForValue(() => (host.find(id) || host.find(next) ? undefined : true), 'both ends')
  expect([existsSync(join(base, id)), existsSync(join(base, next)), await stateOf(next)]).toEqual([false, false, 'failed'])
  await host.stop()
})
