import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { createSiteFeature } from './index.ts'
import { deletePageErrors } from './data-pages.ts'

const db = await useTestDb()
// the clock is fixed, so that no new minute begins while one is filled
const app = createTestApp({ features: [createSiteFeature([])], db, clock: createTestClock() })
const send = async (report: unknown) =>
  (await app.inject({ method: 'POST', url: '/common/pageReport', headers: { 'content-type': 'text/plain' }, payload: JSON.stringify(report) })).statusCode
const fault = { kind: 'error', message: 'x is undefined', place: '/assets/core-1.js:1:2', page: '/api', version: 'v1' }
const kept = () => db.query<{ message: string; times: number }>('select message, times from site_page_errors order by message')

test('faults are counted by day, and so are the ways to pay; always 204', async () => {
  for (const report of [fault, fault, { ...fault, message: 'y' }, 'nothing', { event: 'channel_chosen', detail: 25 }, { event: 'channel_chosen', detail: 25 }])
    expect(await send(report)).toBe(204)
  expect(await kept()).toEqual([
    { message: 'x is undefined', times: 2 },
    { message: 'y', times: 1 },
  ])
  expect(await db.query('select event, detail, times from site_page_events')).toEqual([{ event: 'channel_chosen', detail: '25', times: 2 }])
})

test('made-up faults are bounded for each minute and each day', async () => {
  await db.query('delete from site_page_errors')
  for (let n = 0; n < 200; n++)
    expect(await send({ ...fault, message: `fault ${String.fromCharCode(97 + (n % 26))}${String.fromCharCode(97 + ((n / 26) | 0))}` })).toBe(204)
  expect((await kept()).length).toBeLessThanOrEqual(120)
  await db.query(
    `insert into site_page_errors (day, kind, message, place, page, version) select current_date + 1, 'error', 'm' || n, '', '/', 'v' from generate_series(1, 500) n`,
  )
  const { countPageError } = await import('./data-pages.ts')
  const [{ day }] = (await db.query<{ day: string }>(`select (current_date + 1)::text as day`)) as [{ day: string }]
  await countPageError(db, day, { error: { ...fault, kind: 'error', message: 'one more' }, most: 500 })
  await countPageError(db, day, { error: { kind: 'error', message: 'm1', place: '', page: '/', version: 'v' }, most: 500 })
  expect(await db.query(`select message, times from site_page_errors where day = $1 and (times > 1 or message = 'one more')`, [day])).toEqual([
    { message: 'm1', times: 2 },
  ])
  await deletePageErrors(db, '2999-01-01')
  expect(await kept()).toEqual([])
})
