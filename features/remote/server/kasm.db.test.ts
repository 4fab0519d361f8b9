import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anActiveCard } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { proxy } from '#features/proxy/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { selectTask, workTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { startKasm } from '#stand-ins/kasm/index.ts'
import { remote } from './index.ts'
import { remoteIncluded } from './settings.ts'

// Lifecycles of remote browsers at Kasm, with both of its APIs: whatever fails there, its records, ours and the ledger agree.
const db = await useTestDb({ max: 10 })
const features = [remote, proxy, services, payments, wallet, account, notices, risk, support, cards, identity]
const PIN = '271828'

beforeAll(() => db.owner.query(`insert into settings (key, value, updated_by) values ($1, '{"standard":0,"pro":0}', 'test')`, [remoteIncluded.key]))
afterAll(async () => expect((await verifyLedger(db)).problems).toEqual([]))

describe.each(['session', 'public'])('a session at Kasm by the %s API', async (api) => {
  const kasm = await startKasm()
  const env = { KASM_URL: kasm.url, KASM_KEY: 'key', KASM_SECRET: 'secret', KASM_IMAGE: 'img', KASM_API: api }
  const { call, deps } = createTestApp({ features, db, clock: createRunningClock(), env })
  let user: BuiltUser
  beforeAll(() => remote.start!(deps, new Set(['api'])))
  afterAll(() => kasm.close())
  beforeEach(async () => {
    kasm.fault = 'none'
    kasm.sessions.clear()
    kasm.users.clear()
    user = await aUser(deps)
    await aPayPassword(deps, user.userId, PIN)
    await aFundedUser(db, { userId: user.userId, purchased: 10n * NANO_PER_USD })
    await anActiveCard(deps, { userId: user.userId })
  })

  const post = (path: string, body: object = {}) => call('POST', path, body, { token: user.token, idempotencyKey: createId('key') })
  const task = async (id: string) => (await selectTask(db, id))!
  const work = (id: string) => workTask(deps, id)
  const money = async () => {
    const { posted, held } = await readBalance(db, user.userId)
    return [formatUsd(posted), formatUsd(held)]
  }
  /** Orders and pays a use. */
  async function paid(more = false): Promise<string> {
    const { data } = await post('/reward/kasm/apply', { more })
    expect((await post('/v1/pay/balancePay', { orderType: 3, service: data.pay.service, payPassword: PIN })).code).toBe(200)
    return data.task.id
  }
  async function ready(): Promise<string> {
    const id = await paid()
    await work(id)
    kasm.run()
    await work(id)
    expect(await task(id)).toMatchObject({ state: 'ready', supplier: 'kasm' })
    return id
  }
  async function used(): Promise<string> {
    const id = await ready()
    const { code, data } = await post('/reward/kasm/open')
    expect([code, data.engine]).toEqual([200, 'window'])
    expect(await money()).toEqual(['9', '0'])
    return id
  }
  const live = () => kasm.live()
  /** The supplier runs exactly our live sessions; with the older API, it has no users of ended ones. */
  async function booksAgree(): Promise<void> {
    const ours = await db.query<{ supplierRef: string }>(
      `select supplier_ref from services_tasks where service = 'remote' and supplier = 'kasm' and user_id = $1 and phase in ('waiting','using') and supplier_ref is not null`,
      [user.userId],
    )
    expect(live()).toEqual(ours.map(({ supplierRef: ref }) => ref.split(':')[0]))
    const left = await db.query('select id from services_tasks where user_id = $1 and at_supplier and phase in ($2, $3)', [user.userId, 'done', 'failed'])
    expect(left).toEqual([])
    if (api === 'public') expect(kasm.users.size).toBe(live().length)
  }
  /** Expires the task's current state. */
  async function late(id: string): Promise<void> {
    await db.owner.query(
      `update services_tasks set deadline_at = case when phase = 'waiting' then clock_timestamp() end, expires_at = case when phase = 'using' then clock_timestamp() end where id = $1`,
      [id],
    )
    await work(id)
  }
  const ended = async (id: string, cause: string, left: string) => {
    expect(await task(id)).toMatchObject({ cause, atSupplier: false })
    expect(await money()).toEqual([left, '0'])
    expect(live()).toEqual([])
    await booksAgree()
  }

  test('is ordered, started, entered, extended and ended by time', async () => {
    const id = await used()
    await booksAgree()
    const before = (await task(id)).expiresAt!
    const more = await paid(true)
    await work(more)
    expect(await task(more)).toMatchObject({ state: 'joined', charged: NANO_PER_USD })
    expect((await task(id)).expiresAt!.getTime() - before.getTime()).toBe(20 * 60_000)
    await work(id)
    expect([...kasm.sessions.values()].map(({ keptAlive }) => keptAlive > 0)).toEqual([true])
    await booksAgree()
    await late(id)
    await ended(id, 'time_up', '8')
  })

  test('that its user ends is charged after the first picture, and released before it', async () => {
    const id = await used()
    expect((await post('/reward/kasm/end')).code).toBe(200)
    await work(id)
    await ended(id, 'stopped', '9')
    const other = await ready()
    expect((await post('/reward/kasm/end')).code).toBe(200)
    await work(other)
    await ended(other, 'given_up', '9')
  })

  test('is started once by two concurrent processes, and costs nothing if it never runs', async () => {
    kasm.fault = 'slow'
    const id = await paid()
    const both = [work(id), work(id)]
    await waitForValue(() => kasm.waiting() >= 2, 'both processes at Kasm')
    kasm.fault = 'none'
    kasm.answer()
    await Promise.all(both)
    await waitForValue(async () => ((await task(id)).state === 'starting' ? true : undefined), 'the start')
    await waitForValue(() => live().length === 1, 'one session')
    await booksAgree()
    await late(id)
    await ended(id, 'not_started', '10')
  })

  test.each(['down', 'text'] as const)('%s: each step is retried; it is entered and charged only after a response', async (fault) => {
    kasm.fault = fault
    const id = await paid()
    await work(id)
    expect(await task(id)).toMatchObject({ state: 'queued', supplierRef: null })
    await work(id)
    kasm.run()
    kasm.fault = fault
    await work(id)
    expect(await task(id)).toMatchObject({ state: 'starting' })
    await work(id)
    kasm.fault = fault
    expect((await post('/reward/kasm/open')).code).toBe(3783)
    expect([(await task(id)).state, await money()]).toEqual(['ready', ['10', '1']])
    expect((await post('/reward/kasm/open')).code).toBe(200)
    kasm.fault = fault
    await work(id)
    expect(await task(id)).toMatchObject({ state: 'using', charged: NANO_PER_USD })
    await booksAgree()
    expect((await post('/reward/kasm/end')).code).toBe(200)
    kasm.fault = fault
    await work(id)
    expect([await task(id), live()]).toMatchObject([{ state: 'ended', atSupplier: true }, [expect.any(String)]])
    await work(id)
    await ended(id, 'stopped', '9')
  })

  test('is refunded when Kasm stays full until the deadline', async () => {
    kasm.fault = 'full'
    const id = await paid()
    await late(id)
    await ended(id, 'no_place', '10')
  })

  test('that is refused for good is refunded at once, and leaves nothing', async () => {
    kasm.fault = 'stranger'
    const id = await paid()
    await work(id)
    await work(id)
    await ended(id, 'no_place', '10')
  })

  test('lost in use returns the unused minutes; lost before, it returns everything and is not entered', async () => {
    const id = await used()
    await db.owner.query(`update services_tasks set expires_at = clock_timestamp() + interval '9 minutes 30 seconds' where id = $1`, [id])
    kasm.lose()
    await work(id)
    await ended(id, 'broke', '9.5')
    const other = await ready()
    kasm.lose()
    expect((await post('/reward/kasm/open')).code).toBe(3804)
    await ended(other, 'not_started', '9.5')
  })
})
