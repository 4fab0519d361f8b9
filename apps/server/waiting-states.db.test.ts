import { beforeAll, expect, test } from 'vitest'
import { createRandomCode } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { listServiceSpecs } from '#features/services/server/door.ts'
import type { ServiceSpec } from '#features/services/server/door.ts'
import { features } from './features.ts'

// T7 for every service: a task in any waiting state ends in time or is reported. The states come from the services' specs.
/** PLANTED=50: the count of a release. */
const PLANTED = Number(process.env['PLANTED'] ?? 2)
/** Timeouts on the longest path through a service. */
const ROUNDS = 12
const db = await useTestDb()
const { deps, settle } = createTestApp({ features, db })
const job = features.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'services.work')!
let userId: string

beforeAll(async () => {
  for (const { start } of features) await start?.(deps, new Set(['api']))
  userId = (await aUser(deps)).userId
})

const listOpenStates = (spec: ServiceSpec): string[] =>
  Object.entries(spec.states)
    .filter(([, { phase }]) => phase === 'waiting' || phase === 'using')
    .map(([name]) => name)

async function plant(spec: ServiceSpec, state: string): Promise<void> {
  const { phase } = spec.states[state]!
  await db.owner.query(
    `insert into services_tasks (id, service, user_id, product, state, phase, amount, started_at, expires_at)
      select unnest($1::text[]), $2, $3, $4, $5, $6, 0, clock_timestamp(), case when $6 = 'using' then clock_timestamp() end`,
    [Array.from({ length: PLANTED }, () => `srv_${createRandomCode(16).toLowerCase()}`), spec.name, userId, Object.keys(spec.prices)[0] ?? 'one', state, phase],
  )
}

/** Expires every open task, whatever its state. */
async function expireTasks(): Promise<number> {
  const rows = await db.owner.query(
    `update services_tasks set next_check_at = clock_timestamp(), entered_at = entered_at - interval '2 days',
      deadline_at = case when phase = 'waiting' and deadline_at is not null then clock_timestamp() end,
      expires_at = case when phase = 'using' then clock_timestamp() else expires_at end
      where phase in ('waiting','using') and late_told_at is null returning 1`,
  )
  for (let due = rows.length; due > 0; due -= 20) await job.handle(deps, {})
  await settle()
  return rows.length
}

test('every service on sale has waiting states in this test', () => {
  const names = listServiceSpecs().map(({ name }) => name)
  expect(names.length).toBeGreaterThanOrEqual(10)
  for (const spec of listServiceSpecs()) expect([spec.name, listOpenStates(spec).length > 0]).toEqual([spec.name, true])
})

test(`T7: ${PLANTED} of each state of each service: all of them end, or are reported as waiting too long`, async () => {
  for (const spec of listServiceSpecs()) for (const state of listOpenStates(spec)) await plant(spec, state)
  // A state that ends by itself has a deadline from its first check on.
  for (const spec of listServiceSpecs())
    for (const [state, { late }] of Object.entries(spec.states))
      if (late) await db.owner.query('update services_tasks set deadline_at = clock_timestamp() where service = $1 and state = $2', [spec.name, state])
  for (let round = 0; round < ROUNDS && (await expireTasks()) > 0; round++);
  const left = await db.query(
    `select service, state, count(*)::int as n from services_tasks where phase in ('waiting','using') and late_told_at is null group by service, state`,
  )
  expect(left).toEqual([])
  const kept = await db.query<{ service: string; state: string }>(`select distinct service, state from services_tasks where phase in ('waiting','using')`)
  // Only tasks that need an operator keep waiting, and they are in the desk's queue.
  for (const { service, state } of kept) {
    const { desk, late } = listServiceSpecs().find(({ name }) => name === service)!.states[state]!
    expect([service, state, desk !== undefined, late]).toEqual([service, state, true, undefined])
  }
})
