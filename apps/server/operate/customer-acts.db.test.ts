import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { testApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { features } from '../features.ts'

// What operators do at a customer's page, against the real verbs of every feature.
const db = await useTestDb()
const { call, deps } = testApp({ features, db, surface: 'operators' })
const WHY = { reasonCode: 'customerAsked', reason: 'a reason of some length' }
const preview = (who: { token: string }, name: string, input: object) => call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
async function run(who: { token: string }, name: string, input: object) {
  const { data } = await preview(who, name, input)
  const asked = { ...input, ...WHY, expects: data?.expects ?? 'a'.repeat(64) }
  return call('POST', `/operator/do/${name}`, asked, { token: who.token, idempotencyKey: newId('key') })
}
const undo = (who: { token: string }, no: string) => call('POST', '/operator/command/undo', { no }, { token: who.token })
const see = (who: { token: string }, tab: string, input: object = {}) =>
  call('GET', `/operator/customer/${tab}`, { userId: user.userId, ...input }, { token: who.token })

let helper: BuiltOperator
let finance: BuiltOperator
let auditor: BuiltOperator
let user: BuiltUser
beforeAll(async () => {
  await features.find((feature) => feature.name === 'gateway')?.start?.(deps, new Set(['api']))
  await chooseCaptcha(deps, 'off')
  helper = await anOperator(deps, ['support'])
  finance = await anOperator(deps, ['finance'])
  auditor = await anOperator(deps, ['auditor'])
})
beforeEach(async () => {
  user = await aUser(deps)
})

test('one key is paused with a reason and resumed again; whoever may not freeze customers may not pause keys', async () => {
  const [one, other] = [await aKey(db, user.userId, 'one'), await aKey(db, user.userId, 'other')]
  const { keyId } = one.key
  const states = async () =>
    Object.fromEntries((await see(helper, 'keys')).data.rows.map(({ keyId: id, state }: { keyId: string; state: string }) => [id, state]))
  for (const who of [finance, auditor]) expect((await run(who, 'key.pause', { keyId })).status).toBe(403)
  expect((await preview(helper, 'key.pause', { keyId: 'key_none' })).code).toBe(3202)
  const { data } = await run(helper, 'key.pause', { keyId })
  expect([data.state, data.level, data.canBeUndone, data.preview.changes]).toEqual([
    'done',
    'reason',
    true,
    expect.arrayContaining([{ name: 'keyPaused', before: false, after: true }]),
  ])
  expect(await states()).toEqual({ [keyId]: 'paused', [other.key.keyId]: 'active' })
  expect((await preview(helper, 'key.pause', { keyId })).data.shown.refusal).toMatchObject({ name: 'KEY_NOT_FOUND' })
  const audit = await db.query(`select actor_id, data ->> 'reason' as reason from audit_rows where target = $1 and action = 'key.paused'`, [`key:${keyId}`])
  expect(audit).toEqual([{ actor_id: helper.id, reason: WHY.reason }])
  expect([(await undo(helper, data.no)).data.state, (await states())[keyId]]).toEqual(['done', 'active'])
})
