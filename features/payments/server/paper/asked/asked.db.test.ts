import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createRandomCode } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
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

const product = [account, notices, payments, risk, wallet]
const db = await useTestDb()
const desk = createTestApp({ features: [...product, createBackoffice(product)], db, surface: 'operators' })
const customers = createTestApp({ features: product, db })
const MONTH = '2026-10'
/** A name with digits and signs and no address, which the customer form refuses. */
const FIRM = { userName: 'A&B 2 (HK) Co., Ltd.', email: 'books@example.com', note: 'CR No. 1234567' }
/** 0.4 % of $20.70, rounded up to the cent. */
const FEE = '0.09'
let finance: BuiltOperator
let other: BuiltOperator
let user: BuiltUser
beforeAll(async () => {
  finance = await anOperator(desk.deps, ['finance'])
  other = await anOperator(desk.deps, ['owner'])
})
beforeEach(async () => {
  user = await aUser(desk.deps)
  await aFundedUser(db, { userId: user.userId, purchased: 5_000_000_000n })
  await db.owner.query(
    `insert into payments_orders (order_no, user_id, order_type, state, base_state, amount_nano, fee_percent, fee_nano, total_nano, rate, currency, pay_minor, channel_type, transaction_type, trade_from, expires_at, paid_at, created_at)
    values ($1,$2,10,'fulfilled','fulfilled',20000000000,'3.5',700000000,20700000000,'7.1230','CNY',14745,25,1,'QRCODE',$3,$3,$3)`,
    [`20261010-${createRandomCode(12)}`, user.userId, '2026-10-10T02:00:00Z'],
  )
})

const site = '/v1/userWrapperApi/usageStat'
const ask = (change: object = {}, who = user) =>
  customers.call('POST', `${site}/askInvoice`, { month: MONTH, agreedFee: FEE, ...FIRM, ...change }, { token: who.token, idempotencyKey: `k${Math.random()}` })
const drop = (requestNo: string, who = user) =>
  customers.call('POST', `${site}/dropInvoiceRequest`, { requestNo }, { token: who.token, idempotencyKey: `k${Math.random()}` })
const listRequests = async () => (await customers.call('GET', `${site}/invoiceRequests`, {}, { token: user.token })).data.rowList
const papers = async () => (await customers.call('GET', '/v1/pay/paperList', {}, { token: user.token })).data.rowList
const balance = async () => (await readBalance(db, user.userId)).available
const read = (path: string, input: object = {}, who = finance) => desk.call('GET', path, input, { token: who.token })
const work = async () => (await read('/operator/work', { kind: 'invoice' })).data.rows as { id: string; title: string; userId: string }[]
const preview = (name: string, input: object, who = finance) => desk.call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
async function run(name: string, input: object, who = finance) {
  const { data } = await preview(name, input, who)
  const asking = { ...input, expects: data?.expects ?? 'a'.repeat(64), reasonCode: 'customerAsked', reason: 'a reason of some length' }
  return desk.call('POST', `/operator/do/${name}`, asking, { token: who.token, idempotencyKey: `k${Math.random()}` })
}

test('a request waits in the work list, is taken by one operator and issued: number, fee once, file, mail, and out of the list', async () => {
  const { data: request } = await ask()
  expect(request).toMatchObject({ month: MONTH, state: 'open', userName: FIRM.userName, paperNo: null })
  // A request neither charges nor issues anything.
  const before = await balance()
  expect(await papers()).toEqual([])
  const [item] = await work()
  expect(item).toMatchObject({ id: `invoice:${request.requestNo}`, title: request.requestNo, userId: user.userId })
  expect((await read('/operator/counts')).data.counts.invoices).toBe(1)
  expect((await desk.call('POST', '/operator/work/take', { id: item!.id }, { token: finance.token })).code).toBe(200)
  expect((await desk.call('POST', '/operator/work/take', { id: item!.id }, { token: other.token })).code).toBe(5018)
  expect((await read('/operator/invoice/request', { requestNo: request.requestNo })).data).toMatchObject({
    ...{ to: { userName: FIRM.userName, country: '' }, note: FIRM.note, agreedFee: FEE, paid: '20.7', invoiceable: '20.7', holds: null },
  })
  const shown = (await preview('invoice.issue', { requestNo: request.requestNo })).data.shown
  expect(shown.changes).toContainEqual({ name: 'invoiceable', before: '20.7', after: '0' })
  expect(shown.changes).toContainEqual({ name: 'state', before: 'open', after: 'issued' })
  expect(shown.mails).toEqual({ 'payments.invoice-issued': 1 })
  const done = await run('invoice.issue', { requestNo: request.requestNo })
  expect(done.data.state).toBe('done')
  const { paperNo } = done.data.result
  expect(await listRequests()).toMatchObject([{ state: 'issued', paperNo }])
  expect(await papers()).toMatchObject([{ paperNo, userName: FIRM.userName, amount: '20.7', voidTime: null }])
  expect(before - (await balance())).toBe(90_000_000n)
  expect(await work()).toEqual([])
  const file = await desk.inject({ method: 'GET', url: `/operator/invoice/file?paperNo=${paperNo}`, headers: { operatortoken: finance.token } })
  expect(file.headers['content-type']).toBe('application/pdf')
  await desk.settle()
  expect((await listSandboxMails(db, user.email!))[0]!.subject).toBe(`发票已开具：${paperNo}`)
  for (const q of [request.requestNo, paperNo]) expect((await read('/operator/find', { q })).data.hits).toMatchObject([{ kind: 'invoice', id: q }])
  // A closed request cannot be changed.
  expect((await run('invoice.issue', { requestNo: request.requestNo })).code).not.toBe(200)
  expect((await run('invoice.refuse', { requestNo: request.requestNo, cause: 'unclear' })).code).not.toBe(200)
  expect((await drop(request.requestNo)).code).toBe(3157)
  expect(await papers()).toHaveLength(1)
})

test('a refused request says why to its customer, who may ask again', async () => {
  const { data: request } = await ask()
  expect((await run('invoice.refuse', { requestNo: request.requestNo, cause: 'unclear', answer: '请写公司全称' })).data.state).toBe('done')
  expect(await listRequests()).toMatchObject([{ state: 'refused', cause: 'unclear', answer: '请写公司全称', paperNo: null }])
  await desk.settle()
  const [mail] = await listSandboxMails(db, user.email!)
  expect(mail!.subject).toBe(`${MONTH} 的发票申请未通过`)
  expect(mail!.text).toContain('抬头写得不清楚')
  expect(mail!.text).toContain('请写公司全称')
  expect(await papers()).toEqual([])
  expect((await ask()).code).toBe(200)
})

test('concurrent requests for a month leave one waiting; only its own customer can withdraw it, which makes room', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask()))
  expect(answers.map(({ code }) => code).toSorted()).toEqual([200, ...Array.from({ length: 11 }, () => 3156)])
  const { requestNo } = answers.find(({ code }) => code === 200)!.data
  const stranger = await aUser(desk.deps)
  expect((await drop(requestNo, stranger)).code).toBe(3157)
  expect((await drop(requestNo)).code).toBe(200)
  expect((await run('invoice.issue', { requestNo })).code).not.toBe(200)
  expect((await ask()).code).toBe(200)
})

test('a request issued and withdrawn at once ends in one of both, with or without a paper', async () => {
  const { data: request } = await ask()
  const [issued, dropped] = await Promise.all([run('invoice.issue', { requestNo: request.requestNo }), drop(request.requestNo)])
  const [{ state }] = await listRequests()
  expect([issued.data?.state === 'done', dropped.code === 200]).toEqual(state === 'issued' ? [true, false] : [false, true])
  expect(await papers()).toHaveLength(state === 'issued' ? 1 : 0)
})

test('ten operators that issue one request at once give one number and charge one fee', async () => {
  const { data: request } = await ask()
  const { data } = await preview('invoice.issue', { requestNo: request.requestNo })
  const asking = { requestNo: request.requestNo, expects: data.expects, reasonCode: 'customerAsked', reason: 'a reason of some length' }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      desk.call('POST', '/operator/do/invoice.issue', asking, { token: (at % 2 ? finance : other).token, idempotencyKey: `k${Math.random()}` }),
    ),
  )
  expect(answers.filter(({ data: view }) => view?.state === 'done')).toHaveLength(1)
  expect(await papers()).toHaveLength(1)
  expect(
    await db.query(`select count(*)::int as n from audit_rows where action = 'invoice.asked-issued' and target = $1`, [`invoice:${request.requestNo}`]),
  ).toEqual([{ n: 1 }])
})

test('a request needs a month with payments and the full fee, and never charges more than was agreed to', async () => {
  expect((await ask({ month: '2026-09' })).code).toBe(3151)
  expect((await ask({ month: '2022-12' })).code).toBe(3150)
  expect((await ask({ agreedFee: '0.01' })).code).toBe(3155)
  expect((await ask({ userName: 'A\u202eB' })).status).toBe(400)
  const { data: request } = await ask()
  // Another payment in the same month raises the fee above the agreed one.
  await db.owner.query(
    `insert into payments_orders (order_no, user_id, order_type, state, base_state, amount_nano, fee_percent, fee_nano, total_nano, rate, currency, pay_minor, channel_type, transaction_type, trade_from, expires_at, paid_at, created_at)
    values ($1,$2,10,'fulfilled','fulfilled',20000000000,'3.5',700000000,20700000000,'7.1230','CNY',14745,25,1,'QRCODE',$3,$3,$3)`,
    [`20261010-${createRandomCode(12)}`, user.userId, '2026-10-11T02:00:00Z'],
  )
  const { data } = await preview('invoice.issue', { requestNo: request.requestNo })
  expect(data.shown.refusal).toMatchObject({ name: 'INVOICE_FEE' })
  expect(await papers()).toEqual([])
})

test('an operator who may not handle invoices sees that a request waits, and nothing of it', async () => {
  const { data: request } = await ask()
  const support = await anOperator(desk.deps, ['auditor'])
  const list = await read('/operator/invoice/requests', { state: 'open', q: request.requestNo }, support)
  expect(list.data.rows).toMatchObject([{ requestNo: request.requestNo }])
  expect(JSON.stringify(list.data)).not.toContain('example.com')
  expect((await read('/operator/invoice/request', { requestNo: request.requestNo }, support)).status).toBe(403)
  expect((await preview('invoice.issue', { requestNo: request.requestNo }, support)).status).toBe(403)
})

test('a customer can make ten requests a day, withdrawn ones included', async () => {
  for (let n = 0; n < 10; n++) expect((await drop((await ask()).data.requestNo)).code).toBe(200)
  expect(await ask()).toMatchObject({ code: 429 })
  expect((await listRequests()).filter((one: { state: string }) => one.state === 'open')).toEqual([])
})
