import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { resolvePermissions, OPERATOR_PERMISSIONS, OPERATOR_ROLE_NAMES } from '#features/backoffice/permissions.ts'
import type { OperatorRole } from '#features/backoffice/permissions.ts'
import { anOperator, anOperatorToken } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { aConversation } from '#features/support/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { TestReply } from '#platform/testing/http.ts'
import { features } from '../features.ts'
import { buildForeignFields, buildPathVariants, listHostileValues } from './hostile-calls.ts'
import { OPERATOR_SAMPLES, COMMAND_SAMPLES, SAMPLE_REASON } from './operator-samples.ts'
import type { OperatorScene } from './operator-samples.ts'

// Generated from the route table of the operators' origin: each role at each route, and every command with invalid input (money.md Z1, Z3,
// Z4, L12).
const db = await useTestDb()
const app = createTestApp({ features, db, surface: 'operators' })
const customers = createTestApp({ features, db })

const endpoints: readonly (readonly [string, Endpoint])[] = features
  .flatMap((feature) => (feature.consoleRoutes ?? []).flatMap((binding) => Object.values(binding.contract)))
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint])
const commands = features.flatMap((feature) => feature.commands ?? [])
let scene: OperatorScene & { readonly user: BuiltUser; readonly other: BuiltOperator }
const staff = new Map<OperatorRole, BuiltOperator>()
let gone: Readonly<Record<string, string>>

beforeAll(async () => {
  await features.find((feature) => feature.name === 'gateway')?.start?.(app.deps, new Set(['api']))
  await chooseCaptcha(app.deps, 'off')
  const user = await aUser(app.deps, { email: 'victim-canary-zq7xk@example.com' })
  await aFundedUser(db, { userId: user.userId })
  const order = { orderType: 10, amount: '20', channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }
  const placed = await customers.call('POST', '/api/go/v1/payOrder', order, { token: user.token, idempotencyKey: 'one' })
  const { id: conversationId } = await aConversation(app.deps, { userId: user.userId, text: 'a question' })
  const other = await anOperator(app.deps, ['owner'])
  scene = { user, conversationId, orderNo: placed.data.orderNo, other }
  for (const role of OPERATOR_ROLE_NAMES) staff.set(role, await anOperator(app.deps, [role]))
  const [suspended, old, idle, ended] = [
    await anOperator(app.deps, ['owner']),
    await anOperator(app.deps, ['owner']),
    await anOperator(app.deps, ['owner']),
    await anOperator(app.deps, ['owner']),
  ]
  await db.query(`update backoffice_operators set status = 'suspended' where id = $1`, [suspended.id])
  await db.query(`update backoffice_sessions set created_at = created_at - interval '12 hours' where id = $1`, [old.sessionId])
  await db.query(`update backoffice_sessions set last_seen_at = last_seen_at - interval '30 minutes' where id = $1`, [idle.sessionId])
  expect((await app.call('POST', '/operator/signOut', {}, { token: ended.token })).code).toBe(200)
  const { id, token } = await anOperatorToken(app.deps, other.id, ['work.read'])
  await db.query('update backoffice_tokens set revoked_at = now() where id = $1', [id])
  gone = { suspended: suspended.token, old: old.token, idle: idle.token, ended: ended.token, revoked: token, customer: user.token }
})

function findSample(name: string, endpoint: Endpoint): Record<string, unknown> {
  const command = /^POST \/operator\/do\/([^/]+)(\/preview)?$/.exec(name)
  if (!command) return OPERATOR_SAMPLES[name]?.(scene) ?? {}
  return { ...COMMAND_SAMPLES[command[1]!]!(scene), ...(endpoint.idempotency ? SAMPLE_REASON : {}) }
}
/**
 * True the first time that a field is tested. A command's preview and run parse its input alike, and all commands share the reason fields, so one
 * test covers each.
 */
const tried = new Set<string>()
function isFirst(name: string, field: string): boolean {
  const command = /^POST \/operator\/do\/([^/]+)/.exec(name)?.[1]
  const key = command === undefined ? `${name} ${field}` : field in SAMPLE_REASON ? field : `${command} ${field}`
  return tried.size < tried.add(key).size
}
const send = (
  endpoint: Endpoint,
  input: Record<string, unknown>,
  { token, idempotencyKey = `k-${Math.random()}` }: { readonly token?: string; readonly idempotencyKey?: string } = {},
): Promise<TestReply> =>
  app.call(endpoint.method, endpoint.path, input, {
    ip: `10.9.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
    ...(endpoint.idempotency ? { idempotencyKey } : {}),
    ...(token === undefined ? {} : { token }),
  })

/** State that must not change: no operator here has a preview, so every command is refused. */
const selectState = () =>
  db.query(
    `select (select status from account_users where id = $1) as status, (select count(*)::int from backoffice_operators) as operators, (select count(*)::int from settings) as settings,
      (select count(*)::int from payments_refunds) as refunds, (select state from support_conversations where id = $2) as talk, (select count(*)::int from gateway_routes) as routes,
      (select string_agg(roles::text || status, ',' order by id) from backoffice_operators) as staff, (select count(*)::int from backoffice_commands) as commands,
      (select coalesce(sum(posted), 0)::text from wallet_accounts where owner = 'user:' || $1) as posted`,
    [scene.user.userId, scene.conversationId],
  )
/** A new operator with the role, after a call that changes the operator's own sessions and codes. */
async function createFreshOperator(role: OperatorRole): Promise<BuiltOperator> {
  const made = await anOperator(app.deps, [role])
  staff.set(role, made)
  return made
}

test('every command, and every endpoint that refuses an empty input, has a sample, and every sample is one of them', () => {
  const named = endpoints.filter(([name]) => !name.startsWith('POST /operator/do/'))
  for (const [name, { input }] of named) expect([name, name in OPERATOR_SAMPLES || input.safeParse({}).success]).toEqual([name, true])
  expect(Object.keys(OPERATOR_SAMPLES).filter((name) => !named.some(([known]) => known === name))).toEqual([])
  expect(commands.map(({ name }) => name).sort()).toEqual(Object.keys(COMMAND_SAMPLES).sort())
  expect(endpoints.filter(([name]) => name.startsWith('POST /operator/do/')).length).toBe(2 * commands.length)
})

test('every required permission is in the catalogue, and every permission there is required', () => {
  const asked = new Set([...endpoints.flatMap(([, { permission }]) => permission ?? []), ...commands.map(({ permission }) => permission)])
  expect([...asked].sort()).toEqual([...OPERATOR_PERMISSIONS].sort())
  for (const [name, { access, permission }] of endpoints)
    if (name.includes('/do/')) expect([name, access, permission]).toEqual([name, 'operator', expect.any(String)])
})

describe.each(endpoints)('%s', (name, endpoint) => {
  test('is not at the customers’ origin', async () => {
    const answer = await customers.call(endpoint.method, endpoint.path, findSample(name, endpoint), { token: scene.user.token, idempotencyKey: 'k' })
    expect([answer.status, answer.code]).toEqual([404, 404])
  })

  test.runIf(endpoint.access !== 'public')('refuses absent tokens, strangers, suspended operators, ended, idle and old sessions, customers', async () => {
    for (const token of [
      undefined,
      '',
      'x'.repeat(43),
      `ops_${'x'.repeat(43)}`,
      scene.other.token.slice(0, -1),
      `Bearer ${scene.other.token}`,
      ...Object.values(gone),
    ]) {
      const answer = await send(endpoint, findSample(name, endpoint), { token })
      expect([token, answer.status, answer.code, answer.data]).toEqual([token, 401, 401, null])
    }
  })

  test.runIf(endpoint.access === 'operator')('admits exactly the roles with the permission, and shows none of them a contact unasked', async () => {
    const before = await selectState()
    for (const role of OPERATOR_ROLE_NAMES) {
      const may = !endpoint.permission || resolvePermissions([role]).has(endpoint.permission)
      const answer = await send(endpoint, findSample(name, endpoint), {
        token: (endpoint.permission ? staff.get(role)! : await createFreshOperator(role)).token,
      })
      expect([role, answer.status === 403 && answer.code === 403]).toEqual([role, !may])
      expect(answer.status, answer.raw.body.slice(0, 300)).toBeLessThan(500)
      if (name !== 'POST /operator/reveal') expect(answer.raw.body).not.toContain('zq7xk')
    }
    const [after] = await selectState()
    expect({ ...after, operators: 0, staff: '' }).toEqual({ ...before[0], operators: 0, staff: '' })
  })

  test('ignores fields that are not its own', async () => {
    const before = await selectState()
    const own = Object.keys((endpoint.input as z.ZodType & { shape?: object }).shape ?? {})
    const extra = Object.fromEntries(
      Object.entries({
        ...buildForeignFields(scene.user),
        operatorId: scene.other.id,
        askedBy: scene.other.id,
        via: 'session',
        level: 'free',
        needs: 0,
        state: 'done',
      }).filter(([field]) => !own.includes(field)),
    )
    const answer = await send(endpoint, { ...extra, ...findSample(name, endpoint) }, { token: staff.get('support')!.token })
    expect(answer.status).toBeLessThan(500)
    const [after] = await selectState()
    expect(after).toEqual(before[0])
    if (/signOut|session\/end|recovery/.test(name)) await createFreshOperator('support')
  })

  test('answers hostile values with a clear error, never with a failure of its own', async () => {
    const shape = (endpoint.input as z.ZodType & { shape?: Record<string, unknown> }).shape ?? {}
    const fields = Object.keys(shape).filter((field) => isFirst(name, field))
    if (fields.length === 0) return
    const { token } = await createFreshOperator('owner')
    for (const field of fields) {
      for (const value of listHostileValues(endpoint, findSample(name, endpoint), field)) {
        const answer = await send(endpoint, { ...findSample(name, endpoint), [field]: value }, { token })
        expect(answer.status, `${field}=${JSON.stringify(value)?.slice(0, 40)} ${answer.raw.body.slice(0, 300)}`).toBeLessThan(500)
        if (answer.status === 400) expect(answer.data?.fields?.map((each: string) => each.split('.')[0]) ?? [field]).toContain(field)
      }
    }
  })

  test.runIf(endpoint.idempotency === 'required')('needs an idempotency key, repeats the reply, and refuses the key for another request', async () => {
    const { token } = staff.get('owner')!
    const bare = await app.call(endpoint.method, endpoint.path, findSample(name, endpoint), { token })
    expect([bare.status, bare.code]).toEqual([400, 4001])
    const first = await send(endpoint, findSample(name, endpoint), { token, idempotencyKey: `once ${name}` })
    const again = await Promise.all(Array.from({ length: 5 }, () => send(endpoint, findSample(name, endpoint), { token, idempotencyKey: `once ${name}` })))
    // A request refused before its transaction is refused again, and its refusal is not stored.
    for (const answer of again) expect([answer.status, answer.code]).toEqual([first.status, first.code])
    if (first.status === 200 && first.code !== 200) {
      const changed = await send(
        endpoint,
        { ...findSample(name, endpoint), reason: 'another reason of some length' },
        { token, idempotencyKey: `once ${name}` },
      )
      expect([409, first.status]).toContain(changed.status)
    }
  })
})

test('no spelling of a path and no other method bypasses access control', async () => {
  for (const [name, endpoint] of endpoints.filter(([, { access }]) => access !== 'public')) {
    const payload = JSON.stringify(findSample(name, endpoint))
    for (const url of buildPathVariants(endpoint.path)) {
      const reply = await app.inject({
        method: endpoint.method,
        url,
        ...(endpoint.method === 'POST' ? { payload, headers: { 'content-type': 'application/json' } } : {}),
      })
      expect([name, url, reply.statusCode]).toEqual([name, url, expect.toSatisfy((status: number) => status >= 400 && status < 500)])
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)
      expect((await app.inject({ method, url: endpoint.path })).statusCode).toBeGreaterThanOrEqual(400)
  }
})

test('no secret of an operator is in any table but as a hash or sealed', async () => {
  const tables = await db.owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const texts: string[] = []
  for (const { name } of tables) texts.push(...(await db.owner.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)).map(({ row }) => row))
  const all = texts.join('\n')
  for (const secret of [scene.other.token, scene.other.totpSecret, scene.other.password]) expect(all).not.toContain(secret)
})
