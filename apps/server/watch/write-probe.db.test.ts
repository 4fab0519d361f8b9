import { afterEach, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import { ALARM_CHECK_BEAT, writeBeat } from '#platform/server/database/beats.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { startWriteProbe } from './write-probe.ts'
import type { WriteProbe } from './write-probe.ts'

const db = await useTestDb()
const probes: WriteProbe[] = []
afterEach(() => Promise.all(probes.splice(0).map((probe) => probe.stop())))
const start = (name: string): WriteProbe => {
  const probe = startWriteProbe({ databaseUrl: db.url, name, roles: ['gateway'], log: createLog('silent') })
  probes.push(probe)
  return probe
}
const rows = () => db.query<{ name: string; roles: string[]; beatAt: Date }>('select name, roles, beat_at from process_beats order by name')

test('each process keeps rewriting one row, and removes it when it ends', async () => {
  const probe = start('node-a:1')
  const [{ beatAt: first } = { beatAt: undefined }] = await waitForValue(async () => ((await rows()).length === 1 ? await rows() : undefined), 'a row')
  await waitForValue(async () => (await rows())[0]!.beatAt > first!, 'a second write')
  expect(await rows()).toMatchObject([{ name: 'node-a:1', roles: ['gateway'] }])
  expect(probe.last().lookAgeMs).toBeUndefined()
  await writeBeat(db, ALARM_CHECK_BEAT)
  await waitForValue(() => probe.last().lookAgeMs !== undefined, 'the age of the look')
  await probe.stop()
  probes.length = 0
  expect((await rows()).map(({ name }) => name)).toEqual([ALARM_CHECK_BEAT])
})

test('a database that is readable but not writable counts as unavailable', async () => {
  const name = new URL(db.url).pathname.slice(1)
  const probe = start('node-b:1')
  await waitForValue(async () => (await rows()).some((row) => row.name === 'node-b:1'), 'a row')
  await db.owner.query(`alter database ${name} set default_transaction_read_only = on`)
  try {
    await db.owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mingxi-ready' and datname = $1`, [name])
    await waitForValue(() => probe.last().failingSince !== undefined, 'a write that fails')
    expect(await db.query('select 1 as there')).toEqual([{ there: 1 }])
  } finally {
    await db.owner.query(`alter database ${name} reset default_transaction_read_only`)
  }
  await waitForValue(() => probe.last().failingSince === undefined, 'a write that succeeds')
})

test('a stalled database fails the probe within its time limit, and the row is written again by itself', async () => {
  const probe = start('node-c:1')
  await waitForValue(async () => (await rows()).some((row) => row.name === 'node-c:1'), 'a row')
  const holder = await db.owner.pool.connect()
  await holder.query('begin')
  await holder.query('lock table process_beats')
  try {
    await waitForValue(() => probe.last().failingSince !== undefined, 'a write that takes too long')
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  await waitForValue(() => probe.last().failingSince === undefined, 'a write that succeeds')
})
