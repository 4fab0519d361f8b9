import { expect, test } from 'vitest'
import { transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { testApp } from '#platform/testing/http.ts'
import { features } from './features.ts'
import { aUser } from '#features/account/server/builders.ts'
import { featureFlags } from '#features/support/server/settings.ts'

// What operators switch off is refused by the server too, whatever a page thinks (features.yaml).
const db = await useTestDb()
const app = testApp({ features, db })
const endpoints = features.flatMap((feature) => (feature.routes ?? []).flatMap(({ contract }) => Object.values(contract)))
const flagged = endpoints.filter((endpoint) => endpoint.flag)
/** Services that are not sold yet: their pages and calls come together. */
const NOT_BUILT = ['enableChatGPT', 'enableClaude']

const switchTo = (value: Record<string, boolean>) => transact(db, { kind: 'system', id: 'test' }, (tx) => app.deps.settings.set(tx, featureFlags, value))

test('every action has a call, and no call names an action that nobody can switch', () => {
  expect(new Set(flagged.map((endpoint) => endpoint.flag!))).toEqual(new Set(Object.keys(featureFlags.fallback).filter((name) => !NOT_BUILT.includes(name))))
})

test('a call whose action is switched off is refused before anything else of it happens, and goes on when it is on again', async () => {
  const { token } = await aUser(app.deps)
  const send = ({ method, path }: (typeof flagged)[number]) => app.call(method, path, { keyName: 'one' }, { token, idempotencyKey: `${path} ${Math.random()}` })
  await switchTo(Object.fromEntries(flagged.map(({ flag }) => [flag!, false])))
  for (const endpoint of flagged)
    expect([endpoint.path, await send(endpoint)]).toMatchObject([endpoint.path, { status: 403, code: 4031, data: { feature: endpoint.flag } }])
  await switchTo({})
  for (const endpoint of flagged) expect([endpoint.path, (await send(endpoint)).code]).not.toEqual([endpoint.path, 4031])
})
