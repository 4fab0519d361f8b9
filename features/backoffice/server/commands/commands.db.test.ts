import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { defineFeature } from '#platform/server/feature.ts'
import { defineCommand } from '#platform/server/operator-command.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aRelation } from '#features/invitations/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { anOperator, anOperatorToken } from '../builders.ts'
import type { BuiltOperator } from '../builders.ts'
import { createBackoffice } from '../index.ts'
import { runApprovedCommand } from './run-approved.ts'
import { DEFAULT_RULES, resolveLevel, readCurrentRules } from './rules.ts'
import { sweepCommands } from './sweep.ts'

let isBroken = false
/** Users of a command that writes the first one's row and then locks the second one's. */
let locks: readonly [written: string, locked: string] | undefined
/** A command that fails with an unexpected error once `isBroken` is set. */
const odd = defineFeature({
  name: 'odd',
  commands: [
    defineCommand({
      name: 'odd.act',
      summary: 'Does something odd',
      permission: 'customers.grant',
      input: z.object({}),
      subject: async () => 'odd',
      weigh: async () => ({ amount: 1n }),
      look: async () => ({}),
      run: async ({ tx }) => {
        await tx.query(`select 1 / ${isBroken ? 0 : 1}`)
        if (locks) await tx.query('update account_users set status = status where id = $1', [locks[0]])
        if (locks) await tx.query('select 1 from account_users where id = $1 for update', [locks[1]])
        return {}
      },
    }),
  ],
})
const product = [account, notices, payments, risk, wallet, odd]
const db = await useTestDb()
const clock = createRunningClock()
const { call, deps, settle } = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })
const WHY = { reasonCode: 'customerAsked', reason: 'a reason of some length' }

let owner: BuiltOperator
let finance: BuiltOperator
let second: BuiltOperator
let user: BuiltUser
beforeAll(async () => {
  await chooseCaptcha(deps, 'off')
  owner = await anOperator(deps, ['owner'], { mail: 'owner@ops.example' })
})
beforeEach(async () => {
  finance = await anOperator(deps, ['finance'])
  second = await anOperator(deps, ['finance'])
  user = await aUser(deps)
})

const preview = (who: { token: string }, name: string, input: object) => call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
const ask = (who: { token: string }, name: string, { input, more = WHY }: { readonly input: object; readonly more?: object }) =>
  call('POST', `/operator/do/${name}`, { ...input, ...more }, { token: who.token, idempotencyKey: `k${Math.random()}` })
/** Previews a command and requests it with the preview's hash. */
async function run(who: { token: string }, name: string, { input, more = WHY }: { readonly input: object; readonly more?: object }) {
  const { data } = await preview(who, name, input)
  return ask(who, name, { input, more: { ...more, expects: data.expects } })
}
const decide = (who: { token: string }, verdict: string, { no, reason = 'looked at it' }: { readonly no: string; readonly reason?: string }) =>
  call('POST', `/operator/command/${verdict}`, { no, reason }, { token: who.token })
const grant = (amount: string) => ({ user: user.userId, amount, purpose: 'goodwill', days: 30 })
const granted = async () => (await readBalance(db, user.userId)).grantedUnspent
const status = async () => (await db.query<{ status: string }>('select status from account_users where id = $1', [user.userId]))[0]!.status

test('a preview shows the effects and changes nothing', async () => {
  const before = await db.query('select count(*)::int as n, (select count(*)::int from outbox) as news from audit_rows')
  const { data } = await preview(owner, 'account.freeze', { user: user.email })
  expect(data).toMatchObject({ subject: `user:${user.userId}`, level: 'reason', canBeUndone: true })
  expect(data.shown).toMatchObject({
    changes: [
      { name: 'callsFrozen', before: false, after: false },
      { name: 'moneyOutFrozen', before: false, after: false },
      { name: 'sessions', before: 1, after: 0 },
      { name: 'status', before: 'active', after: 'frozen' },
    ],
    news: ['account.frozen'],
    rows: { account_sessions: 1, account_users: 1 },
    refusal: null,
  })
  expect(await status()).toBe('active')
  expect(await db.query('select count(*)::int as n, (select count(*)::int from outbox) as news from audit_rows')).toEqual(before)
  // A command given a mail stores the user's id, never the contact
  const done = await run(owner, 'account.freeze', { input: { user: user.email } })
  expect([done.code, done.data.state, await status()]).toEqual([200, 'done', 'frozen'])
  expect(JSON.stringify(await db.query('select input, preview, result from backoffice_commands where no = $1', [done.data.no]))).not.toContain('@')
  expect(done.data.preview).toEqual(data.shown)
})

test('a command waits for a row that another process holds for longer than a second', async () => {
  const held = await db.pool.connect()
  await held.query('begin')
  await held.query('select 1 from account_users where id = $1 for update', [user.userId])
  const freed = new Promise((done) => setTimeout(done, 2500)).then(() => held.query('commit')).finally(() => held.release())
  const { code, data } = await preview(owner, 'account.freeze', { user: user.userId })
  await freed
  expect([code, data.shown?.news, data.shown?.refusal]).toEqual([200, ['account.frozen'], null])
})

test('rows that a command wrote before it had to wait count once', async () => {
  const other = await aUser(deps)
  locks = [other.userId, user.userId]
  const held = await db.pool.connect()
  await held.query('begin')
  await held.query('select 1 from account_users where id = $1 for update', [user.userId])
  const freed = new Promise((done) => setTimeout(done, 2500)).then(() => held.query('commit')).finally(() => held.release())
  const { code, data } = await preview(finance, 'odd.act', {})
  await freed
  locks = undefined
  expect([code, data.shown?.rows]).toEqual([200, { account_users: 1 }])
})

test('a command whose preview is outdated is refused, never adapted', async () => {
  const { data } = await preview(finance, 'credit.grant', grant('20'))
  expect(data.level).toBe('reason')
  const other = await ask(finance, 'credit.grant', { input: grant('21'), more: { ...WHY, expects: data.expects } })
  expect([other.code, await granted()]).toEqual([5010, 0n])
  const frozen = await preview(owner, 'account.freeze', { user: user.userId })
  expect((await run(owner, 'account.freeze', { input: { user: user.userId } })).data.state).toBe('done')
  const again = await ask(owner, 'account.freeze', { input: { user: user.userId }, more: { ...WHY, expects: frozen.data.expects } })
  expect(again.code).toBe(404)
})

test('a command above a limit needs a second person, never its requester, whatever roles they gain', async () => {
  const asked = await run(finance, 'credit.grant', { input: grant('60') })
  const { no } = asked.data
  expect([asked.data.state, asked.data.level, asked.data.needs, await granted()]).toEqual(['waiting', 'second', 1, 0n])
  expect((await decide(finance, 'approve', { no })).code).toBe(5016)
  await db.query(`update backoffice_operators set roles = '{owner}' where id = $1`, [finance.id])
  expect((await decide(finance, 'approve', { no })).code).toBe(5016)
  await expect(
    db.query(`insert into backoffice_decisions (command_id, operator_id, verdict) select id, asked_by, 'approve' from backoffice_commands where no = $1`, [no]),
  ).rejects.toThrow('nobody decides what they asked for')
  await expect(db.query(`update backoffice_commands set state = 'approved' where no = $1`, [no])).rejects.toThrow('needs 1 who approve')
  const shownNow = await call('GET', '/operator/command', { no }, { token: second.token })
  expect(shownNow.data.now).toEqual(asked.data.preview)
  const yes = await decide(second, 'approve', { no })
  expect([yes.code, yes.data.state, await granted()]).toEqual([200, 'done', 60_000_000_000n])
  expect((await decide(owner, 'approve', { no })).code).toBe(5015)
  await settle()
  expect(await granted()).toBe(60_000_000_000n)
  await db.query(`update backoffice_operators set roles = '{finance}' where id = $1`, [finance.id])
})

test('fifty concurrent approvals have one effect', async () => {
  const { no } = (await run(finance, 'credit.grant', { input: grant('70') })).data
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => decide(at % 2 ? owner : second, 'approve', { no })))
  expect(answers.filter(({ code }) => code === 200).length).toBeGreaterThan(0)
  expect(answers.filter(({ code }) => code !== 200 && code !== 5015)).toEqual([])
  await Promise.all(Array.from({ length: 10 }, () => runApprovedCommand(deps, no)))
  await settle()
  expect(await granted()).toBe(70_000_000_000n)
  expect(await db.query(`select count(*)::int as n from audit_rows where action = 'credit.granted' and target = $1`, [`user:${user.userId}`])).toEqual([
    { n: 1 },
  ])
})

test('ten processes that find the same approval carry it out once', async () => {
  const { no } = (await run(finance, 'credit.grant', { input: grant('80') })).data
  await transact(db, SYSTEM, async (tx) => {
    await tx.query(`insert into backoffice_decisions (command_id, operator_id, verdict) select id, $2, 'approve' from backoffice_commands where no = $1`, [
      no,
      second.id,
    ])
    await tx.query(`update backoffice_commands set state = 'approved' where no = $1`, [no])
  })
  const ends = await Promise.all(Array.from({ length: 10 }, () => runApprovedCommand(deps, no)))
  expect(ends.map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => 'done'))
  expect(await granted()).toBe(80_000_000_000n)
  expect(await db.query(`select count(*)::int as n from audit_rows where action = 'command.done' and target = $1`, [`command:${no}`])).toEqual([{ n: 1 }])
})

test('one command waits per subject, a second request gets its number; withdrawn and refused ones make room', async () => {
  const { no } = (await run(finance, 'credit.grant', { input: grant('60') })).data
  const again = await run(second, 'credit.grant', { input: grant('80') })
  expect([again.code, again.data]).toEqual([5011, { no }])
  expect((await decide(second, 'withdraw', { no })).status).toBe(403)
  expect((await decide(finance, 'withdraw', { no })).data.state).toBe('withdrawn')
  const next = (await run(second, 'credit.grant', { input: grant('80') })).data.no
  expect((await decide(finance, 'refuse', { no: next })).data.state).toBe('refused')
  expect((await run(finance, 'credit.grant', { input: grant('80') })).data.state).toBe('waiting')
  expect(await granted()).toBe(0n)
})

test('a command needs a reason in words, a forbidden one stays forbidden, and those without approval have a daily limit', async () => {
  expect((await run(finance, 'credit.grant', { input: grant('5'), more: { ...WHY, reason: 'short' } })).code).toBe(5013)
  expect((await run(finance, 'credit.grant', { input: grant('5'), more: { ...WHY, reasonCode: 'because' } })).status).toBe(400)
  const me = await anOperator(deps, ['finance'], { mail: user.email })
  expect((await run(me, 'credit.grant', { input: grant('5') })).code).toBe(5012)
  // Refused for customers that the operator invited, too
  const friend = await aUser(deps)
  expect((await run(me, 'credit.grant', { input: { ...grant('5'), user: friend.userId } })).data.state).toBe('done')
  await aRelation(db, user.userId, friend.userId)
  expect((await run(me, 'credit.grant', { input: { ...grant('5'), user: friend.userId } })).code).toBe(5012)
  for (let at = 0; at < 4; at++) expect((await run(finance, 'credit.grant', { input: grant('50') })).data.state).toBe('done')
  expect((await run(finance, 'credit.grant', { input: grant('5') })).data).toMatchObject({ state: 'waiting', level: 'second' })
})

test('the daily limit holds for concurrent requests', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => aUser(deps)))
  const inputs = users.map(({ userId }) => ({ ...grant('50'), user: userId }))
  const shown: string[] = []
  for (const input of inputs) shown.push((await preview(finance, 'credit.grant', input)).data.expects)
  const asked = await Promise.all(inputs.map((input, at) => ask(finance, 'credit.grant', { input, more: { ...WHY, expects: shown[at] } })))
  expect(asked.map(({ data }) => data.state).sort()).toEqual([...Array.from({ length: 4 }, () => 'done'), ...Array.from({ length: 4 }, () => 'waiting')])
})

test('a request that no other operator could approve is refused at once', async () => {
  await db.query(`update backoffice_operators set status = 'suspended' where id <> all($1)`, [[finance.id, owner.id]])
  await db.query(`update backoffice_operators set roles = '{finance,owner}' where id = $1`, [finance.id])
  await db.query(`update backoffice_operators set status = 'suspended' where id = $1`, [owner.id])
  expect((await run(finance, 'credit.grant', { input: grant('60') })).code).toBe(5014)
  await db.query(`update backoffice_operators set status = 'active' where status = 'suspended'`)
  await db.query(`update backoffice_operators set roles = '{finance}' where id = $1`, [finance.id])
})

test('a request is refused once its requester lost the permission or was suspended', async () => {
  for (const [change, back] of [
    [`roles = '{support}'`, `roles = '{finance}'`],
    [`status = 'suspended'`, `status = 'active'`],
  ]) {
    const { no } = (await run(finance, 'credit.grant', { input: grant('60') })).data
    await db.query(`update backoffice_operators set ${change} where id = $1`, [finance.id])
    expect((await decide(second, 'approve', { no })).data).toMatchObject({ state: 'refused', difference: { refusal: { name: 'FORBIDDEN' } } })
    await db.query(`update backoffice_operators set ${back} where id = $1`, [finance.id])
  }
  // The approver needs the permission, too
  const { no } = (await run(finance, 'credit.grant', { input: grant('60') })).data
  await db.query(`update backoffice_operators set roles = '{support}' where id = $1`, [second.id])
  expect((await decide(second, 'approve', { no })).status).toBe(403)
  expect(await granted()).toBe(0n)
})

test('a waiting command expires after three days; possible approvers get one mail after four hours', async () => {
  const { no } = (await run(finance, 'credit.grant', { input: grant('60') })).data
  const told = () => db.query<{ n: number }>(`select count(*)::int as n from notices_mails where template = 'backoffice.waits'`)
  const [before] = await told()
  clock.advance(4 * 3_600_000)
  await sweepCommands(deps)
  await sweepCommands(deps)
  expect((await told())[0]!.n).toBeGreaterThan(before!.n)
  const [after] = await told()
  clock.advance(68 * 3_600_000)
  await sweepCommands(deps)
  expect(await told()).toEqual([after])
  expect(await db.query('select state from backoffice_commands where no = $1', [no])).toEqual([{ state: 'expired' }])
  expect(
    await db.query('select s.state from backoffice_command_steps s join backoffice_commands c on c.id = s.command_id where no = $1 order by s.id', [no]),
  ).toEqual([{ state: 'waiting' }, { state: 'expired' }])
})

test('a command can be undone for ten minutes, once, and only while its result stands', async () => {
  const freeze = () => run(owner, 'account.freeze', { input: { user: user.userId } })
  owner = await anOperator(deps, ['owner'])
  const undo = (no: string) => call('POST', '/operator/command/undo', { no }, { token: owner.token })
  const first = await freeze()
  expect(first.data.canBeUndone).toBe(true)
  const back = await undo(first.data.no)
  expect([back.data.name, back.data.state, await status()]).toEqual(['account.thaw', 'done', 'active'])
  expect((await undo(first.data.no)).code).toBe(5017)
  const other = await freeze()
  await run(owner, 'account.thaw', { input: { user: user.userId } })
  expect((await undo(other.data.no)).code).toBe(5017)
  const late = await freeze()
  clock.advance(601_000)
  expect((await undo(late.data.no)).code).toBe(5017)
  expect((await undo((await run(owner, 'credit.grant', { input: grant('5') })).data.no)).code).toBe(5017)
})

test('scopes are frozen independently, and an undo reverts only what its command froze or thawed', async () => {
  owner = await anOperator(deps, ['owner'])
  const undo = (no: string) => call('POST', '/operator/command/undo', { no }, { token: owner.token })
  const frozen = async () => (await call('GET', '/operator/customer', { userId: user.userId }, { token: owner.token })).data
  const scopes = async () => (await frozen()).freezes.map(({ scope }: { scope: string }) => scope)
  expect((await preview(owner, 'account.freeze', { user: user.userId, scopes: [] })).status).toBe(400)
  expect((await preview(owner, 'account.freeze', { user: user.userId, scopes: ['everything'] })).status).toBe(400)
  expect((await run(owner, 'account.freeze', { input: { user: user.userId, scopes: ['money_out'] } })).data.state).toBe('done')
  const both = await run(owner, 'account.freeze', { input: { user: user.email, scopes: ['money_out', 'calls'] } })
  expect(both.data.preview.changes).toContainEqual({ name: 'callsFrozen', before: false, after: true })
  expect([await scopes(), await status(), both.data.canBeUndone]).toEqual([['money_out', 'calls'], 'active', true])
  expect((await frozen()).freezes[0]).toMatchObject({ reason: WHY.reason, by: `operator:${owner.id}` })
  expect([(await undo(both.data.no)).data.state, await scopes()]).toEqual(['done', ['money_out']])
  const thawed = await run(owner, 'account.thaw', { input: { user: user.userId } })
  expect([await scopes(), (await undo(thawed.data.no)).data.state, await scopes()]).toEqual([[], 'done', ['money_out']])
})

test('an undo that needs a step-up is refused to scripts and to operators with an old proof', async () => {
  const [boss, bad] = [await anOperator(deps, ['owner']), await anOperator(deps, ['support'])]
  const script = await anOperatorToken(deps, boss.id, ['operators.manage', 'work.read'])
  const undo = (who: { token: string }, no: string) => call('POST', '/operator/command/undo', { no }, { token: who.token })
  const done = await run(boss, 'operator.suspend', { input: { operatorId: bad.id } })
  expect(done.data).toMatchObject({ state: 'done', canBeUndone: true })
  expect((await undo(script, done.data.no)).code).toBe(5009)
  await db.query(`update backoffice_sessions set proven_at = proven_at - interval '11 minutes' where id = $1`, [boss.sessionId])
  expect((await undo(boss, done.data.no)).code).toBe(5003)
  expect(await db.query('select status from backoffice_operators where id = $1', [bad.id])).toEqual([{ status: 'suspended' }])
  await db.query(`update backoffice_sessions set proven_at = $2 where id = $1`, [boss.sessionId, clock.now()])
  expect((await undo(boss, done.data.no)).data.state).toBe('done')
})

test('an approver sees which figures may change: a version redrawn at each view blocks no approval', async () => {
  const [asks, decides] = [await anOperator(deps, ['owner']), await anOperator(deps, ['owner'])]
  const { no } = (await run(asks, 'rules.change', { input: { rules: [...DEFAULT_RULES] } })).data
  const seen = async () => (await call('GET', '/operator/command', { no }, { token: decides.token })).data
  const [first, then] = [await seen(), await seen()]
  expect(first.loose).toEqual(['version'])
  const versions = [first, then].map(({ now }) => now.changes.find(({ name }: { name: string }) => name === 'version').after)
  expect(versions[0]).not.toBe(versions[1])
  expect((await decide(decides, 'approve', { no })).data.state).toBe('done')
})

test('a script requests commands within its permissions and never decides them', async () => {
  const script = await anOperatorToken(deps, finance.id, ['work.read', 'customers.grant', 'payments.decide'])
  const done = await run(script, 'credit.grant', { input: grant('5') })
  expect(done.data).toMatchObject({ state: 'done', via: 'token', askedBy: finance.id })
  const marks = await db.query(`select data ->> 'via' as via, data ->> 'viaId' as id from audit_rows where action = 'command.asked' and target = $1`, [
    `command:${done.data.no}`,
  ])
  expect(marks).toEqual([{ via: 'token', id: script.id }])
  const { no } = (await run(second, 'credit.grant', { input: grant('60') })).data
  for (const verdict of ['approve', 'refuse']) expect((await decide(script, verdict, { no })).code).toBe(5009)
  expect((await preview(script, 'account.freeze', { user: user.userId })).status).toBe(403)
})

test('an old proof is not enough to decide', async () => {
  const { no } = (await run(finance, 'credit.grant', { input: grant('60') })).data
  await db.query(`update backoffice_sessions set proven_at = proven_at - interval '11 minutes' where id = $1`, [second.sessionId])
  expect((await decide(second, 'approve', { no })).code).toBe(5003)
})

test('a command with an unexpected error fails and leaves nothing', async () => {
  const lawyer = await anOperator(deps, ['owner'])
  const rules = [...DEFAULT_RULES, { command: 'odd.*', level: 'second', when: {} }]
  await db.query('insert into backoffice_rules (rules, operator_id) values ($1,$2)', [JSON.stringify(rules), lawyer.id])
  const asked = await run(finance, 'odd.act', { input: {} })
  expect(asked.data.state).toBe('waiting')
  isBroken = true
  const decided = await decide(second, 'approve', { no: asked.data.no })
  isBroken = false
  expect(decided.data).toMatchObject({ state: 'failed', result: null, difference: { refusal: { name: 'INTERNAL' } } })
  await settle()
  expect(await db.query(`select count(*)::int as n from audit_rows where action = 'command.done' and target = $1`, [`command:${asked.data.no}`])).toEqual([
    { n: 0 },
  ])
})

test('rules older than a command fall back to its first rules; newer ones, or ones that name it, decide', async () => {
  const owner = await anOperator(deps, ['owner'])
  const write = (at: string, rules: readonly object[]) =>
    db.owner.query('insert into backoffice_rules (rules, operator_id, at) values ($1,$2,$3)', [JSON.stringify(rules), owner.id, at])
  const level = async () =>
    (
      await resolveLevel(deps, db, {
        command: { name: 'reward.rate', permission: 'rewards.decide' },
        subject: 'user:x',
        weight: {},
        operatorId: owner.id,
        via: 'session',
      })
    ).level
  const old = [{ command: 'credit.*', level: 'stepUp', when: {} }]
  await write('2026-11-20', old)
  expect([await level(), (await readCurrentRules(db)).rules.length]).toEqual(['second', old.length + 11])
  await write('2026-11-20', [...old, { command: 'reward.rate', level: 'stepUp', when: {} }])
  expect(await level()).toBe('stepUp')
  await write('2027-01-01', old)
  expect([await level(), (await readCurrentRules(db)).rules]).toEqual(['reason', old])
})
