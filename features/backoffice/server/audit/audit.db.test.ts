import { beforeAll, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { anOperator, anOperatorToken } from '../builders.ts'
import type { BuiltOperator } from '../builders.ts'
import { createBackoffice } from '../index.ts'
import { digestMail, revealsPerDay } from '../settings.ts'
import { sendDigest } from './send-digest.ts'

const product = [account, notices, risk]
const db = await useTestDb()
const { call, deps } = createTestApp({ features: [...product, createBackoffice(product)], db, surface: 'operators' })
const reason = 'a reason of some length'
let auditor: BuiltOperator
let support: BuiltOperator
let user: BuiltUser
const reveal = (who: { token: string }, what = 'email', why = reason) =>
  call('POST', '/operator/reveal', { userId: user.userId, what, reason: why }, { token: who.token })
const verify = async (head?: string) => (await call('GET', '/operator/audit/verify', head ? { head } : {}, { token: auditor.token })).data
beforeAll(async () => {
  await chooseCaptcha(deps, 'off')
  auditor = await anOperator(deps, ['auditor'])
  support = await anOperator(deps, ['support'])
  user = await aUser(deps)
})

/** Writes as the database owner, bypassing all triggers. */
const tamper = (statement: string, values: unknown[] = []) =>
  transact(db.owner, SYSTEM, async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(statement, values)
  })
const act = (operator: BuiltOperator, note: string) =>
  transact(db, { kind: 'operator', id: operator.id }, async (tx) => {
    await tx.audit('test.acted', `note:${note}`, { note })
    await tx.audit('test.acted', `note:${note}`, { second: true })
  })

test('contacts are revealed one at a time, to a person, for a reason, within a daily limit, and each reveal is audited', async () => {
  expect((await reveal(support)).data).toMatchObject({ value: user.email, leftToday: 49 })
  expect((await reveal(support, 'mobile')).data).toMatchObject({ value: null, leftToday: 48 })
  expect((await reveal(support, 'email', 'because')).status).toBe(400)
  expect((await reveal(auditor)).status).toBe(403)
  expect((await reveal(await anOperatorToken(deps, support.id, ['contacts.reveal']))).code).toBe(5009)
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, revealsPerDay, 3))
  const last = await Promise.all(Array.from({ length: 8 }, () => reveal(support)))
  expect(last.map(({ code }) => code).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 5020)])
  const { rows } = (await call('GET', '/operator/audit', { actor: support.id, actions: 'contact.*' }, { token: auditor.token })).data
  expect(rows.length).toBe(3)
  expect(rows[0]).toMatchObject({ actorKind: 'operator', target: `user:${user.userId}`, data: { what: 'email', reason } })
  expect(JSON.stringify(rows)).not.toContain(user.email)
})

test('viewing an account counts as a reveal, and the daily limit holds for concurrent requests', async () => {
  const finance = await anOperator(deps, ['finance', 'support'])
  const view = () => call('POST', '/operator/viewAs', { userId: user.userId, reason }, { token: finance.token })
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, revealsPerDay, 3))
  expect((await reveal(finance)).code).toBe(200)
  const views = await Promise.all(Array.from({ length: 8 }, view))
  expect(views.map(({ code }) => code).sort()).toEqual([200, 200, ...Array.from({ length: 6 }, () => 5020)])
  expect((await reveal(finance)).code).toBe(5020)
})

test('fifty concurrent transactions form one chain without a gap, and a rollback leaves none', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, at) => act(at % 2 ? support : auditor, String(at))))
  await expect(
    transact(db, { kind: 'operator', id: support.id }, async (tx) => {
      await tx.audit('test.acted', 'note:undone')
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  const { head, rows, faults } = await verify()
  expect([faults, rows, head]).toEqual([[], expect.toSatisfy((count: number) => count >= 100), expect.stringMatching(/^\d+:[0-9a-f]{64}$/)])
  expect(Number(head.split(':')[0])).toBe(rows)
})

test('the audit record cannot be rewritten, and verification names tampered rows', async () => {
  for (const statement of [
    `update audit_rows set data = '{}'`,
    'delete from audit_rows',
    `update audit_chain set hash = sha256('x')`,
    'truncate audit_chain',
    `insert into audit_chain (seq, audit_id, hash) values (1000000, 1, sha256('x'))`,
    `update backoffice_reveals set reason = 'something else entirely'`,
    'delete from backoffice_decisions',
    'delete from settings_history',
  ])
    await expect(db.query(statement), statement).rejects.toThrow(/append-only|permission denied/)
  const links = await db.query<{ seq: bigint; auditId: bigint }>('select seq, audit_id from audit_chain order by seq')
  const [changed, deleted, unchained] = [links[10]!, links[20]!, links[30]!]
  const { head } = await verify()
  expect((await verify(head)).faults).toEqual([])
  await tamper(`update audit_rows set data = data || '{"note":"another"}' where id = $1`, [changed.auditId])
  expect((await verify()).faults).toEqual([{ seq: String(changed.seq), auditId: String(changed.auditId), what: 'changed' }])
  await tamper('delete from audit_rows where id = $1', [deleted.auditId])
  expect((await verify()).faults).toContainEqual({ seq: String(deleted.seq), auditId: String(deleted.auditId), what: 'deleted' })
  await tamper('delete from audit_chain where seq = $1', [unchained.seq])
  const { faults } = await verify()
  expect(faults).toContainEqual({ seq: '0', auditId: String(unchained.auditId), what: 'unchained' })
  expect(faults).toContainEqual({ seq: String(unchained.seq + 1n), auditId: String(links[31]!.auditId), what: 'gap' })
  // A chain rewritten from the tampered row on is consistent in itself; only an external copy of the head reveals it
  await tamper('delete from audit_chain')
  await tamper('delete from audit_rows where id = any($1)', [[changed.auditId, deleted.auditId]])
  await tamper(
    `with recursive rows as (select row_number() over (order by id) as seq, a as kept from audit_rows a where actor_kind = 'operator' and id > (select audit_id from audit_chain_start)),
      chain as (select seq, (kept).id as audit_id, audit_hash(''::bytea, kept) as hash from rows where seq = 1
        union all select r.seq, (r.kept).id, audit_hash(c.hash, r.kept) from chain c join rows r on r.seq = c.seq + 1)
      insert into audit_chain (seq, audit_id, hash) select * from chain`,
  )
  expect((await verify()).faults).toEqual([])
  expect((await verify(head)).faults).toEqual([{ seq: head.split(':')[0], auditId: '0', what: 'another head' }])
})

test('the export carries every row with its hash and the head, and is itself audited', async () => {
  const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  const yesterday = new Date(Date.now() - 16 * 3_600_000).toISOString().slice(0, 10)
  await act(support, '=cmd()')
  const answer = await call('GET', '/operator/audit.csv', { from: yesterday, to: day }, { token: auditor.token })
  const lines = (answer.data as Buffer).toString().trim().split('\r\n')
  const { head, rows } = await verify()
  expect(lines.at(-1)).toContain(`head,${head}`)
  expect(lines.length).toBe(rows + 2)
  expect(lines.at(-2)).toContain('audit.exported')
  expect((await call('GET', '/operator/audit.csv', { from: yesterday, to: day }, { token: support.token })).status).toBe(403)
})

test('rows are filtered by actor, action and time, and paged by key', async () => {
  const find = async (filter: object) => (await call('GET', '/operator/audit', filter, { token: auditor.token })).data
  const all = await find({ actor: support.id, actions: 'test.*,contact.revealed', except: 'contact.revealed', limit: 5 })
  expect(all.rows.every((row: { action: string; actorId: string }) => row.action === 'test.acted' && row.actorId === support.id)).toBe(true)
  const next = await find({ actor: support.id, actions: 'test.*', limit: 5, before: all.before })
  expect(BigInt(next.rows[0].id)).toBeLessThan(BigInt(all.rows[4].id))
  expect((await find({ from: new Date(Date.now() + 3_600_000).toISOString() })).rows).toEqual([])
  expect((await find({ actions: '%' })).rows).toEqual([])
})

test('the chain’s head is mailed to the configured address once a day, and not sent without one', async () => {
  const told = () => db.query<{ recipient: string }>(`select recipient from notices_mails where template = 'backoffice.digest'`)
  await sendDigest(deps)
  expect(await told()).toEqual([])
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, digestMail, 'vault@elsewhere.example'))
  await sendDigest(deps)
  await sendDigest(deps)
  expect(await told()).toEqual([{ recipient: 'vault@elsewhere.example' }])
})
