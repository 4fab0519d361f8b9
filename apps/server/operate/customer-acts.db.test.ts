import { beforeAll, beforeEach, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { listSandboxMails, sendMail } from '#features/notices/server/door.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { features } from '../features.ts'

// Operators' actions on a customer's page, with the real code of every feature.
const db = await useTestDb()
const { call, deps, settle } = createTestApp({ features, db, surface: 'operators' })
const customers = createTestApp({ features, db })
const WORDS = mapLangs(() => ({ subject: 'Paid', body: 'About {name}' }))
const WHY = { reasonCode: 'customerAsked', reason: 'a reason of some length' }
const preview = (who: { token: string }, name: string, input: object) => call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
async function run(who: { token: string }, name: string, input: object) {
  const { data } = await preview(who, name, input)
  const asked = { ...input, ...WHY, expects: data?.expects ?? 'a'.repeat(64) }
  return call('POST', `/operator/do/${name}`, asked, { token: who.token, idempotencyKey: createId('key') })
}
const undo = (who: { token: string }, no: string) => call('POST', '/operator/command/undo', { no }, { token: who.token })
const readTab = (who: { token: string }, tab: string, input: object = {}) =>
  call('GET', `/operator/customer/${tab}`, { userId: user.userId, ...input }, { token: who.token })

let helper: BuiltOperator
let finance: BuiltOperator
let auditor: BuiltOperator
let user: BuiltUser
beforeAll(async () => {
  await features.find((feature) => feature.name === 'gateway')?.start?.(deps, new Set(['api']))
  await chooseCaptcha(deps, 'off')
  helper = await anOperator(deps, ['support'])
  finance = await anOperator(deps, ['finance'])
  auditor = await anOperator(deps, ['auditor'])
})
beforeEach(async () => {
  user = await aUser(deps)
})

test('one key is paused with a reason and resumed; pausing keys needs the permission to freeze customers', async () => {
  const [one, other] = [await aKey(db, user.userId, { name: 'one' }), await aKey(db, user.userId, { name: 'other' })]
  const { keyId } = one.key
  const states = async () =>
    Object.fromEntries((await readTab(helper, 'keys')).data.rows.map(({ keyId: id, state }: { keyId: string; state: string }) => [id, state]))
  for (const who of [finance, auditor]) expect((await run(who, 'key.pause', { keyId })).status).toBe(403)
  expect((await preview(helper, 'key.pause', { keyId: 'key_none' })).code).toBe(3202)
  const { data } = await run(helper, 'key.pause', { keyId })
  expect([data.state, data.level, data.canBeUndone, data.preview.changes]).toEqual([
    'done',
    'reason',
    true,
    expect.arrayContaining([{ name: 'keyPaused', before: false, after: true }]),
  ])
  expect(await states()).toEqual({ [keyId]: 'paused', [other.key.keyId]: 'active' })
  expect((await preview(helper, 'key.pause', { keyId })).data.shown.refusal).toMatchObject({ name: 'KEY_NOT_FOUND' })
  const audit = await db.query(`select actor_id, data ->> 'reason' as reason from audit_rows where target = $1 and action = 'key.paused'`, [`key:${keyId}`])
  expect(audit).toEqual([{ actorId: helper.id, reason: WHY.reason }])
  expect([(await undo(helper, data.no)).data.state, (await states())[keyId]]).toEqual(['done', 'active'])
})

test('notes: pinned first, hostile text as written, removed for good; readable with the right to read customers, not by the customer', async () => {
  const hostile = '<script>alert(1)</script> \u202E{{7*7}} ${x}\n<img src=x onerror=alert(1)>'
  const notes = async (who = helper, more: object = {}) => (await readTab(who, 'notes', more)).data
  const write = (who: BuiltOperator, text: string, pinned = false) => run(who, 'customer.note', { user: user.email, text, pinned })
  expect((await write(auditor, 'no')).status).toBe(403)
  for (const text of ['', '   ', 'x'.repeat(2001)]) expect((await preview(helper, 'customer.note', { user: user.userId, text })).status).toBe(400)
  const asked = await write(helper, hostile)
  expect([asked.data.level, asked.data.state, asked.data.input.text]).toEqual(['free', 'done', expect.not.stringContaining('script')])
  await write(finance, 'Pays by company card', true)
  await write(helper, 'Called at noon')
  const shown = await notes(auditor)
  expect(shown.rows.map(({ text, pinned, madeBy }: Record<string, unknown>) => [text, pinned, madeBy])).toEqual([
    ['Pays by company card', true, finance.id],
    ['Called at noon', false, helper.id],
    [hostile, false, helper.id],
  ])
  const first = await notes(helper, { limit: 2 })
  expect((await notes(helper, { limit: 2, after: first.next })).rows.map(({ text }: { text: string }) => text)).toEqual([hostile])
  expect((await readTab(helper, 'notes', { after: 'x' })).status).toBe(400)
  expect((await call('GET', '/operator/customer', { userId: user.userId }, { token: helper.token })).data.counts.notes).toBe(3)

  const noteId = shown.rows[2].id
  const pinned = await run(helper, 'customer.pin-note', { noteId, pinned: true })
  expect((await notes()).rows[1].id).toBe(noteId)
  expect([(await undo(helper, pinned.data.no)).data.state, (await notes()).rows[2].id]).toEqual(['done', noteId])
  const removed = await run(finance, 'customer.remove-note', { noteId })
  expect([removed.data.level, removed.data.state, removed.data.canBeUndone, (await notes()).rows.length]).toEqual(['reason', 'done', false, 2])
  expect((await preview(finance, 'customer.remove-note', { noteId })).code).toBe(5026)
  const trail = await db.query<{ action: string; data: object }>(`select action, data from audit_rows where target = $1 and action ~ '^customer' order by id`, [
    `user:${user.userId}`,
  ])
  expect(trail.map(({ action }) => action.replace('customer.', ''))).toEqual(['noted', 'noted', 'noted', 'note-pinned', 'note-unpinned', 'note-removed'])
  // Neither the audit trail nor the commands keep deleted data in plain text.
  const left = await db.query(
    `select to_jsonb(c) - 'input_sealed' as row from backoffice_commands c union all select to_jsonb(n) from backoffice_customer_notes n`,
  )
  expect(JSON.stringify([trail, left])).not.toContain('onerror')
  await expect(db.query(`update backoffice_customer_notes set text = 'another' where removed_at is null`)).rejects.toThrow('frozen')
  await expect(db.query('delete from backoffice_customer_notes')).rejects.toThrow('permission denied')

  const own = await customers.call('POST', '/user/export', {}, { token: user.token })
  const history = await customers.call('GET', '/user/securityHistory', {}, { token: user.token })
  expect([own.status, history.code]).toEqual([200, 200])
  for (const answer of [own, history]) expect(answer.raw.body).not.toMatch(/company card|Called at noon|noted/)
})

test('a notice is sent again to its customer, three times a day, but never one with another recipient or with a code', async () => {
  const other = await aUser(deps)
  const order = (to: string, name: string, repeatable: boolean) =>
    transact(db, SYSTEM, (tx) =>
      sendMail(deps, tx, {
        to,
        template: { name, texts: WORDS, subject: 'subject', body: 'body', repeatable },
        values: { name },
        lang: 'en',
        dedupe: `${name} ${to}`,
      }),
    )
  await order(user.email, 'test.paid', true)
  await order(user.email, 'test.login', false)
  await order(other.email, 'test.other', true)
  await settle()
  const list = async (): Promise<{ id: string; template: string; isKept: boolean }[]> => (await readTab(helper, 'notices')).data.rows
  const idOf = async (template: string) => (await list()).find((row) => row.template === template)!.id
  expect((await list()).filter(({ template }) => template.startsWith('test.')).map(({ template, isKept }) => [template, isKept])).toEqual([
    ['test.login', false],
    ['test.paid', true],
  ])
  const noticeId = await idOf('test.paid')
  expect((await run(auditor, 'notice.resend', { user: user.userId, noticeId })).status).toBe(403)
  expect((await preview(helper, 'notice.resend', { user: other.userId, noticeId })).status).toBe(404)
  const login = await preview(helper, 'notice.resend', { user: user.userId, noticeId: await idOf('test.login') })
  expect(login.data.shown.refusal).toMatchObject({ name: 'NOTICE_NOT_KEPT' })
  const shown = await preview(helper, 'notice.resend', { user: user.email, noticeId })
  expect([shown.data.level, shown.data.shown.mails]).toEqual(['reason', { 'test.paid': 1 }])
  for (const time of [1, 2, 3]) expect([time, (await run(helper, 'notice.resend', { user: user.userId, noticeId })).data.state]).toEqual([time, 'done'])
  expect((await preview(helper, 'notice.resend', { user: user.userId, noticeId })).data.shown).toMatchObject({
    refusal: { name: 'NOTICE_RESENT', data: { most: 3 } },
    changes: expect.arrayContaining([{ name: 'resends', before: 3, after: 3 }]),
  })
  await settle()
  expect((await listSandboxMails(db, user.email)).filter(({ text }) => text.includes('About test.paid')).length).toBe(4)
  expect(await db.query(`select count(*)::int as n from audit_rows where action = 'notice.resent' and target = $1`, [`user:${user.userId}`])).toEqual([
    { n: 3 },
  ])
})
