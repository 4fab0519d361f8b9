import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { createLog } from '../log.ts'
import { getNotifyChannel, closeNotifyChannel } from './notify-channel.ts'
import { connect } from './db.ts'

/** Longer than the pause between two connection attempts. */
const A_TRY_MS = 2_500

test('an unreachable database is asked for one connection at a time, however long it is away', async () => {
  let asked = 0
  const away = createServer((socket) => {
    asked++
    socket.destroy()
  })
  await new Promise<void>((done) => away.listen(0, '127.0.0.1', done))
  const db = connect(`postgres://127.0.0.1:${(away.address() as AddressInfo).port}/away`)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const deps = { db, log: createLog('silent') }
  getNotifyChannel(deps, 'news')
  for (let tries = 1; tries <= 5; tries++) {
    await vi.waitUntil(() => asked >= tries, { timeout: PATIENCE_MS, interval: 5 })
    await sleep(100) // A second notification would arrive at the same moment.
    expect(asked).toBe(tries)
    vi.advanceTimersByTime(A_TRY_MS)
  }
  await closeNotifyChannel(deps, 'news')
  away.close()
})
