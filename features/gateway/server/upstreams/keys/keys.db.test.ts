import { beforeAll, beforeEach, expect, test } from 'vitest'
import { resealColumn } from '#platform/server/sealing/reseal.ts'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator, anOperatorToken } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { seedPrices } from '../../catalogue/seed.ts'
import { gateway } from '../../index.ts'
import { startModelStandIn } from '#stand-ins/models/test-server.ts'
import type { RunningModelStandIn } from '#stand-ins/models/test-server.ts'
import { changeUpstream } from '../change-routes.ts'
import { selectUpstreams } from '../data.ts'
import { readEnvironment } from '../environment.ts'
import { createUpstreams } from '../upstreams.ts'
import { resolveCredential, sealedUpstreamKeyColumns } from './upstream-key.ts'

const product = [account, gateway, notices, payments, risk, wallet]
const db = await useTestDb()
const { call, deps } = createTestApp({ features: [...product, createBackoffice(product)], db, surface: 'operators' })
const BY = { kind: 'operator', id: 'test' } as const
const KEY = 'sk-canary-Zq7xK2mLp9-abcd'
const OTHER = 'sk-canary-Zq7xK2mLp9-wxyz'

let supply: BuiltOperator
let sandbox: RunningModelStandIn
beforeAll(async () => {
  await seedPrices(deps)
  sandbox = await startModelStandIn({ keys: [KEY] })
  return () => sandbox.stop()
})
beforeEach(async () => {
  supply = await anOperator(deps, ['supply'])
  for (const table of ['gateway_routes', 'gateway_upstream_keys', 'gateway_upstreams']) await db.owner.query(`delete from ${table}`)
  await changeUpstream(db, BY, {
    id: 'one',
    change: { vendor: 'sandbox-openai', baseUrl: `${sandbox.url}/openai`, credentialEnv: 'UPSTREAM_ONE_KEY' },
    reason: 'new',
  })
})
const preview = (name: string, input: object) => call('POST', `/operator/do/${name}/preview`, { upstreamId: 'one', ...input }, { token: supply.token })
async function run(name: string, input: object = {}) {
  const { data } = await preview(name, input)
  const why = { reasonCode: 'maintenance', reason: 'a reason of some length' }
  return call(
    'POST',
    `/operator/do/${name}`,
    { upstreamId: 'one', ...input, ...why, expects: data.expects },
    { token: supply.token, idempotencyKey: createId('k') },
  )
}
const shown = async () => (await call('GET', '/operator/upstreams', {}, { token: supply.token })).data.upstreams.find(({ id }: { id: string }) => id === 'one')
async function keyNow(): Promise<string | undefined> {
  const upstreams = createUpstreams(deps)
  await upstreams.reload(db, false)
  const server = upstreams.vendorOf('one')
  await upstreams.stop()
  return server?.key
}
async function everything(): Promise<string> {
  const tables = await db.owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const texts: string[] = []
  for (const { name } of tables) texts.push(...(await db.owner.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)).map(({ row }) => row))
  return texts.join('\n')
}

test('a key is sealed, used for calls, and shown by its last four characters; the database has it nowhere in plain text', async () => {
  expect(await keyNow()).toBeUndefined()
  const done = await run('upstream.set-key', { credential: KEY })
  expect(done.data).toMatchObject({ state: 'done', level: 'stepUp', input: { credential: '…abcd' } })
  expect(done.data.preview.changes).toContainEqual({ name: 'keyEnds', before: null, after: 'abcd' })
  expect(await keyNow()).toBe(KEY)
  expect((await shown()).key).toMatchObject({ last4: 'abcd', by: supply.id })
  const kept = await everything()
  expect(kept).not.toContain(KEY)
  expect(kept).not.toContain(Buffer.from(KEY).toString('hex'))
  expect(JSON.stringify([done.data, await shown()])).not.toContain('canary')
})

test('a new key replaces the old one for good; once it is retired, the environment’s is used again', async () => {
  await run('upstream.set-key', { credential: KEY })
  await run('upstream.set-key', { credential: OTHER })
  expect(await keyNow()).toBe(OTHER)
  expect(await db.query('select last4, sealed is null as gone from gateway_upstream_keys order by added_at, last4')).toEqual([
    { last4: 'abcd', gone: true },
    { last4: 'wxyz', gone: false },
  ])
  expect((await run('upstream.retire-key')).data.state).toBe('done')
  expect([(await shown()).key, await keyNow()]).toEqual([null, undefined])
  const [row] = await selectUpstreams(db)
  const env = readEnvironment({ ...deps, config: { ...deps.config, SANDBOX_UPSTREAM_KEY: 'from-env' } })
  expect(resolveCredential(env, deps.secretKeys, { ...row!, credentialEnv: 'SANDBOX_UPSTREAM_KEY' })).toBe('from-env')
  expect((await preview('upstream.retire-key', {})).data.shown.refusal).toMatchObject({ name: 'NOT_FOUND' })
  expect((await preview('upstream.set-key', { credential: 'with blank inside' })).status).toBe(400)
  expect((await preview('upstream.set-key', { upstreamId: 'none', credential: KEY })).data.shown.refusal).toMatchObject({ name: 'NOT_FOUND' })
})

test('another address asks for a proof and leaves the key of the old one behind; where another operator can approve, it waits', async () => {
  await db.owner.query(`update backoffice_operators set status = 'suspended' where id <> $1`, [supply.id])
  await run('upstream.set-key', { credential: KEY })
  expect((await run('upstream.change', { perMinute: 100 })).data).toMatchObject({ state: 'done', level: 'stepUp' })
  expect((await run('upstream.change', { baseUrl: `${sandbox.url}/other` })).data.state).toBe('done')
  expect(await keyNow()).toBe(KEY)
  expect((await run('upstream.change', { baseUrl: 'https://thief.example/v1' })).data.state).toBe('done')
  expect([(await shown()).key, await keyNow()]).toEqual([null, undefined])
  await anOperator(deps, ['owner'])
  expect((await run('upstream.change', { perMinute: 200 })).data).toMatchObject({ state: 'waiting', level: 'second' })
  const script = await anOperatorToken(deps, supply.id, ['routes.change'])
  const input = { upstreamId: 'one', baseUrl: 'https://thief.example/v2' }
  const { data } = await call('POST', '/operator/do/upstream.change/preview', input, { token: script.token })
  const why = { reasonCode: 'maintenance', reason: 'a reason of some length', expects: data.expects }
  const asked = await call('POST', '/operator/do/upstream.change', { ...input, ...why }, { token: script.token, idempotencyKey: createId('k') })
  expect(asked.data?.state).not.toBe('done')
})

test('an upstream has one active key at most; a key that no key of the installation opens is not used', async () => {
  await expect(
    db.owner.query(
      `insert into gateway_upstream_keys (key_id, upstream_id, sealed, last4, added_by, added_at) select 'upk_' || repeat(n, 26), 'one', '\\x00', 'aaaa', 'x', now() from unnest(array['A','B']) n`,
    ),
  ).rejects.toThrow('gateway_upstream_keys_one')
  await run('upstream.set-key', { credential: KEY })
  expect(
    await resealColumn({ db, secretKey: Buffer.alloc(32, 7), secretKeys: [Buffer.alloc(32, 7), ...deps.secretKeys] }, sealedUpstreamKeyColumns[0]!),
  ).toMatchObject({
    renewed: 1,
    unread: [],
  })
  expect(await keyNow()).toBeUndefined()
})
