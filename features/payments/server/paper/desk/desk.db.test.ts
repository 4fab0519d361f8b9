import { beforeAll, expect, test } from 'vitest'
import type { Db } from '#platform/server/database/db.ts'
import { transact } from '#platform/server/database/transact.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { payments } from '../../index.ts'
import { invoiceCommands } from './commands.ts'

const product = [account, notices, payments, risk, wallet]
const all = [...product, createBackoffice(product)]
const db = await useTestDb()
const desk = createTestApp({ features: all, db, surface: 'operators' })
const customers = createTestApp({ features: all, db })
const MONTH = '2026-10'
const FORM = { userName: '王小明', email: 'wang@example.com', country: '中国', state: '广东', city: '深圳', addressLine: '科技园 1 号', postalCode: '518057' }
/** Details that the customer form does not accept. */
const FIRM = { userName: 'A&B 2 (HK) Co., Ltd.', email: 'books@example.com' }
let finance: BuiltOperator
let user: BuiltUser
beforeAll(async () => {
  finance = await anOperator(desk.deps, ['finance'])
  user = await aUser(desk.deps)
  await aFundedUser(db, { userId: user.userId, purchased: 5_000_000_000n })
  await db.owner.query(
    `insert into payments_orders (order_no, user_id, order_type, state, base_state, amount_nano, fee_percent, fee_nano, total_nano, rate, currency, pay_minor, channel_type, transaction_type, trade_from, expires_at, paid_at, created_at)
    values ($1,$2,10,'fulfilled','fulfilled',20000000000,'3.5',700000000,20700000000,'7.1230','CNY',14745,25,1,'QRCODE',$3,$3,$3)`,
    [`20261010-${createRandomCode(12)}`, user.userId, '2026-10-10T02:00:00Z'],
  )
})

async function run(name: string, input: object, who = finance) {
  const { data } = await desk.call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
  const asking = { ...input, expects: data?.expects ?? 'a'.repeat(64), reasonCode: 'customerAsked', reason: 'a reason of some length' }
  return desk.call('POST', `/operator/do/${name}`, asking, { token: who.token, idempotencyKey: `k${Math.random()}` })
}
const apply = async () =>
  (await customers.call('POST', '/v1/userWrapperApi/usageStat/applyInvoice', { month: MONTH, agreedFee: '1.00', ...FORM }, { token: user.token })).data
const own = async () => (await customers.call('GET', '/v1/pay/paperList', {}, { token: user.token })).data.rowList
const one = async (paperNo: string, who = finance) => desk.call('GET', '/operator/invoice', { paperNo }, { token: who.token })
const holding = async () =>
  (
    await db.query<{ n: number }>(
      `select count(*)::int as n from payments_invoice_orders i join payments_orders o on o.id = i.order_id where o.user_id = $1 and i.holds`,
      [user.userId],
    )
  )[0]!.n

test('an invoice reissued with details that no form takes replaces the old one without a charge, and the customer sees both', async () => {
  const first = await apply()
  const balance = () => readBalance(db, user.userId)
  const before = await balance()
  expect((await one(first.paperNo)).data).toMatchObject({ paid: '20.7', invoiceable: '0', to: { userName: '王小明' } })
  const done = await run('invoice.reissue', { paperNo: first.paperNo, cause: 'wrongDetails', ...FIRM })
  expect(done.data).toMatchObject({ state: 'done', preview: { mails: { 'payments.invoice-reissued': 1 } }, input: { email: '***' } })
  const { replacedBy } = done.data.result
  expect(await balance()).toEqual(before)
  expect(await own()).toMatchObject([
    { paperNo: replacedBy, userName: FIRM.userName, amount: '20.7', voidTime: null },
    { paperNo: first.paperNo, replacedBy, voidCause: 'wrongDetails' },
  ])
  expect(await holding()).toBe(1)
  await desk.settle()
  expect((await listSandboxMails(db, user.email!))[0]!.subject).toBe(`发票已重开：${replacedBy}`)
  // Identical details are refused, and a void invoice is not reissued.
  expect((await run('invoice.reissue', { paperNo: replacedBy, cause: 'wrongDetails', ...FIRM })).status).toBe(400)
  expect((await run('invoice.reissue', { paperNo: first.paperNo, cause: 'wrongDetails', ...FIRM })).code).not.toBe(200)
  const file = await desk.inject({ method: 'GET', url: `/operator/invoice/file?paperNo=${replacedBy}`, headers: { operatortoken: finance.token } })
  expect(file.headers['content-type']).toBe('application/pdf')
})

test('a withdrawn invoice is void with its cause, and its payment can be invoiced again without another fee', async () => {
  const [{ paperNo }] = await own()
  const done = await run('invoice.void', { paperNo, cause: 'customerAsked' })
  expect(done.data.preview.changes).toContainEqual({ name: 'invoiceable', before: '0', after: '20.7' })
  expect((await run('invoice.void', { paperNo, cause: 'customerAsked' })).code).not.toBe(200)
  expect(await holding()).toBe(0)
  const again = (await customers.call('POST', '/v1/userWrapperApi/usageStat/applyInvoice', { month: MONTH, ...FORM }, { token: user.token })).data
  expect(again).toMatchObject({ amount: '20.7', voidTime: null })
  const rows = (await desk.call('GET', '/operator/invoices', { state: 'void' }, { token: finance.token })).data.rows
  expect(rows.map(({ cause }: { cause: string }) => cause)).toEqual(['customerAsked', 'wrongDetails'])
  expect((await desk.call('GET', '/operator/invoices', { q: again.paperNo.toLowerCase() }, { token: finance.token })).data.rows).toHaveLength(1)
})

test('of two operators who reissue one invoice at once, one succeeds and the other reads that it is void', async () => {
  const [{ paperNo }] = await own()
  const { run: reissue } = invoiceCommands.find(({ name }) => name === 'invoice.reissue')!
  const by = { kind: 'operator', id: finance.id } as const
  const again = (on: Db, userName: string, meanwhile = async () => {}) =>
    transact(on, by, async (tx) => {
      const input = { paperNo, cause: 'wrongDetails', ...FIRM, userName, country: '', state: '', city: '', addressLine: '', postalCode: '' } as const
      await reissue({ deps: desk.deps, tx, by, reason: 'a test' } as never, input as never)
      await meanwhile()
    })
  let second: Promise<unknown> | undefined
  await again(db, 'First Co., Ltd.', async () => {
    second = again(db.owner, 'Second Co., Ltd.').catch((error: unknown) => error)
    await waitForValue(async () => {
      const [row] = await db.owner.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
      )
      return row!.n > 0 ? true : undefined
    }, 'the second one waiting')
  })
  expect(await second).toMatchObject({ errorName: 'PAPER_NOT_FOUND' })
  expect((await own())[0].userName).toBe('First Co., Ltd.')
})

test('an invoice’s recipient is shown to operators who handle invoices, the list to all', async () => {
  const reader = await anOperator(desk.deps, ['auditor'])
  const [{ paperNo }] = await own()
  expect((await one(paperNo, reader)).status).toBe(403)
  const list = await desk.call('GET', '/operator/invoices', {}, { token: reader.token })
  expect(list.raw.body).not.toContain('A&B')
  expect((await run('invoice.void', { paperNo, cause: 'legal' }, reader)).status).toBe(403)
  const same = await anOperator(desk.deps, ['finance'], { mail: user.email! })
  expect((await run('invoice.void', { paperNo, cause: 'legal' }, same)).code).toBe(5012)
})
