import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestClock } from '#platform/testing/http.ts'
import { storeMarks, buildPlaceMarks, selectSharedMarks } from '#features/risk/server/door.ts'
import { createNetworkReporter } from './note-networks.ts'

const db = await useTestDb({ max: 2 })
const secretKeys = [Buffer.alloc(32, 'a'), Buffer.alloc(32, 'b')]
const clock = createTestClock()
const note = createNetworkReporter()
const use = (userId: string, from: string) => note({ db, secretKeys, clock }, [{ userId, from }])

test('a key used on a network where another user signs in, or uses keys, links its owner to that user', async () => {
  const signIn = (userId: string, ip: string) =>
    storeMarks(db, userId, { marks: buildPlaceMarks({ secretKeys }, { ip, userAgent: `browser of ${userId}` }), now: clock.now() })
  await signIn('ann', '203.0.113.9')
  await signIn('bob', '203.0.113.10')
  expect(await selectSharedMarks(db, 'bob', ['ann'])).toEqual([])
  await use('bob', '203.0.113.77')
  await use('bob', '127.0.0.1')
  await use('bob', '')
  expect(await selectSharedMarks(db, 'bob', ['ann', 'cat'])).toEqual([{ kind: 'keys', subject: 'ann' }])
  // a neighbour’s key use on a network does not link a user who only signs in there
  expect(await selectSharedMarks(db, 'ann', ['bob'])).toEqual([])
  await use('cat', '198.51.100.3')
  await use('dan', '198.51.100.4')
  expect(await selectSharedMarks(db, 'cat', ['dan', 'ann'])).toEqual([{ kind: 'keys', subject: 'dan' }])
})

test('the same network within an hour is not written again', async () => {
  const last = async () => (await db.query<{ at: Date }>(`select max(last_at) as at from risk_marks where subject = 'eve'`))[0]!.at
  await use('eve', '192.0.2.1')
  const first = await last()
  clock.advance(30 * 60_000)
  await use('eve', '192.0.2.1')
  expect(await last()).toEqual(first)
  clock.advance(61 * 60_000)
  await use('eve', '192.0.2.1')
  expect((await last()).getTime()).toBeGreaterThan(first.getTime())
})
