import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, formatUsd } from '#platform/shared/money.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { selectTask, workTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { registration } from './index.ts'
import { chosenSupplier, sandboxFault } from './settings.ts'
import type { RegistrationFault } from './vendors/port.ts'

const db = await useTestDb()
const { call, deps, settle } = createTestApp({
  features: [registration, services, payments, wallet, account, notices, risk, support],
  db,
  clock: createRunningClock(),
})
const PIN = '271828'
const SECRET = 'a horse of batteries'
let user: BuiltUser

const set = (fault: RegistrationFault) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, sandboxFault, fault))
const hours = (from: number, to: number) =>
  db.owner.query(`insert into settings (key, value, updated_by) values ('services.hours', $1, 'test') on conflict (key) do update set value = excluded.value`, [
    JSON.stringify({ from, to }),
  ])
beforeAll(async () => {
  await registration.start!(deps, new Set())
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, chosenSupplier, 'sandbox'))
  await hours(0, 24)
})
beforeEach(async () => {
  await set('none')
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 10n * NANO_PER_USD })
})
const as = () => ({ token: user.token, idempotencyKey: createId('key') })
async function asked(): Promise<string> {
  const { data } = await call('POST', '/reward/openai/apply', { email: 'Wang.Min@example.com', password: SECRET, confirm: SECRET }, as())
  expect((await call('POST', '/v1/pay/balancePay', { orderType: 6, service: data.row.id, payPassword: PIN }, as())).code).toBe(200)
  await workTask(deps, data.row.id)
  return data.row.id
}
const task = async (id: string) => (await selectTask(db, id))!
const has = async () => formatUsd((await readBalance(db, user.userId)).available)
const late = async (id: string) => {
  await db.owner.query(`update services_tasks set deadline_at = clock_timestamp() - interval '1 second' where id = $1`, [id])
  await workTask(deps, id)
}
/** Accounts done at the supplier match those charged or done too late; it has one job per order. */
const booksAgree = async () => {
  const [row] = await db.query<{ theirs: number; ours: number; jobs: number; keys: number; open: number }>(
    `select (select count(*) from registration_sandbox where state = 'done')::int as theirs,
      ((select count(*) from services_tasks where service = 'openai' and state = 'success' and supplier = 'sandbox')
        + (select count(*) from audit_rows where action = 'registration.came_late'))::int as ours,
      (select count(*) from registration_sandbox)::int as jobs, (select count(distinct key) from registration_sandbox)::int as keys,
      (select count(*) from registration_sandbox where state = 'working')::int as open`,
  )
  expect(row).toMatchObject({ theirs: row!.ours, jobs: row!.keys, open: 0 })
  expect((await verifyLedger(db)).problems).toEqual([])
}

describe('a supplier of registrations', () => {
  test.each([
    ['none', 'success', '', '9.51'],
    ['lost', 'success', '', '9.51'],
    ['double', 'success', '', '9.51'],
    ['ip_limit', 'failed', 'ip_limit', '10'],
    ['mailbox_refused', 'failed', 'mailbox_refused', '10'],
    ['account_exists', 'failed', 'account_exists', '10'],
    ['code_missing', 'failed', 'code_missing', '10'],
  ] as const)('%s: %s, once, paid by its outcome; the password is kept for a retry only', async (fault, state, cause, left) => {
    await set(fault)
    const id = await asked()
    await workTask(deps, id)
    await settle()
    expect(await task(id)).toMatchObject({ state, cause, supplier: 'sandbox', atSupplier: false })
    expect(await has()).toBe(left)
    const secrets = await db.query<{ forgotten: boolean }>('select forget_at is not null as forgotten from registration_secrets where task_id = $1', [id])
    expect(secrets).toEqual(state === 'failed' ? [{ forgotten: true }] : [])
    const kept = await db.query<{ text: string }>(`select answer::text as text from services_calls where task_id = $1`, [id])
    expect(JSON.stringify(kept)).not.toContain(SECRET)
    await booksAgree()
  })

  test('a slow supplier is waited for, and the order is shown as being registered', async () => {
    await set('slow')
    const id = await asked()
    expect((await task(id)).state).toBe('sent')
    expect((await call('GET', '/reward/openai/available', {}, { token: user.token })).data).toMatchObject({ current: { state: 'registering' }, ahead: 0 })
    await db.owner.query(`update registration_sandbox set created_at = now() - interval '1 minute'`)
    await workTask(deps, id)
    expect((await task(id)).state).toBe('success')
    await booksAgree()
  })

  test.each(['down', 'text'] as const)('%s until the deadline: the money is released, and nothing was begun at the supplier', async (fault) => {
    await set(fault)
    const id = await asked()
    expect((await task(id)).state).toBe('sent')
    await late(id)
    expect(await task(id)).toMatchObject({ state: 'failed', cause: 'too_late', money: 'released' })
    await set('none')
    await workTask(deps, id)
    expect([await has(), (await task(id)).atSupplier]).toEqual(['10', false])
    await booksAgree()
  })

  test('a job done after the refund costs the member nothing; we absorb it, and record it once', async () => {
    await set('late')
    const id = await asked()
    await late(id)
    await workTask(deps, id)
    expect(await task(id)).toMatchObject({ state: 'failed', cause: 'too_late', money: 'released', atSupplier: false })
    await workTask(deps, id)
    expect(await has()).toBe('10')
    expect(await db.query(`select 1 from audit_rows where action = 'registration.came_late' and target = $1`, [`service:${id}`])).toHaveLength(1)
    await booksAgree()
  })

  test('a busy supplier’s order goes to the desk while it is open, and is not submitted again; at night it fails', async () => {
    await set('busy')
    const id = await asked()
    expect(await task(id)).toMatchObject({ state: 'registering', waitsForPerson: true, supplier: '' })
    await set('none')
    await workTask(deps, id)
    expect((await task(id)).state).toBe('registering')
    await set('busy')
    await hours(0, 1)
    if ((new Date().getUTCHours() + 8) % 24 === 0) await hours(2, 3)
    // With a supplier an order begins at any hour
    const other = await asked()
    expect(await task(other)).toMatchObject({ state: 'failed', cause: 'not_done' })
    await hours(0, 24)
    await booksAgree()
  })
})
