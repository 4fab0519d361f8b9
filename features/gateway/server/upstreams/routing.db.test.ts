import { beforeAll, describe, expect, test } from 'vitest'
import { Failure } from '#platform/shared/errors.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createSettings } from '#platform/server/settings.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { selectRoutes, selectUpstreams } from './data.ts'
import { resolveCallOutcome } from '../journal/sweeping/resolve-outcome.ts'
import type { OpenCallRow } from '../journal/sweeping/data-sweep.ts'
import type { Upstreams } from './upstreams.ts'
import type { LookedUpCall } from '../vendors/port.ts'
import type { UpstreamClient } from '../hot/deps.ts'
import { enterGate, hasRoom } from '../hot/choice/gate.ts'
import { startListener } from '../keys/listener.ts'
import { createLog } from '#platform/server/log.ts'
import { seedPrices } from '../catalogue/seed.ts'
import { vendors } from '../vendors/index.ts'
import { cheapestFirst } from '../settings.ts'
import { changeRoutes, changeUpstream, preferCheapest, removeRoutes } from './change-routes.ts'
import { listRoutes } from './list-routes.ts'
import { createUpstreamRegistry } from './upstream-registry.ts'

let db: Db & { url: string; owner: Db }
beforeAll(async () => {
  db = await useTestDb()
  await seedPrices({ db })
})

const operator = { kind: 'operator', id: 'test' } as const
const OPENAI = { vendor: 'openai', baseUrl: 'https://api.example.com/v1', credentialEnv: 'UPSTREAM_ONE_KEY' }
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Failure ? error.data : error),
  )
const createRegistry = async (secrets: Readonly<Record<string, string>> = { UPSTREAM_ONE_KEY: 's1', UPSTREAM_TWO_KEY: 's2' }) => {
  const errors: object[] = []
  const one = createUpstreamRegistry({} as UpstreamClient, { error: (data: object) => void errors.push(data) } as never, {
    vendorOf: (row) => vendors.find((vendor) => vendor.id === row.vendor),
    secretOf: ({ credentialEnv: name }) => secrets[name],
  })
  const take = async () => one.take(await selectUpstreams(db), await selectRoutes(db), await createSettings(db, 0).get(cheapestFirst))
  await take()
  return { ...one, errors, reload: take }
}
const ids = (routes: readonly { upstream: { id: string } }[] | undefined) => routes?.map((route) => route.upstream.id)

describe('changes by an operator', () => {
  test('an upstream and its routes are written, audited, and notified to every process', async () => {
    const heard: string[] = []
    let ready: (() => void) | undefined
    const connected = new Promise<void>((done) => {
      ready = done
    })
    const listener = startListener(db, { gateway_routes: () => heard.push('routes') }, { onGap: () => ready!(), log: createLog('silent') })
    await connected
    await changeUpstream(db, operator, { id: 'one', change: { ...OPENAI, concurrent: 5 }, reason: 'first' })
    await changeUpstream(db, operator, { id: 'two', change: { ...OPENAI, credentialEnv: 'UPSTREAM_TWO_KEY' }, reason: 'second' })
    await changeRoutes(db, operator, { upstream: 'one', models: ['gpt-4o', 'gpt-6-luna'], change: { weight: 300, costBp: 8750 }, reason: 'cheap' })
    await changeRoutes(db, operator, { upstream: 'two', models: ['gpt-4o'], change: {}, reason: 'spare' })
    await changeRoutes(db, operator, { upstream: 'one', models: ['gpt-4o'], change: { priority: 1 }, reason: 'other order' })
    expect(await db.query("select action, target, data->>'reason' as reason from audit_rows where action like 'gateway.%' order by id")).toEqual([
      { action: 'gateway.upstream-changed', target: 'upstream:one', reason: 'first' },
      { action: 'gateway.upstream-changed', target: 'upstream:two', reason: 'second' },
      { action: 'gateway.route-changed', target: 'model:gpt-4o', reason: 'cheap' },
      { action: 'gateway.route-changed', target: 'model:gpt-6-luna', reason: 'cheap' },
      { action: 'gateway.route-changed', target: 'model:gpt-4o', reason: 'spare' },
      { action: 'gateway.route-changed', target: 'model:gpt-4o', reason: 'other order' },
    ])
    // Omitted fields keep their values.
    expect(await selectRoutes(db)).toContainEqual(expect.objectContaining({ modelId: 'gpt-4o', upstreamId: 'one', priority: 1, weight: 300, costBp: 8750 }))
    await expect.poll(() => heard.length).toBe(5)
    await listener.stop()
    expect((await listRoutes(db)).join('\n')).toContain('gpt-4o  ->  one  gpt-4o  priority 1  weight 300  cost 87.5 %')
  })

  test.each([
    ["another secret's name", 'x', { ...OPENAI, credentialEnv: 'SECRET_KEY' }],
    ["another supplier's key", 'x', { ...OPENAI, credentialEnv: 'LITHIC_API_KEY' }],
    ["a vendor's key at another address", 'x', { ...OPENAI, vendor: 'openai', baseUrl: 'https://evil.example', credentialEnv: 'OPENAI_API_KEY' }],
    ["a vendor's key as another vendor", 'x', { ...OPENAI, vendor: 'anthropic', baseUrl: 'https://api.openai.com', credentialEnv: 'OPENAI_API_KEY' }],
    ["another upstream's key at another address", 'x', { ...OPENAI, baseUrl: 'https://evil.example', credentialEnv: 'UPSTREAM_TWO_KEY' }],
    ["a vendor's own id", 'openai', OPENAI],
    ['an address with a query', 'x', { ...OPENAI, baseUrl: 'https://a.example/?key=1' }],
    ['another scheme', 'x', { ...OPENAI, baseUrl: 'ftp://a.example' }],
    ['an unknown vendor', 'x', { ...OPENAI, vendor: 'nobody' }],
    ['no limit at all', 'x', { ...OPENAI, concurrent: 0 }],
    ['half an upstream', 'x', { vendor: 'openai' }],
  ])('%s is refused and leaves nothing', async (_name, id, change) => {
    expect(await refusal(changeUpstream(db, operator, { id, change, reason: 'no' }))).toBeTypeOf('object')
    expect(await db.query('select 1 from gateway_upstreams where upstream_id = $1', [id])).toEqual([])
  })

  test('a model that the vendor cannot speak, and one that does not exist', async () => {
    expect(await refusal(changeRoutes(db, operator, { upstream: 'one', models: ['claude-opus-4-8'], change: {}, reason: 'no' }))).toMatchObject({
      field: expect.stringMatching(/dialects/),
    })
    expect(await refusal(changeRoutes(db, operator, { upstream: 'one', models: ['gpt-4o', 'nothing'], change: {}, reason: 'no' }))).toEqual({
      unknown: 'nothing',
    })
    expect(await refusal(changeRoutes(db, operator, { upstream: 'one', models: ['gpt-4o'], change: { weight: 0 }, reason: 'no' }))).toMatchObject({
      fields: ['weight'],
    })
    expect(await refusal(removeRoutes(db, operator, { upstream: 'two', models: ['gpt-6-luna'], reason: 'no' }))).toEqual({ unknown: 'gpt-6-luna at two' })
  })
})

describe('routes that serve', () => {
  test('routes are ordered by priority, then by cost if so set; a route keeps its upstream over changes', async () => {
    const now = await createRegistry()
    expect(ids(now.routesOf('gpt-4o'))).toEqual(['two', 'one'])
    const before = now.routesOf('gpt-4o')![1]!.upstream
    await changeRoutes(db, operator, { upstream: 'one', models: ['gpt-4o'], change: { priority: 0 }, reason: 'even' })
    await now.reload()
    expect(new Set(now.routesOf('gpt-4o')!.map((route) => route.rank)).size).toBe(1)
    await preferCheapest(db, operator, true)
    await now.reload()
    expect(ids(now.routesOf('gpt-4o'))).toEqual(['one', 'two'])
    expect(now.routesOf('gpt-4o')![0]!.upstream).toBe(before)
    await preferCheapest(db, operator, false)
  })

  test('limits change under running calls; a drained upstream takes none; no rows are undefined, none serving is empty', async () => {
    const now = await createRegistry()
    const { upstream } = now.routesOf('gpt-6-luna')![0]!
    for (let i = 0; i < 5; i++) enterGate(upstream.gate!, Date.now())
    expect(hasRoom(upstream.gate!, Date.now())).toBe(false)
    await changeUpstream(db, operator, { id: 'one', change: { concurrent: 6 }, reason: 'more' })
    await now.reload()
    expect(hasRoom(upstream.gate!, Date.now())).toBe(true)
    await changeUpstream(db, operator, { id: 'one', change: { state: 'draining' }, reason: 'works' })
    await now.reload()
    expect(upstream.draining).toBe(true)
    expect(hasRoom(upstream.gate!, Date.now())).toBe(false)
    expect(now.routesOf('gpt-6-luna')).toEqual([])
    expect(ids(now.routesOf('gpt-4o'))).toEqual(['two'])
    expect(now.routesOf('gpt-5')).toBeUndefined()
    await changeUpstream(db, operator, { id: 'one', change: { state: 'active' }, reason: 'done' })
    await now.reload()
    expect(now.routesOf('gpt-6-luna')![0]!.upstream).toBe(upstream)
    await removeRoutes(db, operator, { upstream: 'one', models: ['gpt-6-luna'], reason: 'back' })
    await now.reload()
    expect(now.routesOf('gpt-6-luna')).toBeUndefined()
  })

  test('an upstream whose credential this process lacks is left out, with an alarm, and never shown in it', async () => {
    const now = await createRegistry({ UPSTREAM_TWO_KEY: 's2' })
    expect(ids(now.routesOf('gpt-4o'))).toEqual(['two'])
    expect(now.errors).toEqual([{ event: 'gateway.upstream_unusable', upstream: 'one', missing: 'UPSTREAM_ONE_KEY' }])
    expect(now.serverOf('one')).toBeUndefined()
    expect(now.serverOf('two')).toMatchObject({ key: 's2' })
  })
})

describe('after a crash', () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const known = { known: true, finished: true, usage }
  const lookups = (said: Readonly<Record<string, LookedUpCall | Error>>): Upstreams =>
    ({
      vendorOf: (id: string) => ({
        baseUrl: id,
        key: 's',
        vendor: {
          lookup: async (baseUrl: string) => {
            const answer = said[baseUrl] ?? { known: false, finished: false, usage: undefined }
            if (answer instanceof Error) throw answer
            return answer
          },
        },
      }),
    }) as unknown as Upstreams
  const call = async (): Promise<OpenCallRow> => {
    const [price] = await db.query<{ version: bigint }>("select version from gateway_prices where model_id = 'gpt-4o' order by version limit 1")
    return { callId: 'c', upstream: 'one', model: 'gpt-4o', priceVersion: price!.version } as OpenCallRow
  }

  test('a call that failed over is billed by the upstream that served it, even if the first one cannot be asked', async () => {
    await changeRoutes(db, operator, { upstream: 'one', models: ['gpt-4o'], change: {}, reason: 'again' })
    expect(await resolveCallOutcome(db, lookups({ two: known }), await call())).toMatchObject({
      kind: 'bill',
      bill: { upstream: 'two', inputTokens: 10, outputTokens: 5 },
    })
    expect(await resolveCallOutcome(db, lookups({ one: new Error('down'), two: known }), await call())).toMatchObject({ bill: { upstream: 'two' } })
    expect(await resolveCallOutcome(db, lookups({ one: known }), await call())).toMatchObject({ bill: { upstream: 'one' } })
  })

  test('the outcome stays open while an upstream still runs the call, or the only one that could know is down', async () => {
    expect(await resolveCallOutcome(db, lookups({ two: { known: true, finished: false, usage: undefined } }), await call())).toEqual({ kind: 'wait' })
    await expect(resolveCallOutcome(db, lookups({ one: new Error('down') }), await call())).rejects.toThrow('down')
    expect(await resolveCallOutcome(db, lookups({}), await call())).toEqual({ kind: 'nothing' })
  })
})
