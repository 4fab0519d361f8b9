import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { transact, SYSTEM } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aUser, freezeAccount } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { anOperator, anOperatorToken } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { operateCommand } from '#features/backoffice/server/index.ts'
import { anInvoiceRequest, anOpenOrder, aPaidRechargeOrder, aWithdrawal, pressCashier } from '#features/payments/server/builders.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { aConversation } from '#features/support/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, postTransaction, systemAccount, userAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { features } from '../features.ts'

const orderMinutes = features.flatMap((feature) => feature.settings ?? []).find(({ key }) => key === 'payments.order_minutes')!

// Every command with the real code of its feature.
const db = await useTestDb()
let url = ''
const overrides = { publicUrl: () => url }
// The sandbox's channels are called over HTTP.
const site = createTestApp({ features, db, overrides })
url = await site.app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => site.app.close())
const { call, deps, settle } = createTestApp({ features, db, overrides, surface: 'operators' })
const WHY = { reasonCode: 'customerAsked', reason: 'a reason of some length' }
const preview = (who: { token: string }, name: string, input: object) => call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
const runCommand = (who: { token: string }, name: string, { input, expects }: { readonly input: object; readonly expects: string }) =>
  call('POST', `/operator/do/${name}`, { ...input, ...WHY, expects }, { token: who.token, idempotencyKey: `k${Math.random()}` })
async function run(who: { token: string }, name: string, input: object) {
  const { data } = await preview(who, name, input)
  return runCommand(who, name, { input, expects: data?.expects ?? 'a'.repeat(64) })
}
const approve = (who: { token: string }, no: string) => call('POST', '/operator/command/approve', { no, reason: '' }, { token: who.token })
const findChange = (data: { shown: { changes: { name: string }[] } }, name: string) => data.shown.changes.find((each) => each.name === name)
const spend = (userId: string, dollars: string) =>
  transact(db, SYSTEM, (tx) =>
    postTransaction(tx, {
      kind: 'test.spend',
      ref: `spend-${Math.random()}`,
      legs: [{ from: userAccount(userId), to: systemAccount('revenue'), amount: parseUsd(dollars) }],
    }),
  )

let owner: BuiltOperator
let finance: BuiltOperator
let user: BuiltUser
beforeAll(async () => {
  await features.find((feature) => feature.name === 'gateway')?.start?.(deps, new Set(['api']))
  await chooseCaptcha(deps, 'off')
  owner = await anOperator(deps, ['owner'])
})
beforeEach(async () => {
  finance = await anOperator(deps, ['finance'])
  user = await aUser(deps)
})

test('a refund whose money was spent before its approval is refused, with the rest that is left', async () => {
  const order = await aPaidRechargeOrder(deps, { userId: user.userId, amount: '150' })
  await settle()
  const asked = await run(finance, 'order.refund', { orderNo: order.orderNo })
  expect([asked.data.state, asked.data.level]).toEqual(['waiting', 'second'])
  await spend(user.userId, '100')
  const seen = (await call('GET', '/operator/command', { no: asked.data.no }, { token: owner.token })).data
  expect(seen.now.changes).toContainEqual({ name: 'refundable', before: '50', after: '0' })
  const decided = await approve(owner, asked.data.no)
  expect(decided.data).toMatchObject({ state: 'refused', result: null })
  expect(decided.data.difference.expected.changes).toContainEqual({ name: 'refundable', before: '150', after: '0' })
  expect(decided.data.difference.now.changes).toContainEqual({ name: 'refundable', before: '50', after: '0' })
  expect((await readBalance(db, user.userId)).available).toBe(parseUsd('50'))
  // The refusal names the maximum when the refundable part has shrunk.
  const part = await preview(finance, 'order.refund', { orderNo: order.orderNo, amount: '60' })
  expect(part.data.shown.refusal).toEqual({ name: 'ORDER_REFUND_TOO_LARGE', data: { max: '50' } })
  expect((await runCommand(finance, 'order.refund', { input: { orderNo: order.orderNo, amount: '60' }, expects: part.data.expects })).code).toBe(3115)
  const done = await run(finance, 'order.refund', { orderNo: order.orderNo, amount: '50' })
  expect(done.data).toMatchObject({ state: 'done', result: { amount: '50' } })
  await settle()
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('an order without a notification is repaired by the channel’s record, and not without one', async () => {
  const { order, params } = await anOpenOrder(deps, { userId: user.userId })
  const { orderNo } = order
  const nothing = await preview(finance, 'order.repair', { orderNo })
  expect(findChange(nothing.data, 'paid')).toEqual({ name: 'paid', before: false, after: false })
  await pressCashier(params, 'silent')
  const { data } = await preview(finance, 'order.repair', { orderNo })
  expect(findChange(data, 'paid')).toEqual({ name: 'paid', before: false, after: true })
  const stale = await runCommand(finance, 'order.repair', { input: { orderNo }, expects: nothing.data.expects })
  expect(stale.code).toBe(5010)
  expect((await run(finance, 'order.repair', { orderNo })).data).toMatchObject({ state: 'done', result: { state: 'fulfilled' } })
})

test('a withdrawal is decided by a person who is not its customer', async () => {
  await aFundedUser(db, { userId: user.userId, purchased: parseUsd('600') })
  const withdrawalNo = (await aWithdrawal(deps, { userId: user.userId, amount: '300' })) as string
  // Old enough to avoid the rule that a young account's first withdrawal needs two operators.
  await db.owner.query(`update account_users set created_at = now() - interval '60 days' where id = $1`, [user.userId])
  const same = await anOperator(deps, ['finance'], { mail: user.email })
  expect((await run(same, 'withdrawal.approve', { withdrawalNo })).code).toBe(5012)
  const { data } = await preview(finance, 'withdrawal.reject', { withdrawalNo })
  expect(data.shown).toMatchObject({ mails: { 'payments.withdraw-failed': 1 }, refusal: null })
  expect(JSON.stringify(data)).not.toContain('wang@example.com')
  const held = await run(finance, 'withdrawal.hold', { withdrawalNo, holdDays: 3 })
  expect(held.data).toMatchObject({
    state: 'done',
    canBeUndone: true,
    preview: { changes: expect.arrayContaining([{ name: 'onHold', before: false, after: true }]) },
  })
  expect((await preview(finance, 'withdrawal.approve', { withdrawalNo })).data.shown.refusal).toEqual({ name: 'WITHDRAWAL_HELD', data: null })
  expect((await call('GET', '/operator/withdrawals', { held: 'true' }, { token: finance.token })).data.rows).toMatchObject([
    { withdrawalNo, hold: { by: finance.id, why: 'a reason of some length' } },
  ])
  expect((await call('GET', '/operator/work', { kind: 'withdrawal' }, { token: finance.token })).data.rows).toMatchObject([{ note: 'withdrawalHeld' }])
  expect((await run(finance, 'withdrawal.release', { withdrawalNo })).data).toMatchObject({ state: 'done', result: { state: 'approving' } })
  expect((await run(finance, 'withdrawal.approve', { withdrawalNo })).data).toMatchObject({ state: 'done', result: { state: 'approved' } })
  expect((await runCommand(finance, 'withdrawal.reject', { input: { withdrawalNo }, expects: data.expects })).code).not.toBe(200)
  expect((await run(finance, 'withdrawal.recheck', { withdrawalNo })).code).not.toBe(200)
})

test('a setting is typed, has a history, is reverted and undone; another writer’s value in between is not overwritten', async () => {
  await db.query(`update backoffice_operators set roles = '{support}' where 'owner' = any(roles) and id <> $1`, [owner.id])
  const key = 'payments.order_minutes'
  expect((await run(owner, 'setting.change', { key, value: 'soon' })).status).toBe(400)
  expect((await run(owner, 'setting.change', { key: 'payments.no_such', value: 1 })).status).toBe(404)
  const first = await run(owner, 'setting.change', { key, value: 20 })
  expect([first.data.state, first.data.preview.changes]).toEqual(['done', [{ name: 'value', before: '15', after: '20' }]])
  const stale = await preview(owner, 'setting.change', { key, value: 25 })
  await run(owner, 'setting.change', { key, value: 30 })
  // Undoing the first change would silently revert the second.
  expect((await call('POST', '/operator/command/undo', { no: first.data.no }, { token: owner.token })).code).toBe(5017)
  expect((await runCommand(owner, 'setting.change', { input: { key, value: 25 }, expects: stale.data.expects })).code).toBe(5010)
  const { versions } = (await call('GET', '/operator/setting/history', { key }, { token: owner.token })).data
  expect(versions.map((each: { value: string; by: string }) => [each.value, each.by])).toEqual([
    ['30', `operator:${owner.id}`],
    ['20', `operator:${owner.id}`],
  ])
  const back = await run(owner, 'setting.revert', { key, version: versions[1].id })
  expect(back.data.preview.changes).toEqual([{ name: 'value', before: '30', after: '20' }])
  expect((await call('POST', '/operator/command/undo', { no: back.data.no }, { token: owner.token })).data.state).toBe('done')
  expect((await call('GET', '/operator/settings', {}, { token: owner.token })).data.settings.find((each: { key: string }) => each.key === key).value).toBe('30')
  expect((await run(owner, 'setting.revert', { key, version: 'default' })).data.preview.changes).toEqual([{ name: 'value', before: '30', after: '15' }])
})

test('an approval after the subject has changed is refused with the difference, though it could still be done', async () => {
  const chief = await anOperator(deps, ['owner'])
  const asked = await run(owner, 'setting.change', { key: 'payments.order_minutes', value: 20 })
  expect([asked.data.state, asked.data.level]).toEqual(['waiting', 'second'])
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, orderMinutes, 45))
  const decided = await approve(chief, asked.data.no)
  expect(decided.data).toMatchObject({ state: 'refused', result: null, difference: { refusal: null } })
  expect(decided.data.difference.expected.changes).toEqual([{ name: 'value', before: '15', after: '20' }])
  expect(decided.data.difference.now.changes).toEqual([{ name: 'value', before: '45', after: '20' }])
  expect(await deps.settings.get(orderMinutes)).toBe(45)
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, orderMinutes, 15))
  await db.query(`update backoffice_operators set roles = '{support}' where id = $1`, [chief.id])
})

test('approval rules are changed under the old rules, and apply from then on', async () => {
  const rules = [{ command: 'account.*', level: 'two', when: {} }]
  const helper = await anOperator(deps, ['support'])
  expect((await run(helper, 'rules.change', { rules })).status).toBe(403)
  expect((await run(owner, 'rules.change', { rules: [{ command: 'rules.*', level: 'forbidden' }] })).status).toBe(400)
  const changed = await run(owner, 'rules.change', { rules })
  expect([changed.code, changed.data.state]).toEqual([200, 'done'])
  expect((await preview(owner, 'account.freeze', { user: user.userId })).data.level).toBe('two')
  expect((await call('POST', '/operator/command/undo', { no: changed.data.no }, { token: owner.token })).data.state).toBe('done')
  expect((await preview(owner, 'account.freeze', { user: user.userId })).data.level).toBe('reason')
})

test('an answer to a conversation with newer messages is refused; an upstream is drained and taken back', async () => {
  const { id: conversationId } = await aConversation(deps, { userId: user.userId, text: 'Where is my money?' })
  const helper = await anOperator(deps, ['support'])
  const answer = { conversationId, text: 'On its way' }
  const { data } = await preview(helper, 'conversation.answer', answer)
  expect(data.level).toBe('free')
  expect((await run(owner, 'conversation.answer', answer)).data.state).toBe('done')
  expect((await runCommand(helper, 'conversation.answer', { input: answer, expects: data.expects })).code).toBe(5010)
  const supply = await anOperator(deps, ['supply'])
  const one = { upstreamId: 'one', vendor: 'openai', baseUrl: 'https://a.example/v1', credentialEnv: 'UPSTREAM_ONE_KEY' }
  const moved = await run(supply, 'upstream.change', one)
  expect(moved.data.state).toBe('waiting')
  expect((await approve(owner, moved.data.no)).data.state).toBe('done')
  const drained = await run(supply, 'upstream.state', { upstreamId: 'one', state: 'draining' })
  expect(drained.data.preview.changes).toContainEqual({ name: 'state', before: 'active', after: 'draining' })
  expect((await call('POST', '/operator/command/undo', { no: drained.data.no }, { token: supply.token })).data.preview.changes).toContainEqual({
    ...{ name: 'state', before: 'draining', after: 'active' },
  })
  expect((await run(supply, 'route.change', { upstreamId: 'one', models: ['gpt-4o'], weight: 5 })).data.state).toBe('done')
  const weighed = await run(supply, 'route.change', { upstreamId: 'one', models: ['gpt-4o'], weight: 50 })
  expect((await call('POST', '/operator/command/undo', { no: weighed.data.no }, { token: supply.token })).data.state).toBe('done')
  expect(await db.query(`select weight from gateway_routes where upstream_id = 'one'`)).toEqual([{ weight: 5 }])
})

test('the command line takes the same path: a token proposes; --break-glass needs no approval and mails every owner', async () => {
  const chief = await anOperator(deps, ['owner'])
  const script = await anOperatorToken(deps, finance.id, ['customers.grant'])
  const input = { user: user.email, amount: '60', purpose: 'goodwill', days: 30 }
  const goOn = () => true
  const asked = await operateCommand(deps, { name: 'credit.grant', input, ...WHY, by: { token: script.token }, goOn })
  expect(asked).toMatchObject({ state: 'waiting', via: 'token' })
  await expect(
    operateCommand(deps, { name: 'credit.grant', input: { ...input, amount: '-1' }, ...WHY, by: { token: script.token }, goOn }),
  ).rejects.toMatchObject({
    errorName: 'BAD_INPUT',
  })
  await expect(operateCommand(deps, { name: 'account.freeze', input: { user: user.email }, ...WHY, by: { token: script.token }, goOn })).rejects.toMatchObject({
    errorName: 'FORBIDDEN',
  })
  await expect(
    operateCommand(deps, { name: 'account.freeze', input: { user: user.email }, ...WHY, by: { breakGlass: finance.mail }, goOn }),
  ).rejects.toMatchObject({
    errorName: 'FORBIDDEN',
  })
  await call('POST', '/operator/command/withdraw', { no: asked!.no }, { token: finance.token })
  const glass = await operateCommand(deps, { name: 'credit.grant', input, ...WHY, by: { breakGlass: owner.mail }, goOn })
  expect(glass).toMatchObject({ state: 'done', via: 'breakGlass', level: 'second', needs: 0 })
  const told = await db.query(`select recipient from notices_mails where dedupe like $1 order by 1`, [`backoffice.glass:${glass!.no}:%`])
  expect(told.map(({ recipient }) => recipient)).toEqual([owner.mail, chief.mail].sort())
  const list = async () =>
    (await call('GET', '/operator/command/list', { unreviewed: 'true' }, { token: chief.token })).data.commands.map((each: { no: string }) => each.no)
  expect(await list()).toEqual([glass!.no])
  expect((await call('POST', '/operator/command/review', { no: glass!.no }, { token: owner.token })).status).toBe(404)
  expect((await call('POST', '/operator/command/review', { no: glass!.no }, { token: chief.token })).code).toBe(200)
  expect(await list()).toEqual([])
})

test('a preview equals its result, and leaves no trace, whatever the state of the world', async () => {
  let seed = Number(process.env['COMMAND_SEED'] ?? 7)
  const pick = <T>(list: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return list[Math.floor((seed / 2_147_483_648) * list.length)]!
  }
  // Without rules, no daily limit blocks a thousand refunds.
  await db.query(`insert into backoffice_rules (rules, operator_id) values ('[]', $1)`, [owner.id])
  const world = () =>
    db.query(`select (select count(*)::int from audit_rows) as audit, (select count(*)::int from outbox) as news, (select count(*)::int from notices_mails) as mails,
      (select count(*)::int from wallet_entries) as entries, (select count(*)::int from backoffice_commands) as commands, (select count(*)::int from settings_history) as settings`)
  for (let round = 0; round < Number(process.env['COMMAND_STATES'] ?? 30); round++) {
    const made = await aUser(deps)
    await aFundedUser(db, { userId: made.userId, purchased: parseUsd(pick(['1', '40', '400'])), granted: parseUsd(pick(['1', '5'])) })
    const order = await aPaidRechargeOrder(deps, { userId: made.userId, amount: pick(['20', '50']) })
    const open = await anOpenOrder(deps, { userId: made.userId })
    if (pick([true, false])) await pressCashier(open.params, 'silent')
    if (pick([true, false])) await spend(made.userId, pick(['0.5', '0.000000001', '19']))
    if (pick([true, false, false]))
      await freezeAccount(deps, SYSTEM, { userId: made.userId, reason: 'a random state', scopes: [pick(['all', 'calls', 'money_out'] as const)] })
    const { id: conversationId } = await aConversation(deps, { userId: made.userId, text: 'hello' })
    const requestNo = await anInvoiceRequest(deps, made.userId)
    const [name, input] = pick([
      ['invoice.issue', { requestNo }],
      ['invoice.refuse', { requestNo, cause: pick(['unclear', 'taxInvoice']), answer: pick(['', 'Please write the whole name']) }],
      ['account.freeze', { user: made.userId, ...pick([{}, { scopes: ['calls'] }, { scopes: ['all', 'money_out'] }]) }],
      ['account.thaw', { user: made.userId, ...pick([{}, { scopes: ['calls'] }]) }],
      ['credit.grant', { user: made.userId, amount: pick(['0.01', '5', '12.34']), purpose: 'goodwill', days: 3 }],
      ['order.refund', { orderNo: order.orderNo, ...pick([{}, { amount: '5' }, { amount: '49' }, { withFee: true }]) }],
      ['order.repair', { orderNo: open.order.orderNo }],
      ['order.approve', { orderNo: order.orderNo }],
      ['conversation.answer', { conversationId, text: 'Good day' }],
      ['conversation.close', { conversationId }],
      ['setting.change', { key: pick(['site.landing', 'payments.order_minutes']), value: pick(['member', 'api', 20, 30]) }],
    ] as const)
    const before = await world()
    const { data, code } = await preview(owner, name, input)
    expect([name, await world()]).toEqual([name, before])
    const done = await runCommand(owner, name, { input, expects: data?.expects ?? 'a'.repeat(64) })
    if (code !== 200) expect([name, done.code]).toEqual([name, code])
    else if (data.shown.refusal) expect([name, done.code]).not.toEqual([name, 200])
    else {
      const result = { ...data.shown, result: done.data?.preview.result }
      expect([name, input, done.data?.state, done.data?.preview]).toEqual([name, input, 'done', result])
    }
  }
})
