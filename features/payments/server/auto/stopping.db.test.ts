import { expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { makeRowsDue } from '#platform/testing/db.ts'
import { account } from '#features/account/server/index.ts'
import { aUser, freezeAccount } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { risk } from '#features/risk/server/index.ts'
import { paymentsPersonal } from '../personal.ts'
import { createRechargingApp } from '../testing/recharging.ts'
import { autoLeadMinutes, autoOpen } from './settings.ts'
import { announceCharge } from './verbs/announce-charge.ts'
import { receiveAgreementNotice } from './verbs/sync-agreement.ts'
import { findChannelByName } from '../vendors/index.ts'

const app = await createRechargingApp([account, notices, risk])
const { db, deps } = app
const agreements = (userId: string) =>
  db.query<{ state: string; endedBy: string | null; sealed: Buffer | null }>(
    'select state, ended_by, sealed from payments_agreements where user_id = $1 order by created_at',
    [userId],
  )
const selectSandboxState = async (agreementNo: string) =>
  (await db.query<{ state: string }>('select state from payments_sandbox_agreements where agreement_no = $1', [agreementNo]))[0]!.state

test('a stop drops the announced charge without counting it; undone, auto recharge continues, else the agreement ends at the channel', async () => {
  const { userId, agreementNo } = await app.signed()
  await announceCharge(deps, userId)
  expect(await app.verb(userId, 'stop')).toMatchObject({ state: 'stopped', undoUntil: expect.any(String), used: { day: '0', charges: 0 } })
  expect(await app.charges(userId)).toMatchObject([{ state: 'skipped', orderState: 'cancelled' }])
  await app.work()
  expect(await app.charges(userId)).toHaveLength(1)
  expect((await app.verb(userId, 'resume')).state).toBe('active')
  await app.verb(userId, 'stop')
  await app.hasten()
  await app.work()
  expect([await selectSandboxState(agreementNo), (await app.view(userId)).state]).toEqual(['active', 'stopped'])
  await db.owner.query('update payments_auto_plans set undo_until = now() where user_id = $1', [userId])
  await app.work()
  await app.work()
  expect([await selectSandboxState(agreementNo), (await app.view(userId)).state]).toEqual(['ended', 'off'])
  expect(await agreements(userId)).toEqual([{ state: 'ended', endedBy: 'user', sealed: null }])
  await app.deliver()
  expect((await app.view(userId)).state).toBe('off')
})

test('a charge that has left when the stop comes is settled, not lost', async () => {
  const { userId } = await app.signed({ amount: '10.46' })
  await app.work()
  await app.verb(userId, 'stop')
  expect(await app.charges(userId)).toMatchObject([{ state: 'charging' }])
  await makeRowsDue(db.owner, 'payments_sandbox_trades', { column: 'pay_due_at' })
  await app.deliver()
  await app.deliver()
  expect(await app.charges(userId)).toMatchObject([{ state: 'paid', orderState: 'fulfilled' }])
  expect((await app.view(userId)).state).toBe('stopped')
})

test('a charge is dropped when the balance is topped up by hand after its mail', async () => {
  await app.set(autoLeadMinutes, 5)
  const { userId } = await app.signed()
  await announceCharge(deps, userId)
  await app.work()
  expect(await app.charges(userId)).toMatchObject([{ state: 'announced' }])
  await app.paid({ userId, channelType: 25 })
  await app.hasten()
  await app.work()
  expect(await app.charges(userId)).toMatchObject([{ state: 'skipped' }])
  await app.set(autoLeadMinutes, 0)
})

test('the order of an automatic charge cannot be opened, cancelled or paid by hand', async () => {
  const { userId } = await app.signed()
  await announceCharge(deps, userId)
  const orderNo = (await app.charges(userId))[0]!.orderNo
  const open = await app.call('POST', '/api/go/v1/payParam', { order_id: orderNo, channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }, { token: userId })
  expect(open.code).toBe(3102)
  expect((await app.call('POST', '/v1/pay/cancel', { orderNo }, { token: userId })).code).toBe(3103)
  expect((await app.call('POST', '/v1/pay/tradeStatus', { orderNo }, { token: userId })).data).toMatchObject({ secondsLeft: 0 })
})

test('a frozen user and a closed switch charge nothing and drop what was announced', async () => {
  const user = await aUser(deps)
  await app.signed({}, user.userId)
  await announceCharge(deps, user.userId)
  await freezeAccount(deps, { kind: 'operator', id: 'test' }, { userId: user.userId, reason: 'a test' })
  await app.work()
  expect(await app.charges(user.userId)).toMatchObject([{ state: 'skipped' }])
  await app.work()
  expect(await app.charges(user.userId)).toHaveLength(1)
  const { userId } = await app.signed()
  await app.set(autoOpen, false)
  await app.work()
  expect(await announceCharge(deps, userId)).toBe(false)
  expect(await app.charges(userId)).toEqual([])
  await app.set(autoOpen, true)
})

test('each charge and each change is mailed, with the figures of the receipt', async () => {
  const { userId, email } = await aUser(deps)
  await app.signed({}, userId)
  await app.work()
  await app.settle()
  const mails = (await listSandboxMails(db, email)).map(({ subject, text }) => ({ subject, text })).toReversed()
  expect(mails.map(({ subject }) => subject)).toEqual([
    '自动充值已开启',
    '将自动充值 $10.00，扣款 73.73 CNY',
    expect.stringMatching(/^已自动充值 \$10\.00，订单 /),
  ])
  expect(mails[2]!.text).toContain('手续费 $0.35\n合计 $10.35\n扣款 73.73 CNY')
  expect(mails[1]!.text).toContain('/api?tab=view#auto-recharge')
})

test('closing the account waits for a charge that has left, then ends the agreement and forgets its label; the export has all of it', async () => {
  const { userId } = await app.signed({ amount: '10.46' })
  await app.work()
  expect(await paymentsPersonal.blockersOf!(deps, userId, 'zh')).toHaveLength(1)
  await makeRowsDue(db.owner, 'payments_sandbox_trades', { column: 'pay_due_at' })
  await app.deliver()
  await app.deliver()
  expect(await paymentsPersonal.blockersOf!(deps, userId, 'zh')).toEqual([])
  const exported = JSON.stringify(await paymentsPersonal.exportOf!(deps, userId))
  expect(exported).toContain('Visa ···· 4242')
  expect(exported).toContain('"version":"2026-11"')
  expect(exported).not.toContain('sealed')
  await db.query(`insert into outbox (event, payload) values ('user.deleted', jsonb_build_object('userId', $1::text))`, [userId])
  await app.settle()
  await app.work()
  expect(await agreements(userId)).toEqual([{ state: 'ended', endedBy: 'house', sealed: null }])
  expect(await db.query('select 1 from payments_agreements where user_id = $1 and label is not null', [userId])).toEqual([])
  expect((await app.view(userId)).state).toBe('off')
})

test('agreement notices may be repeated, late, out of order or for an unknown number; an end at the channel is applied', async () => {
  const userId = createId('user')
  const { data } = await app.start(userId)
  const channel = findChannelByName(deps, 'sandbox')!
  const notice = (noticeId: string, agreementNo = data.agreementNo as string) =>
    receiveAgreementNotice(deps, channel, { noticeId, event: 'agreement', agreementNo })
  // Not signed yet: the channel reports it as open, regardless of the notice.
  expect(await notice('early')).toBe(true)
  expect((await app.view(userId)).state).toBe('signing')
  await app.press(data.payUrl, 'agreeTwice')
  await app.deliver()
  await app.deliver()
  expect((await app.view(userId)).state).toBe('active')
  expect((await app.events(userId)).filter((event) => event === 'auto.started')).toHaveLength(1)
  expect(await notice('early')).toBe(true)
  expect(await notice('x', 'A20261122-000000000000')).toBe(false)
  await app.press(data.payUrl, 'end')
  await app.deliver()
  expect(await app.view(userId)).toMatchObject({ state: 'attention', attention: 'ended' })
  expect((await app.events(userId)).at(-1)).toBe('auto.ended')
})

test('an agreement that ended silently at the channel is found by the daily check', async () => {
  const { userId, payUrl } = await app.signed()
  await app.press(payUrl, 'endSilently')
  await app.hasten()
  await app.work()
  expect(await app.view(userId)).toMatchObject({ state: 'attention', attention: 'ended' })
})

test('a page that is refused or never signed ends by itself; one signed after it was given up is ended at the channel', async () => {
  const refused = createId('user')
  const page = await app.start(refused)
  await app.press(page.data.payUrl, 'refuse')
  expect((await app.verb(refused, 'check')).state).toBe('off')
  const userId = createId('user')
  const { data } = await app.start(userId)
  await db.owner.query(`update payments_agreements set expires_at = now() - interval '1 second' where user_id = $1`, [userId])
  await app.hasten()
  await app.work()
  expect((await app.view(userId)).state).toBe('off')
  await app.press(data.payUrl, 'agree')
  await app.deliver()
  await app.work()
  expect([await selectSandboxState(data.agreementNo), (await app.view(userId)).state]).toEqual(['ended', 'off'])
})

test('a second page makes the first one void, whichever is signed', async () => {
  const userId = createId('user')
  const first = await app.start(userId)
  const second = await app.start(userId)
  await app.press(second.data.payUrl, 'agree')
  await app.deliver()
  await app.work()
  await app.work()
  expect([await selectSandboxState(first.data.agreementNo), await selectSandboxState(second.data.agreementNo)]).toEqual(['ended', 'active'])
  expect(await app.view(userId)).toMatchObject({ state: 'active', agreementNo: second.data.agreementNo })
})

test('numbers of Hong Kong and Macao get only the methods that the channel offers there', async () => {
  const { userId } = await aUser(deps, { mobile: '85298765432' })
  expect((await app.view(userId)).methods.map(({ transactionType }) => transactionType)).toEqual([5])
  expect((await app.start(userId, { transactionType: 1 })).code).toBe(3107)
})
