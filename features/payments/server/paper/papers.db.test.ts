import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { beforeEach, describe, expect, test } from 'vitest'
import { createId, createRandomCode } from '#platform/shared/ids.ts'
import { subtractNano, NANO_PER_USD, parseUsd, sumNano } from '#platform/shared/money.ts'
import { LANGS } from '#platform/shared/texts.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { movementTexts } from '#features/wallet/contract-movements.ts'
import { aFundedUser, aHold } from '#features/wallet/server/builders.ts'
import { readBalance, creditUser, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { aWithdrawal } from '../builders.ts'
import { payments } from '../index.ts'
import { turnPayout } from '../withdrawals/vendors/sandbox/data.ts'
import { advanceWithdrawal } from '../withdrawals/verbs/advance-withdrawals.ts'
import { escapeCsvCell } from '#platform/server/csv.ts'
import { invoiceFeePercent } from './settings.ts'
import { reissueOutdated } from './verbs/reissue-outdated.ts'

const db = await useTestDb({ max: 30 })
const clock = { now: () => new Date('2026-11-21T03:00:00Z') }
const { call, deps } = createTestApp({ features: [payments, wallet, account, notices, risk], db, clock })
const FORM = {
  userName: '王小明',
  email: 'wang@example.com',
  country: '中国',
  state: '广东',
  city: '深圳',
  addressLine: '科技园 1 号 <b>"',
  postalCode: '518057',
}

let user: BuiltUser
beforeEach(async () => {
  user = await aUser(deps)
  await aFundedUser(db, { userId: user.userId, purchased: 0n, granted: 5n * NANO_PER_USD })
})

/** Pays an order of twenty dollars plus fee at the given time. */
async function paid(paidAt = '2026-10-10T02:00:00Z', userId = user.userId, state = 'fulfilled'): Promise<string> {
  const orderNo = `20261010-${createRandomCode(12)}`
  await db.owner.query(
    `insert into payments_orders (order_no, user_id, order_type, state, base_state, amount_nano, fee_percent, fee_nano, total_nano, rate, currency, pay_minor, channel_type, transaction_type, trade_from, expires_at, paid_at, created_at)
    values ($1,$2,10,$4,$4,20000000000,'3.5',700000000,20700000000,'7.1230','CNY',14745,25,1,'QRCODE',$3,$3,$3)`,
    [orderNo, userId, paidAt, state],
  )
  return orderNo
}
const giveBack = (orderNo: string, dollars: bigint) =>
  db.owner.query(
    `insert into payments_refunds (refund_no, order_id, receipt_id, source, goes_to, amount_nano, fee_nano, minor, currency, state, reason, asked_by)
    select $2, o.id, r.id, 'balance', 'channel', $3, 0, 1, 'CNY', 'succeeded', '', 'test' from payments_orders o, receipt r where o.order_no = $1`.replace(
      'insert into payments_refunds',
      `with receipt as (insert into payments_receipts (channel_type, channel_txn, order_id, trade_no, paid_minor, currency, paid_at, outcome, worth_nano, ledger_ref)
        select 25, $4, id, $4, 14745, 'CNY', now(), 'credited', 20700000000, $4 from payments_orders where order_no = $1 returning id) insert into payments_refunds`,
    ),
    [orderNo, `R20261121-${createRandomCode(12)}`, dollars * NANO_PER_USD, createId('txn')],
  )
const apply = (more: object = {}, month = '2026-10') =>
  call('POST', '/v1/userWrapperApi/usageStat/applyInvoice', { month, agreedFee: '4.00', ...FORM, ...more }, { token: user.token })
const file = async (path: string, input: object) => {
  const reply = await injectPost(path, input)
  expect(reply.headers['content-type']).toBe('application/pdf')
  return reply
}
const { inject } = createTestApp({ features: [payments, wallet, account, notices, risk], db, clock })
const injectPost = (path: string, payload: object) => inject({ method: 'POST', url: path, headers: { accesstoken: user.token }, payload })

async function textOf(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const { items } = await (await pdf.getPage(1)).getTextContent()
  await pdf.loadingTask.destroy()
  return items.map((item) => ('str' in item ? item.str : '')).join('')
}
const list = async () => (await call('GET', '/v1/pay/paperList', {}, { token: user.token })).data.rowList

describe('invoices', () => {
  test('a month is invoiced once; the file says what the list says', async () => {
    await paid()
    await paid('2026-10-31T15:59:59Z')
    // Already November in Shanghai.
    await paid('2026-10-31T16:00:00Z')
    const { data } = await apply()
    expect(data).toMatchObject({ kind: 'invoice', month: '2026-10', amount: '41.4', userName: '王小明', voidTime: null })
    expect(data.paperNo).toMatch(/^IN-\d{4}-\d{6}$/)
    expect((await apply()).data.paperNo).toBe(data.paperNo)
    const reply = await file('/v1/userWrapperApi/usageStat/invoice', { month: '2026-10', receiptType: 'API' })
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="${data.paperNo}.pdf"`)
    const text = await textOf(reply.rawPayload)
    for (const part of [data.paperNo, '王小明', '科技园 1 号 <b>"', 'USD 41.40']) expect(text).toContain(part)
    expect(await list()).toHaveLength(1)
  })
  test('refusals come as JSON: an empty month, one outside, names with digits, fields too long, left out or with control and direction signs', async () => {
    const empty = await injectPost('/v1/userWrapperApi/usageStat/invoice', { month: '2026-10', receiptType: 'API' })
    expect(empty.json()).toMatchObject({ code: 3151, msg: '该月没有可开票的付款' })
    for (const month of ['2022-12', '2026-12', '2030-01']) expect((await apply({}, month)).code).toBe(3150)
    for (const bad of [
      { userName: 'R2D2' },
      { userName: '' },
      { userName: 'a'.repeat(51) },
      { city: '' },
      { email: 'nobody' },
      { country: '国'.repeat(51) },
      { addressLine: '1 Keji\u202eRoad' },
      { state: 'Guang\tdong' },
    ])
      expect((await apply(bad)).status).toBe(400)
  })
  test('an invoice with other details voids and names the old one, and alone holds its payment', async () => {
    await paid()
    const first = (await apply()).data
    const second = (await apply({ userName: 'Łukasz Éloïse' })).data
    expect(second.paperNo).not.toBe(first.paperNo)
    const [, old] = await list()
    expect(old).toMatchObject({ paperNo: first.paperNo, replacedBy: second.paperNo })
    const text = await textOf((await file('/v1/pay/paper', { paperNo: first.paperNo })).rawPayload)
    expect(text).toContain('已作废')
    const holding = await db.query<{ n: bigint }>(
      'select count(*) as n from payments_invoice_orders i join payments_orders o on o.id = i.order_id where o.user_id = $1 and holds',
      [user.userId],
    )
    expect(holding[0]!.n).toBe(1n)
    for (let n = 0; n < 4; n++) expect((await apply({ city: `City ${n}` })).code).toBe(200)
    expect((await apply({ city: 'one too many' })).code).toBe(3152)
  })
  test('money that goes back leaves no invoice above what was kept', async () => {
    const orderNo = await paid()
    const other = await paid()
    const first = (await apply()).data
    await giveBack(orderNo, 20n)
    await reissueOutdated(deps)
    const [now, old] = await list()
    expect(now).toMatchObject({ amount: '21.4', voidTime: null })
    expect(old).toMatchObject({ paperNo: first.paperNo, replacedBy: now.paperNo })
    const sums = await db.query<{ invoiced: bigint; net: bigint }>(
      `select sum(i.amount_nano)::bigint as invoiced, sum(n.net_nano)::bigint as net from payments_net_paid n left join payments_invoice_orders i on i.order_id = n.order_id and i.holds where n.user_id = $1`,
      [user.userId],
    )
    expect(sums[0]!.invoiced <= sums[0]!.net).toBe(true)
    // The database refuses it too.
    await expect(
      db.query(
        `insert into payments_invoice_orders (paper_id, order_id, amount_nano) select p.id, o.id, 99000000000 from payments_papers p, payments_orders o where p.paper_no = $1 and o.order_no = $2`,
        [old.paperNo, other],
      ),
    ).rejects.toThrow('brought less')
  })
  test('money that went back by transfer is on no invoice or receipt; returned by the bank, it counts again', async () => {
    const orderNo = await paid()
    const other = await paid()
    await transact(db, SYSTEM, async (tx) => {
      for (const ref of [orderNo, other]) await creditUser(tx, { userId: user.userId, amount: parseUsd('20'), from: 'wash', ref, orderRef: ref })
      await tx.audit('test.credited', `user:${user.userId}`)
    })
    const first = (await apply()).data
    const no = await aWithdrawal(deps, { userId: user.userId, amount: '24' })
    await advanceWithdrawal(deps, no)
    await reissueOutdated(deps)
    const [now, old] = await list()
    expect([now, old]).toMatchObject([{ amount: '17.4' }, { paperNo: first.paperNo, replacedBy: now.paperNo }])
    const net = async () =>
      (await db.query<{ netNano: bigint }>('select net_nano from payments_net_paid where user_id = $1 order by order_id', [user.userId])).map(
        ({ netNano }) => netNano,
      )
    expect(await net()).toEqual([parseUsd('0.7'), parseUsd('16.7')])
    await turnPayout(createSupplierTools(deps), no, 'returned')
    await advanceWithdrawal(deps, no)
    expect(await net()).toEqual([parseUsd('20.7'), parseUsd('20.7')])
  })
  test('money that came late is on an invoice only if it was kept', async () => {
    const late = async (outcome: 'returning' | 'late') => {
      const orderNo = await paid(undefined, undefined, 'paid_late')
      await db.owner.query(
        `insert into payments_receipts (channel_type, channel_txn, order_id, trade_no, paid_minor, currency, paid_at, outcome, worth_nano, ledger_ref)
          select 25, $1, id, $1, 14745, 'CNY', now(), $2, 20700000000, $1 from payments_orders where order_no = $1`,
        [orderNo, outcome],
      )
      return orderNo
    }
    const turnedAway = await late('returning')
    expect((await injectPost('/v1/pay/receipt', { orderNo: turnedAway })).json()).toMatchObject({ code: 3154 })
    await late('late')
    expect((await apply()).data).toMatchObject({ amount: '20.7' })
  })
  test("another user's paper, order and month are not there", async () => {
    const orderNo = await paid('2026-10-10T02:00:00Z', (await aUser(deps)).userId)
    expect((await injectPost('/v1/pay/receipt', { orderNo })).json()).toMatchObject({ code: 3101 })
    await paid()
    const { paperNo } = (await apply()).data
    user = await aUser(deps)
    expect((await injectPost('/v1/pay/paper', { paperNo })).json()).toMatchObject({ code: 3153 })
  })
})

test('X6: fifty racers get numbers without a gap, and one invoice where many ask for the same', async () => {
  const before = (await db.query<{ last: number }>(`select coalesce(max(last), 0)::int as last from payments_paper_counters where kind = 'invoice'`))[0]!.last
  const users = await Promise.all(Array.from({ length: 10 }, () => aUser(deps)))
  for (const each of users) {
    await paid('2026-09-10T02:00:00Z', each.userId)
    await aFundedUser(db, { userId: each.userId, purchased: 0n, granted: NANO_PER_USD })
  }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      call('POST', '/v1/userWrapperApi/usageStat/applyInvoice', { month: '2026-09', agreedFee: '0.09', ...FORM }, { token: users[n % 10]!.token }),
    ),
  )
  expect(answers.every((answer) => answer.code === 200)).toBe(true)
  expect(new Set(answers.map((answer) => answer.data.paperNo)).size).toBe(10)
  const numbers = (await db.query<{ number: number }>(`select number from payments_papers where kind = 'invoice' order by number`)).map((row) => row.number)
  expect(numbers).toEqual(Array.from({ length: before + 10 }, (_, n) => n + 1))
})

test('a receipt: one number for an order, drawn in either language', async () => {
  const orderNo = await paid()
  const zh = await file('/v1/pay/receipt', { orderNo })
  const en = await file('/v1/pay/receipt', { orderNo, lang: 'en' })
  expect(zh.headers['content-disposition']).toBe(en.headers['content-disposition'])
  for (const part of [orderNo, '¥147.45', '$20.70', user.email]) expect(await textOf(zh.rawPayload)).toContain(part)
  expect(await textOf(en.rawPayload)).toContain('PAID')
  await giveBack(orderNo, 5n)
  expect(await textOf((await file('/v1/pay/receipt', { orderNo, lang: 'en' })).rawPayload)).toContain('-$5.00')
})

describe('the fee of an invoice', () => {
  const balance = async () => (await readBalance(db, user.userId)).available
  const preview = async () => (await call('GET', '/v1/userWrapperApi/usageStat/invoicePreview', { month: '2026-10' }, { token: user.token })).data
  const feeOf = async () => (await preview()).fee
  const cents = (text: string) => parseUsd(text)
  const fiveLess = async (fee: string) => expect(await balance()).toBe(subtractNano(5n * NANO_PER_USD, cents(fee)))

  test('is shown before, agreed to, and taken once for each order: not again for other details, another language or its file', async () => {
    await paid()
    // 0.4 % of 20.70, rounded up to the cent.
    expect(await preview()).toMatchObject({ net: '20.7', fee: '0.09', feePercent: '0.4', feeMost: '2.00' })
    for (const more of [{ agreedFee: undefined }, { agreedFee: '0.08' }]) expect((await apply(more)).code).toBe(3155)
    expect((await injectPost('/v1/userWrapperApi/usageStat/invoice', { month: '2026-10', receiptType: 'API' })).json()).toMatchObject({
      code: 3155,
      data: { fee: '0.09' },
    })
    expect(await list()).toEqual([])
    const { data } = await apply({ agreedFee: '0.09' })
    await fiveLess('0.09')
    expect(await feeOf()).toBe('0')
    for (const more of [{}, { city: 'elsewhere' }, { lang: 'en' }]) expect((await apply({ agreedFee: undefined, ...more })).code).toBe(200)
    await file('/v1/userWrapperApi/usageStat/invoice', { month: '2026-10', receiptType: 'API' })
    await fiveLess('0.09')
    const [entry] = await db.query(`select kind, ref from wallet_transactions where kind = 'invoice.fee' and ref = $1`, [data.paperNo])
    expect(entry).toEqual({ kind: 'invoice.fee', ref: data.paperNo })
    await paid()
    expect(await feeOf()).toBe('0.09')
    expect((await apply({ agreedFee: undefined })).code).toBe(3155)
    await apply({ agreedFee: '0.09' })
    await fiveLess('0.18')
  })
  test('is two dollars an order at most, and nothing while the setting is 0', async () => {
    const orderNo = await paid()
    await db.owner.query('alter table payments_orders disable trigger user')
    await db.owner.query('update payments_orders set amount_nano = 699300000000, total_nano = 700000000000 where order_no = $1', [orderNo])
    await db.owner.query('alter table payments_orders enable trigger user')
    expect(await feeOf()).toBe('2')
    await transact(db, SYSTEM, (tx) => deps.settings.set(tx, invoiceFeePercent, '0'))
    expect(await feeOf()).toBe('0')
    expect((await apply({ agreedFee: undefined })).code).toBe(200)
    await transact(db, SYSTEM, (tx) => deps.settings.set(tx, invoiceFeePercent, '0.4'))
    await fiveLess('0')
  })
  test('above the balance means no invoice and no number, and takes nothing', async () => {
    await paid()
    await aHold(db, user.userId, { amount: 5n * NANO_PER_USD - cents('0.05') })
    expect(await apply()).toMatchObject({ code: 3113, data: { missing: '0.04' } })
    expect(await list()).toEqual([])
    expect(await feeOf()).toBe('0.09')
  })
  test('is paid once by thirty concurrent requests', async () => {
    await paid()
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => apply({ agreedFee: '0.09', lang: n % 2 ? 'en' : 'zh' })))
    expect(new Set(answers.map(({ code, data }) => `${code} ${data.paperNo}`)).size).toBe(1)
    await fiveLess('0.09')
  })
  test('is not charged again when a refund reissues an invoice, which adds no order that has not paid', async () => {
    const orderNo = await paid()
    await apply()
    await paid()
    await giveBack(orderNo, 5n)
    await reissueOutdated(deps)
    const [now] = await list()
    expect(now).toMatchObject({ amount: '15.7', voidTime: null })
    expect(await feeOf()).toBe('0.09')
    await fiveLess('0.09')
  })
  test('is nothing for a receipt', async () => {
    await file('/v1/pay/receipt', { orderNo: await paid() })
    await fiveLess('0')
    expect((await verifyLedger(db)).problems).toEqual([])
  })
})

describe('the statement as CSV', () => {
  test('ties to the ledger line by line', async () => {
    await aFundedUser(db, { userId: user.userId, granted: 3n * NANO_PER_USD })
    await aHold(db, user.userId, { amount: NANO_PER_USD })
    await aFundedUser(db, { userId: user.userId, purchased: 7n * NANO_PER_USD })
    const reply = await inject({ method: 'GET', url: '/user/statement.csv', headers: { accesstoken: user.token } })
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(reply.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const [head, ...rows] = reply.body.slice(1).trimEnd().split('\r\n')
    expect(head).toBe('序号,时间（北京）,类型,单号,金额（美元）,余额（美元）')
    const lines = rows.map((row) => row.split(','))
    const balance = (await readBalance(db, user.userId)).posted
    expect(parseUsd(lines[0]![5]!)).toBe(balance)
    expect(sumNano(lines.map((cells) => parseUsd(cells[4]!)))).toBe(balance)
    for (const [at, cells] of lines.slice(0, -1).entries()) expect(subtractNano(parseUsd(cells[5]!), parseUsd(cells[4]!))).toBe(parseUsd(lines[at + 1]![5]!))
    // The names of the table columns, and no internal reference.
    const english = await inject({ method: 'GET', url: '/user/statement.csv?lang=en', headers: { accesstoken: user.token } })
    const both = {
      zh: lines,
      en: english.body
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((row) => row.split(',')),
    }
    for (const lang of LANGS) {
      const names = new Set<string>(Object.values(movementTexts[lang]))
      expect(both[lang].filter(([, , name, ref]) => !names.has(name!) || ref !== '')).toEqual([])
    }
    const none = await inject({ method: 'GET', url: '/user/statement.csv?to=2020-01-01&lang=en', headers: { accesstoken: user.token } })
    expect(none.body.slice(1)).toBe('No.,Time (Beijing),Type,Reference,Amount (USD),Balance (USD)\r\n')
  })
  test('H5: nothing begins like a formula', () => {
    const heads = ['=', '+', '-', '@', '\t', '\r', '\n', '|', '%', '＝', ' =', '\u0000=', '"=']
    const tails = [
      '1+1',
      'cmd|calc!A0',
      'HYPERLINK("http://x","y")',
      'SUM(A1:A9)',
      '',
      "';--",
      '{{7*7}}',
      'a\r\nSet-Cookie: x',
      '-5',
      '2',
      '1,2',
      ' ',
      '@x',
      '"',
      ';',
      'x\u2028y',
    ]
    for (const head of heads)
      for (const tail of tails) {
        const cell = escapeCsvCell(head + tail)
        expect(cell.replace(/^"/, '').replaceAll('""', '"').trimStart()).not.toMatch(/^[=+@|%\uff1d]/)
        for (const sign of ['\r', '\n', '\u0000']) expect(cell).not.toContain(sign)
        if (/^-?\d+$/.test(head + tail)) expect(cell).toBe(head + tail)
        else expect(cell.replace(/^"/, '')).not.toMatch(/^-/)
      }
  })
})
