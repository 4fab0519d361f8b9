import { beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aConversation } from '../builders.ts'
import { support } from '../index.ts'

const product = [account, notices, risk, support]
const features = [...product, createBackoffice(product)]
const db = await useTestDb()
const { call, deps, settle } = createTestApp({ features, db, surface: 'operators' })
const customers = createTestApp({ features, db })

let desk: BuiltOperator
beforeAll(async () => {
  await chooseCaptcha(deps, 'off')
  desk = await anOperator(deps, ['support'])
})
const get = (path: string, input: object = {}) => call('GET', path, input, { token: desk.token })
async function run(name: string, input: object) {
  const { data } = await call('POST', `/operator/do/${name}/preview`, input, { token: desk.token })
  const why = { reasonCode: 'customerAsked', reason: '' }
  return call('POST', `/operator/do/${name}`, { ...input, ...why, expects: data.expects }, { token: desk.token, idempotencyKey: `k${Math.random()}` })
}

test('conversations and complaints are one inbox, oldest first, page by page; a visitor’s address is masked', async () => {
  const user = await aUser(deps)
  const talks = [
    await aConversation(deps, { userId: user.userId, text: '充了 60 到账 56？' }),
    await aConversation(deps, { email: 'visitor@example.com', text: '<b>价格</b>' }),
  ]
  const filed = await customers.call(
    'POST',
    '/common/complaint',
    { content: '注册协助没成功不退钱', email: 'angry@example.com' },
    { token: user.token, idempotencyKey: 'once' },
  )
  expect(filed.code).toBe(200)
  const first = (await get('/operator/support/inbox', { limit: 2 })).data
  const rest = (await get('/operator/support/inbox', { limit: 2, after: first.next })).data
  expect([...first.rows, ...rest.rows].map((row: { id: string }) => row.id)).toEqual([...talks.map(({ id }) => id), filed.data.complaintId])
  expect(rest.next).toBeNull()
  expect(first.rows[1]).toMatchObject({ visitor: 'v***r@example.com', text: '<b>价格</b>', userId: null })
  expect((await get('/operator/support/inbox', { q: '到账 56' })).data.rows).toHaveLength(1)
  expect((await get('/operator/support/inbox', { kind: 'complaint' })).data.rows).toHaveLength(1)
})

test('a complaint is answered by mail, once, and is closed', async () => {
  const user = await aUser(deps)
  const input = { content: '两天没人回', email: 'late@example.com' }
  const { complaintId } = (await customers.call('POST', '/common/complaint', input, { token: user.token, idempotencyKey: 'twice' })).data
  const done = await run('complaint.answer', { complaintId, text: '已退回 $0.49，抱歉让你久等。' })
  expect(done.data).toMatchObject({ state: 'done', preview: { mails: { 'support.complaint-answered': 1 } } })
  await settle()
  const [mail] = await listSandboxMails(db, 'late@example.com')
  expect(mail!.text).toContain('已退回 $0.49，抱歉让你久等。')
  expect((await get('/operator/support/complaint', { id: complaintId })).data).toMatchObject({ state: 'closed', answeredBy: desk.id })
  const again = await call('POST', '/operator/do/complaint.answer/preview', { complaintId, text: 'x' }, { token: desk.token })
  expect(again.data.shown.refusal).toEqual({ name: 'NOT_FOUND', data: null })
})
