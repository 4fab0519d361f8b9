import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { deleteEnded } from './data.ts'
import { countEventWithin, uncountEvent, toIpSubject, requireAllowed } from './door.ts'

const db = await useTestDb({ max: 20 })
const start = new Date('2026-01-01T00:00:00Z')
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000)

test('of 200 parallel events exactly the limit is allowed', async () => {
  const verdicts = await Promise.all(
    Array.from({ length: 200 }, () => countEventWithin(db, 't.parallel', { subject: 'a', limit: 7, windowSeconds: 60, now: start })),
  )
  expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(7)
})

test('a refusal ends with its window, however many attempts come meanwhile', async () => {
  for (let i = 0; i < 3; i++) await countEventWithin(db, 't.window', { subject: 'a', limit: 2, windowSeconds: 60, now: after(i * 20) })
  expect(await countEventWithin(db, 't.window', { subject: 'a', limit: 2, windowSeconds: 60, now: after(59) })).toEqual({
    allowed: false,
    count: 4,
    retryAfterSeconds: 1,
  })
  expect(await countEventWithin(db, 't.window', { subject: 'a', limit: 2, windowSeconds: 60, now: after(60) })).toEqual({
    allowed: true,
    count: 1,
    retryAfterSeconds: 60,
  })
  await expect(requireAllowed(db, 't.window', { subject: 'a', limit: 1, windowSeconds: 60, now: after(70) })).rejects.toMatchObject({
    errorName: 'TOO_MANY',
    data: { retryAfterSeconds: 50 },
  })
})

test('subjects and buckets do not touch each other, and a good attempt is taken back', async () => {
  expect((await countEventWithin(db, 't.a', { subject: 'x', limit: 1, windowSeconds: 60, now: start })).allowed).toBe(true)
  expect((await countEventWithin(db, 't.a', { subject: 'y', limit: 1, windowSeconds: 60, now: start })).allowed).toBe(true)
  expect((await countEventWithin(db, 't.b', { subject: 'x', limit: 1, windowSeconds: 60, now: start })).allowed).toBe(true)
  await uncountEvent(db, 't.a', 'x')
  await uncountEvent(db, 't.a', 'x')
  expect((await countEventWithin(db, 't.a', { subject: 'x', limit: 1, windowSeconds: 60, now: start })).count).toBe(1)
})

test('ended windows are cleaned away, running ones stay', async () => {
  await deleteEnded(db, after(1_000_000))
  await countEventWithin(db, 't.clean', { subject: 'old', limit: 1, windowSeconds: 60, now: start })
  await countEventWithin(db, 't.clean', { subject: 'new', limit: 1, windowSeconds: 600, now: start })
  await deleteEnded(db, after(61))
  expect(await db.query('select count from risk_counters')).toHaveLength(1)
})

test.each([
  ['1.2.3.4', '1.2.3.4'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the subject of %s is %s', (ip, subject) => {
  expect(toIpSubject(ip)).toBe(subject)
})
