import { beforeAll, beforeEach, expect, test } from 'vitest'
import { readXlsx } from 'hucre/xlsx'
import { SYSTEM } from '#platform/server/database/transact.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser, freezeAccount } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { insertPlannedUsage } from '#features/gateway/server/builders.ts'
import { gateway } from '#features/gateway/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { anOperator } from '../builders.ts'
import type { BuiltOperator } from '../builders.ts'
import { createBackoffice } from '../index.ts'
import { compensateUnit } from '../compensation/compensate.ts'
import { COMPENSATION_KIND } from '../compensation/words.ts'
import { createBulksJob } from './work-bulk.ts'

const product = [account, gateway, notices, payments, risk, support, wallet]
const db = await useTestDb()
const work = createBulksJob({ [COMPENSATION_KIND]: compensateUnit })
const clock = createRunningClock()
const { call, deps, settle } = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })
const WHY = { reasonCode: 'ourFault', reason: 'an outage of an hour' }

let finance: BuiltOperator
let chief: BuiltOperator
beforeAll(async () => {
  await chooseCaptcha(deps, 'off')
  chief = await anOperator(deps, ['owner'])
})
beforeEach(async () => {
  finance = await anOperator(deps, ['finance'])
})

const get = (who: BuiltOperator, path: string, input: object = {}) => call('GET', path, input, { token: who.token })
const preview = (who: BuiltOperator, name: string, input: object) => call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
async function run(who: BuiltOperator, name: string, input: object) {
  const { data } = await preview(who, name, input)
  return call(
    'POST',
    `/operator/do/${name}`,
    { ...input, ...WHY, expects: data?.expects ?? 'a'.repeat(64) },
    { token: who.token, idempotencyKey: `k${Math.random()}` },
  )
}
const approve = (no: string) => call('POST', '/operator/command/approve', { no, reason: 'looked at it' }, { token: chief.token })
const users = (n: number): Promise<BuiltUser[]> => Promise.all(Array.from({ length: n }, () => aUser(deps)))

test('a bulk command has a result per row, and can be stopped and resumed', async () => {
  const support = await anOperator(deps, ['support'])
  const [one, two, three] = (await users(3)) as [BuiltUser, BuiltUser, BuiltUser]
  await freezeAccount(deps, SYSTEM, { userId: two.userId, reason: 'before' })
  const rows = [one, two, three].map(({ email }) => ({ user: email }))
  const shown = (await preview(support, 'account.freeze-many', { rows })).data
  expect([shown.level, shown.shown.changes.map((each: { name: string; after: number }) => [each.name, each.after])]).toEqual([
    'reason',
    [
      ['rows', 3],
      ['sample', 3],
      ['sampleRefused', 1],
    ],
  ])
  expect(await db.query(`select count(*)::int as n from backoffice_bulks`)).toEqual([{ n: 0 }])
  expect((await run(support, 'account.freeze-many', { rows: [rows[0]!, rows[0]!] })).code).toBe(5023)
  expect((await run(support, 'account.freeze-many', { rows: [rows[0]!, { user: 'nobody@example.com' }] })).data.fields).toEqual(['rows.1'])
  expect((await run(finance, 'account.freeze-many', { rows })).status).toBe(403)

  const { bulkId } = (await run(support, 'account.freeze-many', { rows })).data.result
  expect((await run(support, 'bulk.stop', { bulkId })).data.state).toBe('done')
  await work(deps)
  expect((await get(support, '/operator/bulk', { id: bulkId })).data).toMatchObject({ state: 'stopped', waiting: 3, done: 0 })
  await run(support, 'bulk.go-on', { bulkId })
  await work(deps)
  expect((await get(support, '/operator/bulk', { id: bulkId })).data).toMatchObject({
    ...{ state: 'done', waiting: 0, done: 2, refused: 1, refusals: [{ why: 'NOT_FOUND', rows: 1 }] },
  })
  expect((await get(support, '/operator/bulk/rows', { id: bulkId, state: 'refused' })).data.rows).toMatchObject([
    { subject: `user:${two.userId}`, why: 'NOT_FOUND' },
  ])
  const frozen = await db.query(`select status from account_users where id = any($1)`, [[one.userId, three.userId]])
  expect(frozen).toEqual([{ status: 'frozen' }, { status: 'frozen' }])
  expect((await run(support, 'bulk.go-on', { bulkId })).status).toBe(404)
})

test('a bulk above twenty rows needs a second person; suspending its requester stops it', async () => {
  const support = await anOperator(deps, ['support'])
  const rows = Array.from({ length: 21 }, (_, n) => ({ user: `usr_${String(n).padStart(26, '0')}` }))
  await db.query(`insert into account_users (id, created_at) select unnest($1::text[]), now()`, [rows.map(({ user }) => user)])
  const asked = await run(support, 'account.freeze-many', { rows })
  expect([asked.data.state, asked.data.level]).toEqual(['waiting', 'second'])
  const { bulkId } = (await approve(asked.data.no)).data.result
  await db.query(`update backoffice_operators set status = 'suspended' where id = $1`, [support.id])
  await work(deps)
  expect((await get(chief, '/operator/bulk', { id: bulkId })).data).toMatchObject({ state: 'stopped', waiting: 21, done: 0 })
})

test('compensation pays the previewed sum, once a call, also across later campaigns', async () => {
  const [one, two, gone] = (await users(3)) as [BuiltUser, BuiltUser, BuiltUser]
  const from = new Date(Date.now() - 3_600_000).toISOString()
  const to = new Date(Date.now() - 60_000).toISOString()
  const at = new Date(Date.now() - 1_800_000)
  await insertPlannedUsage(db, [
    ...[0.3, 0.2, 0.0000004].map((cost, n) => ({ userId: one.userId, callId: `one${n}`, at, amount: parseUsd(cost.toFixed(7)), outcome: 'upstream_cut' })),
    { userId: two.userId, callId: 'two', at, amount: parseUsd('1'), outcome: 'upstream_cut' },
    { userId: gone.userId, callId: 'gone', at, amount: parseUsd('9'), outcome: 'upstream_cut' },
    { userId: two.userId, callId: 'fine', at, amount: parseUsd('5'), outcome: 'completed' },
    { userId: two.userId, callId: 'later', at: new Date(), amount: parseUsd('5'), outcome: 'upstream_cut' },
  ])
  await freezeAccount(deps, SYSTEM, { userId: gone.userId, reason: 'before' })
  const terms = { from, to, outcome: 'not_completed', percent: 50 }
  const query = (await get(finance, '/operator/compensation/query', { ...terms, title: '11 月 23 日中断' })).data
  expect(query).toMatchObject({ calls: 5, customers: 3, total: '5.2500002', already: 0, isCut: false })
  expect(query.largest[0]).toEqual({ userId: gone.userId, calls: 1, amount: '4.5' })
  expect(query.mail.body).toContain('$4.50')

  const input = { ...terms, title: '11 月 23 日中断', days: 30 }
  expect((await run(finance, 'compensation.run', { ...input, budget: '5' })).code).toBe(5024)
  const asked = await run(finance, 'compensation.run', { ...input, budget: '6' })
  expect([asked.data.state, asked.data.needs]).toEqual(['waiting', 1])
  const { bulkId } = (await approve(asked.data.no)).data.result
  await work(deps)
  await work(deps)
  const { data } = await get(finance, '/operator/bulk', { id: bulkId })
  expect(data).toMatchObject({ state: 'done', done: 4, refused: 1, amount: '0.7500002', refusals: [{ why: 'CUSTOMER_INACTIVE', rows: 1 }] })
  expect([formatUsd((await readBalance(db, one.userId)).grantedUnspent), formatUsd((await readBalance(db, two.userId)).grantedUnspent)]).toEqual([
    '0.2500002',
    '0.5',
  ])
  await settle()
  const mails = await listSandboxMails(db, one.email)
  expect(mails.filter(({ subject }) => subject.includes('11 月 23 日中断'))).toHaveLength(1)

  const again = (await preview(finance, 'compensation.run', { ...input, title: 'once more', budget: '60' })).data
  expect(Object.fromEntries(again.shown.changes.map((each: { name: string; before: unknown }) => [each.name, each.before]))).toMatchObject({
    calls: 1,
    already: 4,
  })
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('a list exports to a file of the operator’s own, with the rows of the page', async () => {
  const path = '/operator/bulks'
  const start = (who: BuiltOperator, format: string, { of = path, filter = {} }: { readonly of?: string; readonly filter?: object } = {}) =>
    call('POST', '/operator/export/start', { path: of, filter, format }, { token: who.token })
  expect((await start(finance, 'csv', { of: '/operator/me' })).status).toBe(404)
  expect((await start(await anOperator(deps, ['support']), 'csv')).status).toBe(403)
  expect((await start(finance, 'csv', { of: path, filter: { limit: 'many' } })).status).toBe(400)
  const [csv, xlsx] = [(await start(finance, 'csv')).data.id, (await start(finance, 'xlsx')).data.id]
  expect((await get(finance, '/operator/export/file', { id: csv })).status).toBe(404)
  await settle()
  const all = await db.query<{ title: string }>('select title from backoffice_bulks order by id desc')
  const text = ((await get(finance, '/operator/export/file', { id: csv })).data as Buffer).toString()
  expect(
    text
      .trim()
      .split('\r\n')
      .map((line) => line.split(',')[2]),
  ).toEqual(['title', ...all.map(({ title }) => title)])
  const book = await readXlsx((await get(finance, '/operator/export/file', { id: xlsx })).data as Buffer)
  expect(book.sheets[0]!.rows.map((row) => row[2])).toEqual(['title', ...all.map(({ title }) => title)])
  expect((await get(chief, '/operator/export/file', { id: xlsx })).status).toBe(404)
  expect((await get(finance, '/operator/exports')).data.rows.map((each: { state: string; rows: number }) => [each.state, each.rows])).toEqual([
    ['done', all.length],
    ['done', all.length],
  ])
})

test('customers’ words stay text in every export: no formula, no extra line, nothing lost', async () => {
  const texts = [
    '=HYPERLINK("http://x.example","a")',
    '+1+1',
    '-2',
    '@SUM(A1)',
    '\uff1dA1',
    '\t=1',
    'a\r\n=1',
    '\u202e3202',
    '<script>alert(1)</script>',
    'x'.repeat(2000),
  ]
  const ids = texts.map((_, at) => `cmp_export${at}`)
  await db.owner.query(
    `insert into support_complaints (id, email, content, lang, state, created_at) select id, 'v@example.com', content, 'zh', 'open', now() - interval '1 hour' from unnest($1::text[], $2::text[]) t (id, content)`,
    [ids, texts],
  )
  const start = async (format: string) =>
    (await call('POST', '/operator/export/start', { path: '/operator/support/inbox', filter: { state: 'open' }, format }, { token: chief.token })).data.id
  const [csv, xlsx] = [await start('csv'), await start('xlsx')]
  await settle()
  const csvText = ((await get(chief, '/operator/export/file', { id: csv })).data as Buffer).toString()
  const lines = csvText.trim().split('\r\n')
  expect(lines).toHaveLength(1 + texts.length)
  const FORMULA = /(?:^|,)"?\s*[=+@\uff1d]/
  for (const line of lines) expect([line, FORMULA.test(line), line.includes('\n')]).toEqual([line, false, false])
  const bytes = (await get(chief, '/operator/export/file', { id: xlsx })).data as Buffer
  const sheet = (await readXlsx(bytes)).sheets[0]!
  const at = (name: string) => sheet.rows[0]!.indexOf(name)
  const kept = new Map(sheet.rows.slice(1).map((row) => [row[at('id')], row[at('text')]]))
  for (const id of ids) expect([id, typeof kept.get(id)]).toEqual([id, 'string'])
  for (const n of [0, 1, 3, 8]) expect(kept.get(ids[n]!)).toBe(texts[n])
  // A formula would have its own element
  expect([...(sheet.cells ?? [])].filter(([, cell]) => 'formula' in cell && cell.formula)).toEqual([])
})
