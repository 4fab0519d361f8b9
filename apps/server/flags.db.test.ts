import { expect, test } from 'vitest'
import { transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { features } from './features.ts'
import { aUser } from '#features/account/server/builders.ts'
import { gradualUsers } from '#features/account/server/settings.ts'
import { featureFlags, gradualFeatures } from '#features/support/server/settings.ts'

// The server also refuses actions that are switched off, whatever the pages show (features.yaml).
const db = await useTestDb()
const app = createTestApp({ features, db })
const endpoints = features.flatMap((feature) => (feature.routes ?? []).flatMap(({ contract }) => Object.values(contract)))
const flagged = endpoints.filter((endpoint) => endpoint.flag)
/** For shared subscriptions the product decides, not the call: refused with SERVICE_PAUSED (features/flex). */
const BY_PRODUCT = ['enableChatGPT', 'enableClaude']

const switchTo = (value: Record<string, boolean>) => transact(db, { kind: 'system', id: 'test' }, (tx) => app.deps.settings.set(tx, featureFlags, value))

test('every action has an endpoint, and no endpoint names an unknown action', () => {
  expect(new Set([...flagged.map((endpoint) => endpoint.flag!), ...BY_PRODUCT])).toEqual(new Set(Object.keys(featureFlags.fallback)))
})

test('a call whose action is switched off is refused before it has any effect, and works when it is on again', async () => {
  const { token } = await aUser(app.deps)
  const send = ({ method, path, actsWith }: (typeof flagged)[number]) =>
    app.call(method, path, { keyName: 'one', ...(actsWith ? { [actsWith]: 5 } : {}) }, { token, idempotencyKey: `${path} ${Math.random()}` })
  await switchTo(Object.fromEntries(flagged.map(({ flag }) => [flag!, false])))
  for (const endpoint of flagged)
    expect([endpoint.path, await send(endpoint)]).toMatchObject([endpoint.path, { status: 403, code: 4031, data: { feature: endpoint.flag } }])
  await switchTo({})
  for (const endpoint of flagged) expect([endpoint.path, (await send(endpoint)).code]).not.toEqual([endpoint.path, 4031])
})

test('an action released gradually works for users of the group and is refused to all others; switched off, it is off for the group too', async () => {
  const [member, other] = [await aUser(app.deps), await aUser(app.deps)]
  const set = (wish: { users?: string[]; gradual?: string[]; off?: Record<string, boolean> }) =>
    transact(db, { kind: 'system', id: 'test' }, async (tx) => {
      if (wish.users) await app.deps.settings.set(tx, gradualUsers, wish.users)
      if (wish.gradual) await app.deps.settings.set(tx, gradualFeatures, wish.gradual)
      if (wish.off) await app.deps.settings.set(tx, featureFlags, wish.off)
    })
  const code = async ({ token }: { token: string }) =>
    (await app.call('POST', '/user/key/generate', { keyName: 'one' }, { token, idempotencyKey: `gradual ${Math.random()}` })).code
  const file = async () => (await app.inject({ url: '/features.yaml' })).body
  await set({ users: [member.userId], gradual: ['createKey'] })
  expect(await code(member)).not.toBe(4031)
  expect(await code(other)).toBe(4031)
  expect(await file()).toMatch(/^ {2}createKey: false$/m)
  expect(await file()).toMatch(/^gradual:\n {2}createKey: true$/m)
  await set({ off: { createKey: false } })
  expect(await code(member)).toBe(4031)
  expect(await file()).not.toContain('gradual')
  await set({ off: {}, gradual: [] })
  expect(await code(other)).not.toBe(4031)
})
