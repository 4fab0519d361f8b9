import { beforeAll, describe, expect, test } from 'vitest'
import { createRandomCode } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { listServiceSpecs, workTask } from '#features/services/server/door.ts'
import { features } from './features.ts'

// T7: every task in an unfinished state, of any service, ends or is reported in time, even if no supplier answers properly.
const OBJECTS = Number(process.env['OBJECTS'] ?? 2)
const db = await useTestDb({ max: 20 })
const { deps } = createTestApp({ features, db, clock: createRunningClock() })
let userId = ''

/** Starts all features that sell a service; new ones are included automatically. */
beforeAll(async () => {
  const before = listServiceSpecs().length
  for (const feature of features) if (feature.name !== 'gateway' && feature.start) await feature.start(deps, new Set())
  expect(listServiceSpecs().length).toBeGreaterThan(before + 5)
  ;({ userId } = await aUser(deps))
})

/** `late`: past its deadline. `open`: before its deadline, but without progress for 12 hours. */
async function plant(
  service: string,
  state: string,
  { phase, product, kind }: { readonly phase: string; readonly product: string; readonly kind: 'late' | 'open' },
): Promise<string> {
  const id = `srv_${createRandomCode(16).toLowerCase()}`
  const facts = { service: 'openai', country: 'US', address: `${id}@box.mingxi.example`, account: `${id}@example.com`, packageId: 2, count: 3, attempt: 1 }
  const sign = kind === 'late' ? '-' : '+'
  await db.owner.query(
    `insert into services_tasks (id, service, user_id, product, state, phase, amount, facts, created_at, started_at, entered_at, delivered_at, deadline_at, expires_at, next_check_at)
      values ($1, $2, $3, $4, $5, $6, 0, $7, now() - interval '12 hours', case when $6 <> 'draft' then now() - interval '12 hours' end, now() - interval '12 hours',
        case when $6 = 'using' then now() - interval '12 hours' end, case when $6 = 'waiting' then now() ${sign} interval '1 hour' end,
        case when $6 = 'using' then now() ${sign} interval '1 hour' end, now() - interval '1 minute')`,
    [id, service, userId, product, state, phase, JSON.stringify(facts)],
  )
  return id
}

/** Advances all tasks as far as possible, as the job does when they are due. */
async function workAll(ids: readonly string[]): Promise<void> {
  const left = [...ids]
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await workTask(deps, id)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

interface Row {
  readonly id: string
  readonly service: string
  readonly state: string
  readonly phase: string
  readonly told: boolean
  readonly again: boolean
}
const rows = (ids: readonly string[]) =>
  db.query<Row>(
    `select id, service, state, phase, late_told_at is not null as told, next_check_at is not null as again from services_tasks where id = any($1) order by id`,
    [ids],
  )

describe(`${OBJECTS} objects in each open state of each service`, () => {
  test('are finished once their time is up', async () => {
    const planted: { id: string; state: string; ends: boolean }[] = []
    for (const { name, states, prices } of listServiceSpecs())
      for (const [state, { phase, late, expires }] of [['draft', { phase: 'draft', late: { to: 'lapsed' } }] as const, ...Object.entries(states)] as const)
        if (phase !== 'done' && phase !== 'failed')
          for (let at = 0; at < OBJECTS; at++)
            planted.push({
              id: await plant(name, state, { phase, product: Object.keys(prices)[0] ?? 'x', kind: 'late' }),
              state,
              ends: Boolean(late ?? expires),
            })
    await workAll(planted.map(({ id }) => id))
    const after = await rows(planted.map(({ id }) => id))
    const known = new Map(planted.map((one) => [one.id, one]))
    // A state without a limit waits for an operator and must be reported. Every other task must have moved on, possibly to a state with its
    // own deadline.
    const stuck = after.filter(({ id, state, phase, told, again }) => {
      if (phase === 'done' || phase === 'failed') return false
      const was = known.get(id)!
      return !again || (state === was.state && (was.ends || (!told && phase === 'waiting')))
    })
    expect(stuck).toEqual([])
    expect(after).toHaveLength(planted.length)
  })

  test('are finished, or checked again and reported, while they have time left', async () => {
    const planted = new Map<string, string>()
    for (const { name, states, prices } of listServiceSpecs())
      for (const [state, { phase }] of Object.entries(states))
        if (phase === 'waiting')
          for (let at = 0; at < OBJECTS; at++) planted.set(await plant(name, state, { phase, product: Object.keys(prices)[0] ?? 'x', kind: 'open' }), state)
    await workAll([...planted.keys()])
    const same = (await rows([...planted.keys()])).filter(({ id, state }) => state === planted.get(id))
    expect(same.filter(({ told, again }) => !told || !again)).toEqual([])
    const [all] = await db.query<{ n: number }>(`select count(*)::int as n from services_tasks where next_check_at is null and phase not in ('done','failed')`)
    expect(all!.n).toBe(0)
  })
})
