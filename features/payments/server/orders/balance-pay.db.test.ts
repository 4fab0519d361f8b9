import { expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { payments } from '../index.ts'
import { registerOrderKind } from '../kinds/index.ts'

const db = await useTestDb({ max: 10 })
const { call, deps } = createTestApp({ features: [payments, account, notices, risk], db })
registerOrderKind({ orderType: 9, earns: 'service', amounts: 'own', price: async () => '7.50', fulfil: async () => 'done', undo: async () => {} })
const PIN = '271828'

test('a wrong payment password is counted and pays nothing, the right one pays, and a repeated key is answered without it', async () => {
  const { userId, token } = await aUser(deps)
  await aPayPassword(deps, userId, PIN)
  await aFundedUser(db, { userId, purchased: parseUsd('20') })
  const pay = (body: object, key = createId('key')) => call('POST', '/v1/pay/balancePay', { orderType: 9, ...body }, { token, idempotencyKey: key })
  expect((await pay({})).status).toBe(400)
  expect(await pay({ payPassword: '000001' })).toMatchObject({ code: 1031, data: { failCount: 1, triesLeft: 4 } })
  expect((await readBalance(db, userId)).posted).toBe(parseUsd('20'))
  const key = createId('key')
  const first = await pay({ payPassword: PIN }, key)
  expect(first.data).toMatchObject({ state: 'fulfilled', total: '7.5', balance: '12.5' })
  expect((await pay({ payPassword: PIN }, key)).data).toEqual(first.data)
  expect((await readBalance(db, userId)).posted).toBe(parseUsd('12.5'))
  for (const table of ['idempotency_keys', 'audit_rows', 'outbox', 'payments_orders']) {
    const text = (await db.owner.query<{ t: string }>(`select t::text as t from ${table} t`)).map((row) => row.t).join('\n')
    expect(text).not.toMatch(new RegExp(`(?<![\\w.])${PIN}\\b`))
  }
})
