import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { clearFaults, selectPlantedFaults, plantFault } from '#platform/server/suppliers/data-faults.ts'
import type { SupplierFaultKind } from '#platform/server/suppliers/data-faults.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { anOpenedCard, freezeCard } from '#features/cards/server/builders.ts'
import { selectCardById } from '#features/cards/server/cards/data.ts'
import { workCard } from '#features/cards/server/lifecycle/work-cards.ts'
import { syncAccounts } from '#features/flex/server/seats/sync-accounts.ts'
import { paymentErrors } from '#features/payments/errors.ts'
import { createRechargingApp } from '#features/payments/server/testing/recharging.ts'
import { createRefundingApp } from '#features/payments/server/testing/refunding.ts'
import { chosenSupplier } from '#features/registration/server/settings.ts'
import { supplierChoice } from '#features/upgrade/server/settings.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { features } from '../../features.ts'
import { buildHelperRows } from './outcome-helpers.ts'
import { backdateWait } from './data-outcomes.ts'
import { aReadyUser, connectSuppliers, buildOrderRows } from './outcome-orders.ts'
import type { OrderPortRow, WaitingOrder } from './outcome-orders.ts'

// Orders and requests of each supplier port at each of the three outcomes (docs/decisions/suppliers.md).
const db = await useTestDb({ max: 20 })
const app = createTestApp({ features, db, clock: createRunningClock(), env: { IDENTITY_FOLDER: mkdtempSync(`${tmpdir()}/papers-`) } })
const paying = await createRefundingApp()
const recharging = await createRechargingApp()
const world = { db, app, paying }
const orders = buildOrderRows(world)
const helpers = buildHelperRows(world)
const MANY = 100

const stops: ((() => Promise<void>) | void)[] = []
afterAll(async () => {
  for (const stop of stops) await stop?.()
})
beforeAll(async () => {
  for (const feature of features) if (feature.name !== 'gateway') stops.push(await feature.start?.(app.deps, new Set()))
  connectSuppliers(world)
  await syncAccounts(app.deps)
  await transact(db, SYSTEM, async (tx) => {
    await app.deps.settings.set(tx, chosenSupplier, 'sandbox')
    await app.deps.settings.set(tx, supplierChoice, 'sandbox')
  })
  await db.owner.query(
    `insert into settings (key, value, updated_by) values ('services.hours', '{"from":0,"to":24}', 'test'), ('remote.included', '{"standard":0,"pro":0}', 'test')`,
  )
})
const selectDatabase = (port: string) => (port === 'payments.channel' ? paying.db : db)
afterEach(async () => {
  for (const sql of [db, paying.db, recharging.db]) {
    await clearFaults(sql, '*')
    expect((await verifyLedger(sql)).problems).toEqual([])
  }
})

const plant = async ({ port }: OrderPortRow, operations: readonly string[], fault: SupplierFaultKind) => {
  for (const operation of operations) await plantFault(selectDatabase(port), { port, operation, fault, times: MANY })
}
/** Number of create calls to the supplier while the fault was planted. */
const countCreateCalls = async ({ port, write }: OrderPortRow) =>
  MANY - ((await selectPlantedFaults(selectDatabase(port))).find(({ operation }) => operation === write)?.times ?? MANY)
const selectWorkItem = async ({ port }: OrderPortRow, { subject }: WaitingOrder) =>
  (
    await selectDatabase(port).query<{ kind: string; work: boolean }>('select kind, work_at is not null as work from supplier_waits where subject = $1', [
      subject,
    ])
  )[0]
const runWork = async ({ work }: WaitingOrder, times = 3) => {
  for (let turn = 0; turn < times; turn++) await work()
}

describe.each(orders)('$port $write', (row) => {
  test('a rejected order ends at once with a reason, the money back and a next step, and is not retried', async () => {
    await plant(row, [row.write], 'reject')
    const subject = await row.begin()
    await runWork(subject)
    const standing = await subject.standing()
    expect(standing).toMatchObject({ end: row.refused, isMoneyBack: true, next: expect.stringMatching(/./) })
    if (row.refused === 'failed') expect(standing.reason).not.toBe('')
    expect([await countCreateCalls(row), await selectWorkItem(row, subject)]).toEqual([1, undefined])
  })

  test('an unknown outcome is queried, never repeated or guessed, goes to operators after a day, and ends with the answer', async () => {
    await plant(row, [row.write], 'late')
    const subject = await row.begin()
    await subject.work()
    const made = await countCreateCalls(row)
    await plant(row, row.lookups, 'stall')
    await runWork(subject)
    expect([made, await countCreateCalls(row)]).toEqual([1, 1])
    const open = await subject.standing()
    if (row.found !== 'failed') expect(open.end).toBe('open')
    await subject.pass(25)
    await runWork(subject)
    expect(await selectWorkItem(row, subject)).toEqual({ kind: 'unknown', work: true })
    expect(await countCreateCalls(row)).toBe(1)
    await clearFaults(selectDatabase(row.port), '*')
    await runWork(subject)
    const { end, isMoneyBack } = await subject.standing()
    // A service that reached its own limit meanwhile, or left a slow supplier, has not charged; anything created is released at the
    // supplier.
    expect([end, isMoneyBack]).toEqual([expect.stringMatching(/^(done|failed|people)$/), end !== 'done'])
    expect(await selectWorkItem(row, subject)).toBeUndefined()
  })

  test('a lost answer is found, and nothing is ordered twice', async () => {
    await plant(row, [row.write], 'late')
    const subject = await row.begin()
    await runWork(subject)
    expect([(await subject.standing()).end, await countCreateCalls(row)]).toEqual([row.found, 1])
    expect(await selectWorkItem(row, subject)).toBeUndefined()
  })

  test('a refused query leaves the order open', async () => {
    await plant(row, [row.write], 'late')
    const subject = await row.begin()
    await subject.work()
    await plant(row, row.lookups, 'reject')
    await runWork(subject)
    if (row.found !== 'failed') expect(await subject.standing()).toMatchObject({ end: 'open' })
    expect(await countCreateCalls(row)).toBe(1)
    await clearFaults(selectDatabase(row.port), '*')
    await runWork(subject)
    expect((await subject.standing()).end).toBe(row.found)
  })

  test('a retryable failure is retried while that may help, then ends like a refusal', async () => {
    await plant(row, [row.write], 'fail')
    const subject = await row.begin()
    await runWork(subject)
    await subject.pass(25)
    await runWork(subject)
    const tries = await countCreateCalls(row)
    await runWork(subject)
    const standing = await subject.standing()
    expect(standing).toMatchObject({ end: expect.stringMatching(/^(failed|people)$/), isMoneyBack: true, next: expect.stringMatching(/./) })
    if (standing.end === 'failed') expect(standing.reason).not.toBe('')
    expect([await countCreateCalls(row), await selectWorkItem(row, subject)]).toEqual([tries, undefined])
    expect(tries).toBeGreaterThan(0)
  })
})

test.each(['reject', 'stall'] as const)('cards.issuer setCardState, %s: a freeze is never given up, and goes to operators after a day', async (fault) => {
  const { id } = await anOpenedCard(app.deps, (await aReadyUser(world)).userId)
  const subject = { subject: `card:${id}` } as WaitingOrder
  await plantFault(db, { port: 'cards.issuer', operation: 'setCardState', fault, times: null })
  await freezeCard(app.deps, (await selectCardById(db, id))!)
  await workCard(app.deps, id)
  await backdateWait(db.owner, subject.subject, 25)
  await workCard(app.deps, id)
  expect(await selectWorkItem(orders[0]!, subject)).toEqual({ kind: 'unknown', work: true })
  await clearFaults(db, '*')
  await workCard(app.deps, id)
  expect([(await selectCardById(db, id))!.issuerState, await selectWorkItem(orders[0]!, subject)]).toEqual(['frozen', undefined])
})

const FAULTS = ['reject', 'fail', 'stall'] as const
describe.each(helpers)('$port $operation', (row) => {
  test.each(FAULTS)('%s: a clear error, nothing lost, and a bounded number of calls', async (fault) => {
    const { port, operation } = row
    const helped = await row.begin()
    await plantFault(db, { port, operation, fault, times: MANY })
    expect([await helped.ask(), await helped.ask()]).toEqual([row.at[fault], row.at[fault]])
    expect(await helped.kept()).toEqual(row.left[fault])
    expect(MANY - (await selectPlantedFaults(db))[0]!.times!).toBe(row.calls[fault])
    await clearFaults(db, '*')
    if (row.well) expect(await helped.ask()).toBe(row.well[fault])
  })
})

describe('payments.channel open', () => {
  const open = () =>
    paying.open().then(
      ({ params }) => params.payUrl,
      (error: { errorName?: string }) => error.errorName,
    )
  test.each([
    ['reject', 'CHANNEL_REFUSED'],
    ['fail', 'CHANNEL_REFUSED'],
    ['stall', 'PAY_PROCESSING'],
  ] as const)('%s: another way to pay, or another try, is open; nothing is taken', async (fault, name) => {
    await plantFault(paying.db, { port: 'payments.channel', operation: 'open', fault, times: 1 })
    expect(await open()).toBe(name)
    expect(await open()).toMatch(/^http/)
  })
})

describe('payments.agreement', () => {
  const at = { port: 'payments.agreement' }
  test.each([
    ['reject', paymentErrors.CHANNEL_REFUSED.code],
    ['fail', paymentErrors.PAY_PROCESSING.code],
    ['stall', paymentErrors.PAY_PROCESSING.code],
  ] as const)('sign, %s: nothing is agreed to, and it can be begun again', async (fault, code) => {
    const userId = createId('user')
    await plantFault(recharging.db, { ...at, operation: 'sign', fault, times: 1 })
    expect([(await recharging.start(userId)).code, (await recharging.view(userId)).state]).toEqual([code, 'off'])
    expect((await recharging.start(userId)).code).toBe(200)
  })

  test('charge, reject: refused with a mail, and not retried before its pause ends', async () => {
    const { userId } = await recharging.signed()
    await plantFault(recharging.db, { ...at, operation: 'charge', fault: 'reject', times: MANY })
    for (let turn = 0; turn < 3; turn++) await recharging.work()
    expect(await recharging.charges(userId)).toMatchObject([{ state: 'refused', refusal: 'declined', orderState: 'cancelled' }])
    expect([await recharging.taken(userId), await recharging.events(userId)]).toEqual([[], expect.arrayContaining(['auto.refused'])])
  })

  test('charge: a lost answer is queried, and the money is taken once', async () => {
    const { userId } = await recharging.signed()
    await plantFault(recharging.db, { ...at, operation: 'charge', fault: 'late', times: 1 })
    await recharging.work()
    for (let turn = 0; turn < 3; turn++) {
      await recharging.hasten()
      await recharging.work()
    }
    expect(await recharging.charges(userId)).toMatchObject([{ state: 'paid' }])
    expect(await recharging.taken(userId)).toHaveLength(1)
  })
})

test('every registered port is in this suite', () => {
  const ports = features.flatMap(({ suppliers = [] }) => suppliers.map(({ port }) => port)).toSorted()
  const here = new Set([...orders, ...helpers].map(({ port }) => port).concat('payments.agreement'))
  expect(ports.length).toBeGreaterThanOrEqual(16)
  expect(ports.filter((port) => !here.has(port))).toEqual([])
})
