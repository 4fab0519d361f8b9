import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, formatUsd } from '#platform/shared/money.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { unseal } from '#platform/server/sealing/seal.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { moveTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { REGISTRATION_PASSWORD_PURPOSE } from './by-supplier.ts'
import { findRegistrationSecret } from './data.ts'
import { registration } from './index.ts'

const db = await useTestDb()
const product = [registration, services, payments, wallet, account, notices, risk, support]
const clock = createRunningClock()
const { app, call, deps, settle } = createTestApp({ features: product, db, clock })
const desk = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })
afterAll(() => Promise.all([app.close(), desk.app.close()]))
const PIN = '271828'
const SECRET = 'a horse of batteries'
let user: BuiltUser

beforeAll(async () => {
  await registration.start!(deps, new Set())
  await hours(0, 24)
})
beforeEach(async () => {
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 10n * NANO_PER_USD })
})
const hours = (from: number, to: number) =>
  db.owner.query(`insert into settings (key, value, updated_by) values ('services.hours', $1, 'test') on conflict (key) do update set value = excluded.value`, [
    JSON.stringify({ from, to }),
  ])
const as = () => ({ token: user.token, idempotencyKey: createId('key') })
const apply = (password = SECRET, confirm = password) => call('POST', '/reward/openai/apply', { email: 'Wang.Min@example.com', password, confirm }, as())
const pay = (service: string) => call('POST', '/v1/pay/balancePay', { orderType: 6, service, payPassword: PIN }, as())
const money = async () => {
  const { posted, available } = await readBalance(db, user.userId)
  return [formatUsd(posted), formatUsd(available)]
}
const current = async () => (await call('GET', '/reward/openai/available', {}, { token: user.token })).data
async function asked(): Promise<string> {
  const { data } = await apply()
  expect((await pay(data.pay.service)).code).toBe(200)
  return data.row.id
}
/** Ends a task like the desk's command. */
const end = (id: string, to: 'success' | 'failed', cause?: string) =>
  transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: ['registering'], to: { to, supplier: 'desk', ...(cause ? { cause } : {}) } }))
const revealed = async (id: string) => unseal(deps.secretKeys, REGISTRATION_PASSWORD_PURPOSE, { owner: id, sealed: (await findRegistrationSecret(db, id))! })
const secrets = async (id: string) => (await db.query(`select 1 from registration_secrets where task_id = $1`, [id])).length

test('a registration is held when paid and charged when done, and its password is deleted', async () => {
  const id = await asked()
  expect(await money()).toEqual(['10', '9.51'])
  expect(await current()).toMatchObject({ current: { state: 'registering', account: 'wang.min@example.com', attempt: 1 }, ahead: 0 })
  expect(await secrets(id)).toBe(1)
  await end(id, 'success')
  await settle()
  expect(await money()).toEqual(['9.51', '9.51'])
  expect([await secrets(id), (await current()).current.state]).toEqual([0, 'success'])
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('a failed registration costs nothing; a retry is another order with the next number, and only failed ones are retried', async () => {
  const id = await asked()
  const again = (input: object = {}) => call('POST', '/reward/openai/reapply', { id, password: SECRET, confirm: SECRET, ...input }, as())
  expect((await again()).code).toBe(3744)
  await end(id, 'failed', 'ip_limit')
  await settle()
  expect(await money()).toEqual(['10', '10'])
  expect(await secrets(id)).toBe(1)
  const { data } = await again()
  expect(await secrets(id)).toBe(0)
  expect(data).toMatchObject({ row: { attempt: 2, account: 'wang.min@example.com', state: 'draft' }, pay: { orderType: 6, amount: '0.49' } })
  expect(await secrets(data.row.id)).toBe(1)
  expect((await again({ id: 'srv_0000000000000000' })).code).toBe(3743)
})

test('a failed attempt is retried without a password once within a day; after that the password is needed', async () => {
  const id = await asked()
  await end(id, 'failed', 'ip_limit')
  await settle()
  expect(Date.parse((await current()).current.passwordUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  const again = () => call('POST', '/reward/openai/reapply', { id }, as())
  const { data } = await again()
  expect(data).toMatchObject({ row: { attempt: 2, account: 'wang.min@example.com' } })
  expect(await revealed(data.row.id)).toBe(SECRET)
  expect((await again()).code).toBe(3745)
  const late = await asked()
  await end(late, 'failed', 'ip_limit')
  await settle()
  await db.owner.query(`update registration_secrets set forget_at = now() where task_id = $1`, [late])
  expect((await call('POST', '/reward/openai/reapply', { id: late }, as())).code).toBe(3745)
  await registration.jobs![0]!.handle(deps, undefined)
  expect(await secrets(late)).toBe(0)
})

test('passwords: twelve characters, not only digits, not the address; twice the same', async () => {
  for (const weak of ['short', '123456789012', 'xx wang.min xx']) expect((await apply(weak)).code).toBe(3741)
  expect((await apply(SECRET, 'another one of it')).status).toBe(400)
})

test('nothing begins while the desk is closed', async () => {
  await hours(0, 1)
  const hour = (new Date().getUTCHours() + 8) % 24
  if (hour === 0) await hours(2, 3)
  expect(await apply()).toMatchObject({ code: 3742, data: { opens: expect.any(String) } })
  await hours(0, 24)
})

test('only the operator who took the order sees the password, only while it is registered, and each reveal is audited', async () => {
  const id = await asked()
  const [one, other] = [await anOperator(desk.deps, ['serviceDesk']), await anOperator(desk.deps, ['serviceDesk'])]
  const reveal = (token: string) => desk.call('POST', '/operator/services/registration/reveal', { id }, { token })
  expect((await reveal(one.token)).code).toBe(3707)
  await db.owner.query(`update services_tasks set taken_by = $2, taken_until = now() + interval '10 minutes' where id = $1`, [id, one.id])
  expect((await reveal(one.token)).data).toEqual({ account: 'wang.min@example.com', password: SECRET })
  expect((await reveal(other.token)).code).toBe(3707)
  expect((await db.query(`select 1 from audit_rows where action = 'registration.revealed' and target = $1`, [`service:${id}`])).length).toBe(1)
  const task = JSON.stringify(await db.query('select * from services_tasks where id = $1', [id]), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  expect(task).not.toContain(SECRET)
  await end(id, 'success')
  expect((await reveal(one.token)).code).toBe(3704)
})
